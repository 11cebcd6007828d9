import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Body, Live, Outcome, State } from "../../kernel/shape.ts";
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
import { type DueSlots, dueSlots, unitMax } from "./due-slots.ts";
import { type ScheduleKind } from "./kind.ts";
import { makeSchedule } from "./make-schedule.ts";
import { pausedUntilOf, unpaused } from "./misfire.ts";
import { outcomeOf, cadenceOf } from "./next-fire.ts";
import { passedTasks } from "./slot.ts";
import { textsOf } from "./texts.ts";

type Schedule = LedgerRecord<ScheduleKind>;
type Seen = Outcome<ScheduleKind>;

/** A schedule that nothing runs here: somebody elsewhere says that it ran, and is missed if not. */
export function isWatch({ body }: Pick<Schedule, "body">): boolean {
  return "ping" in body.run;
}

/** Every watch is made here. */
export function makeWatch(
  body: Body<ScheduleKind>,
  facts: Parameters<typeof makeSchedule>[1],
): DraftOf<ScheduleKind> {
  const { outcome, ...draft } = makeSchedule(body, facts);
  if (outcome === undefined || !("state" in draft)) return draft;
  const { wakeAt, nextRunAt } = nextPing("active", body, outcome);
  const placed = wakeAt === null ? {} : { wakeAt };
  return { ...draft, outcome: { ...outcome, nextRunAt }, ...placed };
}

/** When the next ping is expected, and when somebody must look whether it came: also while paused. */
export function nextPing(
  state: State<ScheduleKind>,
  body: Body<ScheduleKind>,
  { cursor, pausedUntil, undecided }: Pick<Seen, "cursor" | "pausedUntil" | "undecided">,
): { nextRunAt: number | null; wakeAt: number | null } {
  if (state !== "active" && state !== "paused") return { nextRunAt: null, wakeAt: null };
  const [expected = null] = firesAfter(cadenceOf(body, cursor), cursor, 1);
  const inTime = expected === null ? null : expected + graceOf(body);
  const deadline = undecided === undefined ? inTime : cursor;
  if (state === "active") return { nextRunAt: expected, wakeAt: deadline };
  if (pausedUntil === undefined) return { nextRunAt: null, wakeAt: deadline };
  return { nextRunAt: expected, wakeAt: Math.min(deadline ?? Infinity, pausedUntil) };
}

function graceOf({ run }: Body<ScheduleKind>): number {
  return "ping" in run ? run.graceMs : 0;
}

/** Every ping that was expected and did not come becomes a row; the owner is told of the first. */
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
  const came = overdueAt(record, claimedAt);
  const last = came.first.at(-1);
  const missed = last !== undefined && last >= pausedUntilOf(record) ? last : undefined;
  const rows = rowsOf(record, came, claimedAt);
  const left = leave(record, { cursor: last ?? cursor, missed });
  const isNews = missed !== undefined && isMissing !== true;
  const notices = isNews ? [missedNotice(record, missed, reader, facts)] : [];
  const wakeAt = came.cutAt === undefined ? left.wakeAt : facts.now;
  return {
    state: left.state,
    outcome: left.outcome,
    consequences: { append: [...rows, ...notices] },
    freshStart: true,
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

/** Rows for what did not come before a late ping, and nobody has decided: as many as its unit takes. */
export function missedBefore(record: Schedule, now: number): readonly DraftOf<TaskKind>[] {
  if (record.state === "disabled") return [];
  // One at the very end of its grace is in time.
  return rowsOf(record, overdueAt(record, now - 1, unitMax), now);
}

/** Pings whose grace was over by then. */
function overdueAt(record: Schedule, now: number, rowsMax?: number): DueSlots {
  const { cursor } = outcomeOf(record);
  const { body } = record;
  return dueSlots(cadenceOf(body, cursor), cursor, now - graceOf(body), rowsMax);
}

function rowsOf(record: Schedule, came: DueSlots, decidedAt: number): readonly DraftOf<TaskKind>[] {
  return passedTasks(record, came, {
    pausedUntil: pausedUntilOf(record),
    decidedAt,
    reasonFor: (at) => reasonOf(record, at),
    wordsFor: (count, span) => `${count} pings ${span} did not come`,
  });
}

function reasonOf({ body, outcome }: Schedule, at: number): string {
  const deadline = at + graceOf(body);
  const by = isoOf(deadline);
  const { startedAt = Infinity } = outcome ?? {};
  if (startedAt > deadline) return `no ping came by ${by}`;
  return `it began at ${isoOf(startedAt)}, and did not say by ${by} that it ended`;
}

interface Left {
  state: Live<ScheduleKind>;
  outcome: Seen;
  wakeAt: number | null;
}

/** The watch with its cursor moved. */
function leave(
  record: Claimed<ScheduleKind>,
  { cursor, missed }: { cursor: number; missed: number | undefined },
): Left {
  const { state, outcome } = unpaused(record);
  const seen: Seen = {
    ...outcome,
    cursor,
    ...(missed === undefined
      ? {}
      : { isMissing: true, lastRunAt: missed, lastRunState: "missed" as const }),
  };
  const { nextRunAt, wakeAt } = nextPing(state, record.body, seen);
  return { state, outcome: { ...seen, nextRunAt }, wakeAt };
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
