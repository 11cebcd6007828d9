import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Body, Outcome, State } from "../../kernel/shape.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { firesAfter } from "../../time/cadence.ts";
import { inWords } from "../../time/times.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import type { TaskKind } from "../tasks/index.ts";
import { decideBacklog } from "./backlog.ts";
import { makeSchedule } from "./draft.ts";
import { type DueSlots, dueSlots, unitMax } from "./due-slots.ts";
import { type ScheduleKind } from "./kind.ts";
import { pausedUntilOf, unpaused } from "./misfire.ts";
import { outcomeOf, cadenceOf } from "./next-fire.ts";
import { passedTasks } from "./slot.ts";
import { textsOf } from "./texts.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** A watch is a schedule whose job runs elsewhere and reports by pings. */
export function isWatch({ body }: Pick<Schedule, "body">): boolean {
  return "ping" in body.run;
}

/** The only way to create a watch. */
export function makeWatch(
  body: Body<ScheduleKind>,
  facts: Parameters<typeof makeSchedule>[1],
): DraftOf<ScheduleKind> {
  const { outcome, ...draft } = makeSchedule(body, facts);
  if (outcome === undefined || !("state" in draft)) return draft;
  const { wakeAt, nextRunAt } = nextPing("active", body, outcome);
  return { ...draft, outcome: { ...outcome, nextRunAt }, wakeAt: wakeAt ?? draft.wakeAt };
}

/** When the next ping is expected, and when its controller is due: also while paused. */
export function nextPing(
  state: State<ScheduleKind>,
  body: Body<ScheduleKind>,
  {
    cursor,
    pausedUntil,
    undecided,
  }: Pick<Outcome<ScheduleKind>, "cursor" | "pausedUntil" | "undecided">,
): { nextRunAt: number | null; wakeAt: number | null } {
  if (state !== "active" && state !== "paused") return { nextRunAt: null, wakeAt: null };
  const [expected = null] = firesAfter(cadenceOf(body, cursor), cursor, 1);
  const graceEnd = expected === null ? null : expected + graceOf(body);
  const deadline = undecided === undefined ? graceEnd : cursor;
  if (state === "active") return { nextRunAt: expected, wakeAt: deadline };
  if (pausedUntil === undefined) return { nextRunAt: null, wakeAt: deadline };
  return { nextRunAt: expected, wakeAt: Math.min(deadline ?? Infinity, pausedUntil) };
}

function graceOf({ run }: Body<ScheduleKind>): number {
  return "ping" in run ? run.graceMs : 0;
}

/** Every missed ping becomes a row. The owner is notified of the first. */
export function decideWatch(
  record: Claimed<ScheduleKind>,
  reader: NoticeReader,
  facts: Facts,
): Verdict<ScheduleKind> {
  const { claimedAt } = record.lease;
  if (record.cancelling) return { ends: "cancelled" };
  const backlog = decideBacklog(record, facts);
  if (backlog !== undefined) return backlog;
  if (record.state === "disabled") return { state: "disabled", freshStart: true };
  const { cursor, isMissing } = outcomeOf(record);
  const overdue = overdueAt(record, claimedAt);
  const last = overdue.first.at(-1);
  const missed = last !== undefined && last >= pausedUntilOf(record) ? last : undefined;
  const rows = rowsOf(record, overdue, claimedAt);
  const { state, outcome, wakeAt } = moved(record, { cursor: last ?? cursor, missed });
  const isFirst = missed !== undefined && isMissing !== true;
  const notices = isFirst ? [missedNotice(record, missed, reader, facts)] : [];
  return {
    state,
    outcome,
    consequences: { append: [...rows, ...notices] },
    freshStart: true,
    wakeAt: overdue.cutAt === undefined ? (wakeAt ?? undefined) : facts.now,
  };
}

/** Rows for the undecided missed pings before a late one, as many as its unit carries. */
export function missedBefore(record: Schedule, now: number): readonly DraftOf<TaskKind>[] {
  if (record.state === "disabled") return [];
  // A ping at the very end of its grace is in time.
  return rowsOf(record, overdueAt(record, now - 1, unitMax), now);
}

/** Pings whose grace had ended by then. */
function overdueAt(record: Schedule, now: number, rowsMax?: number): DueSlots {
  const { cursor } = outcomeOf(record);
  const { body } = record;
  return dueSlots(cadenceOf(body, cursor), cursor, now - graceOf(body), rowsMax);
}

function rowsOf(record: Schedule, due: DueSlots, decidedAt: number): readonly DraftOf<TaskKind>[] {
  return passedTasks(record, due, {
    pausedUntil: pausedUntilOf(record),
    decidedAt,
    reasonFor: (at) => reasonOf(record, at),
    sharedReason: (count, span) => `${count} pings ${span} did not come`,
  });
}

function reasonOf({ body, outcome }: Schedule, at: number): string {
  const deadline = at + graceOf(body);
  const by = isoOf(deadline);
  const { startedAt = Infinity } = outcome ?? {};
  if (startedAt > deadline) return `no ping came by ${by}`;
  return `it started at ${isoOf(startedAt)}, and no ping of its end came by ${by}`;
}

/** The watch with its cursor moved. */
function moved(
  record: Claimed<ScheduleKind>,
  { cursor, missed }: { cursor: number; missed: number | undefined },
) {
  const { state, outcome: before } = unpaused(record);
  const outcome: Outcome<ScheduleKind> =
    missed === undefined
      ? { ...before, cursor }
      : { ...before, cursor, isMissing: true, lastRunAt: missed, lastRunState: "missed" };
  const { nextRunAt, wakeAt } = nextPing(state, record.body, outcome);
  return { state, outcome: { ...outcome, nextRunAt }, wakeAt };
}

function missedNotice(
  { body }: Schedule,
  at: number,
  { zone, language }: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> {
  const { name, target, origin } = body;
  const when = inWords(at, zone, language);
  const message = textsOf(language).reportMissed({ name, when });
  return makeNotification({ message, at: now, atText: "now", target, origin, type: "notice" });
}
