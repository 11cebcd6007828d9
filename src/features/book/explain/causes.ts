import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Reader } from "../../../kernel/operation.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, fromIso, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { sayCadence } from "../../../time/cadence.ts";
import { inWords, span } from "../../../time/times.ts";
import type { Look } from "../../accounts/moment-view.ts";
import { eventKind } from "../../events/kind.ts";
import { questionKind } from "../../events/question.ts";
import { nagKind } from "../../nags/kind.ts";
import { stateOf, titleOf, type Nag } from "../../nags/operations/view.ts";
import { scheduleKind } from "../../schedules/kind.ts";
import { type TaskKind, taskKind } from "../../tasks/kind.ts";
import type { Texts } from "../../texts/shape.ts";

const runCause = z.object({
  name: z.string(),
  number: z.number().nullable().describe("which of its schedule's runs; null: not known"),
  notify: z.enum(["always", "conditional", "never"]).nullable(),
  reason: z.string().nullable(),
  slot: z.string().nullable(),
  because: z.enum(["cadence", "run now", "backfill", "asked"]),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});

type RunCause = z.infer<typeof runCause>;

/** What caused something: a run with its slot, a schedule with its time, or just a record. */
export const causeView = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  run: runCause.optional(),
  schedule: z
    .object({
      name: z.string(),
      when: z.string(),
      created_at: z.string(),
      created_by: z.string(),
      origin: z.string().nullable(),
    })
    .optional(),
  nag: z.object({ title: z.string(), curve: z.string() }).optional(),
  event: z.object({ name: z.string(), type: z.string() }).optional(),
  question: z.object({ text: z.string() }).optional(),
});
export type Cause = z.infer<typeof causeView>;

export function shownCause(record: AnyRecord, look: Look, number: number | null): Cause {
  const { id, kind, state } = record;
  if (is(taskKind, record)) return { id, kind, state, run: runCauseOf(record, number) };
  if (is(nagKind, record)) return nagCause(record);
  if (is(eventKind, record)) {
    const { name, type } = record.body;
    return { id, kind, state, event: { name, type } };
  }
  if (is(questionKind, record)) {
    return { id, kind, state, question: { text: record.body.text } };
  }
  if (!is(scheduleKind, record)) return { id, kind, state };
  const { body, by, createdAt } = record;
  const when = sayCadence(body.cadence, look);
  const made = { created_at: isoOf(createdAt), created_by: by, origin: body.origin };
  return { id, kind, state, schedule: { name: body.name, when, ...made } };
}

function runCauseOf({ body, outcome }: LedgerRecord<TaskKind>, number: number | null): RunCause {
  return {
    name: body.slot?.name ?? body.event?.handler ?? body.name,
    number,
    notify: body.slot?.notify ?? null,
    reason: outcome?.reason ?? null,
    slot: isoOr(body.slot?.at),
    because: body.slot?.because ?? "asked",
    started_at: isoOr(outcome?.startedAt),
    finished_at: isoOr(outcome?.finishedAt),
  };
}

function nagCause(record: Nag): Cause {
  const { id, kind, body } = record;
  const nag = { title: titleOf(record, undefined), curve: body.curveName };
  return { id, kind, state: stateOf(record), nag };
}

/** A cause in words, one line for each step back. */
export function causeLines(cause: Cause, texts: Texts, reader: Reader): string[] {
  const { id, state, run, schedule, nag, event, question } = cause;
  if (event !== undefined) return [texts.becauseEvent({ ...event, state, id })];
  if (question !== undefined)
    return [texts.becauseQuestion({ text: oneLine(question.text, 100), id, state })];
  if (run !== undefined)
    return [...runLines(cause, texts, reader), ...slotLines(run, texts, reader)];
  if (nag !== undefined)
    return [texts.becauseNag({ what: oneLine(nag.title, 100), curve: nag.curve, state, id })];
  if (schedule === undefined) return [texts.because(cause)];
  const { name, when, created_by: by, origin } = schedule;
  const about = { name: oneLine(name, 100), when, state };
  const made = { by, when: said(schedule.created_at, reader), origin };
  return [texts.becauseSchedule(about), texts.madeBy(made)];
}

/** Which run it is, and how it ended. */
export function runLines({ id, state, run }: Cause, texts: Texts, reader: Reader): string[] {
  if (run === undefined) return [];
  const when = run.finished_at === null ? null : said(run.finished_at, reader);
  const name = oneLine(run.name, 100);
  return [texts.becauseRun({ name, id: numbered(run.number, id), state, when })];
}

/** A run's number is for people, its id for what they ask next. */
export function numbered(number: number | null, id: string): string {
  return number === null ? id : `${number} (${id})`;
}

/** Why a run began, and how late. */
export function slotLines(
  { slot, because, started_at: start }: Pick<RunCause, "slot" | "because" | "started_at">,
  texts: Texts,
  reader: Reader,
): string[] {
  if (slot === null) return [];
  const lateMs = start === null ? undefined : Math.max(fromIso(start) - fromIso(slot), 0);
  const late = lateMs === undefined ? null : span(lateMs, reader.language);
  const when = `${said(slot, reader)} ${reader.zone}`;
  if (because === "cadence") return [texts.becauseSlot({ when, utc: slot, late })];
  return [texts.becauseAsked({ isBackfill: because === "backfill", when, late })];
}

function said(at: string, { zone, language }: Reader): string {
  return inWords(fromIso(at), zone, language);
}
