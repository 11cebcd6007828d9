import type { LedgerRecord } from "../../kernel/record.ts";
import type { Live, Outcome } from "../../kernel/shape.ts";
import type { Draft, DraftOf, EditOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import { harmless, oneLine } from "../../platform/text.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import { type TaskKind, summaryOf, emptyOutcome, type TaskOutcome } from "../tasks/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";
import { countRun } from "./run-count.ts";
import { slotTask } from "./slot.ts";
import { textsOf } from "./texts.ts";
import { nextPing, missedBefore } from "./watch.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** The report of a run elsewhere. */
export interface Ping {
  /** Its exit status; null: it only reports a failure. */
  readonly exit: number | null;
  /** Its output, or the end of it. */
  readonly text: string;
  /** The output was longer. */
  readonly isCut?: boolean;
}

/** How much of the output is kept. */
export const pingBytesMax = 64 * 1024;
const reasonCharsMax = 300;

/** The end of an output, which has its result; never cut inside a character. */
export function endOf(output: Uint8Array): Pick<Ping, "text" | "isCut"> {
  let from = output.length - pingBytesMax;
  if (from <= 0) return { text: new TextDecoder().decode(output), isCut: false };
  while (((output[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return { text: new TextDecoder().decode(output.subarray(from)), isCut: true };
}

/** Records when a run elsewhere started. */
export function started(record: Schedule, now: number): EditOf<ScheduleKind> {
  const { id, revision } = record;
  const outcome = { ...outcomeOf(record), startedAt: now };
  return { kind: "schedule", id, ifRevision: revision, outcome };
}

/**
 * The end of a run elsewhere: the edit of the watch, the run's row and the rows of missed pings before it, in one unit.
 * The owner is not notified of the missed ones, because the job has just reported.
 */
export function ended(
  record: Schedule,
  ping: Ping,
  reader: NoticeReader,
  now: number,
): { runId: string; edit: EditOf<ScheduleKind>; append: readonly Draft[] } {
  const { kind, id, revision } = record;
  const state = ping.exit === 0 ? "completed" : "failed";
  const reason = reasonOf(ping);
  const { edit = { kind, id, ifRevision: revision }, notices } = countRun(
    { state, reason, cost: 0 },
    { schedule: record, others: [], reader },
    { now, jitter: 0 },
  );
  const { isMissing = false, isNotified } = outcomeOf(record);
  const isBack = state === "completed" && isMissing && !isNotified;
  // The newest row is written last. Only one ping is received at this revision.
  const runId = idFrom(JSON.stringify(["ping", id, revision]));
  const row = { ...rowOf(record, ping, { state, reason, now }), id: runId };
  const back = isBack ? [backNotice(record, reader, now)] : [];
  const append = [...missedBefore(record, now), row, ...notices, ...back];
  return { runId, edit: advanced(record, edit, now), append };
}

function reasonOf({ exit, text }: Ping): string | null {
  if (exit === 0) return null;
  const lastLine = oneLine(text.trimEnd().split("\n").at(-1) ?? "", reasonCharsMax);
  const end = exit === null ? "it said that it failed" : `it ended with exit ${exit}`;
  return lastLine === "" ? end : `${end}: ${lastLine}`;
}

/** The row is written as ended, so its output is in the record: a stream would need a lease. */
function rowOf(
  record: Schedule,
  { exit, text, isCut = false }: Ping,
  { state, reason, now }: { state: "completed" | "failed"; reason: string | null; now: number },
): DraftOf<TaskKind> {
  const { kind, queue, body } = slotTask(record, { at: now, because: "cadence" });
  const output = harmless(text.toWellFormed());
  const outcome: TaskOutcome = {
    ...emptyOutcome,
    startedAt: outcomeOf(record).startedAt ?? now,
    finishedAt: now,
    reason,
    exit,
    summary: summaryOf(output),
    outputBytes: Buffer.byteLength(output),
    outputCut: isCut,
    result: output === "" ? null : output,
  };
  const ends = { ends: state, note: reason ?? undefined };
  return { kind, queue, body: { ...body, input: null }, parent: record.id, outcome, ...ends };
}

/** Moves the watch to the ping after this one. */
function advanced(record: Schedule, edit: EditOf<ScheduleKind>, now: number): EditOf<ScheduleKind> {
  const before = edit.outcome ?? outcomeOf(record);
  const isFailed = before.lastRunState !== "completed";
  const outcome: Outcome<ScheduleKind> = {
    ...before,
    startedAt: undefined,
    isMissing: undefined,
    cursor: Math.max(before.cursor, now),
    // An owner who was notified of a missing ping is notified when the job works again.
    isNotified: before.isNotified || (before.isMissing === true && isFailed),
  };
  const state = "ends" in edit ? record.state : (edit.state ?? record.state);
  const { kind, id, ifRevision = record.revision } = edit;
  const { nextRunAt, wakeAt } = nextPing(state, record.body, outcome);
  const next = { outcome: { ...outcome, nextRunAt }, wakeAt, state: state as Live<ScheduleKind> };
  // A watch that expects no more pings can still be pinged: only its owner ends it.
  return { kind, id, ifRevision, ...next };
}

function backNotice(
  { body }: Schedule,
  { language }: NoticeReader,
  now: number,
): DraftOf<NotificationKind> {
  const { name, target, origin } = body;
  const message = textsOf(language).reportsAgain({ name });
  return makeNotification({ message, at: now, atText: "now", target, origin, type: "notice" });
}
