import * as z from "zod";
import type { Reader } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { CauseStanding } from "../../kernel/story.ts";
import { fromIso, isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { span } from "../../time/times.ts";
import { localTime } from "../accounts/moment-view.ts";
import type { TaskKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

/** What is shown of a run that caused something. */
export const runCause = z.object({
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

/** A run as the cause of another record, or beside one. */
export interface RunCauseView extends CauseStanding {
  run?: RunCause | undefined;
}

export function shownRunCause(record: LedgerRecord<TaskKind>, number: number | null): RunCauseView {
  const { id, kind, state } = record;
  return { id, kind, state, run: runCauseOf(record, number) };
}

export function runCauseOf(
  { body, outcome }: LedgerRecord<TaskKind>,
  number: number | null,
): RunCause {
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

/** Which run it is, and how it ended. */
export function runLines({ id, state, run }: RunCauseView, reader: Reader): string[] {
  if (run === undefined) return [];
  const when = run.finished_at === null ? null : localTime(run.finished_at, reader);
  const about = { name: oneLine(run.name, 100), id: numbered(run.number, id), state, when };
  return [textsOf(reader.language).becauseRun(about)];
}

/** A run's number is for people, its id for what they ask next. */
export function numbered(number: number | null, id: string): string {
  return number === null ? id : `${number} (${id})`;
}

/** Why a run began, and how late. */
export function slotLines(
  { slot, because, started_at: start }: Pick<RunCause, "slot" | "because" | "started_at">,
  reader: Reader,
): string[] {
  if (slot === null) return [];
  const texts = textsOf(reader.language);
  const lateMs = start === null ? undefined : Math.max(fromIso(start) - fromIso(slot), 0);
  const late = lateMs === undefined ? null : span(lateMs, reader.language);
  const when = `${localTime(slot, reader)} ${reader.zone}`;
  if (because === "cadence") return [texts.becauseSlot({ when, utc: slot, late })];
  return [texts.becauseAsked({ isBackfill: because === "backfill", when, late })];
}
