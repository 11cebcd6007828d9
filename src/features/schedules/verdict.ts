import type { Claimed } from "../../kernel/record.ts";
import type { Live, Outcome } from "../../kernel/shape.ts";
import type { DraftOf, Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { firesAfter } from "../../time/cadence.ts";
import type { Pause } from "../nodes/index.ts";
import type { NotificationKind } from "../notifications/index.ts";
import type { TaskKind } from "../tasks/index.ts";
import { decideBacklog } from "./backlog.ts";
import { isSpent, spentOn, type Spent } from "./budget.ts";
import { type DueSlots, dueSlots } from "./due-slots.ts";
import { slotStart, type Labels } from "./handler-slot.ts";
import { queuedHold, runHold } from "./holds.ts";
import type { ScheduleKind } from "./kind.ts";
import { type SlotDecision, decisionsOf, pausedUntilOf, unpaused } from "./misfire.ts";
import { nextFire, outcomeOf } from "./next-fire.ts";
import { type PassedSlots, passedTogether, type Run, slotKey, slotTask } from "./slot.ts";

type Schedule = Claimed<ScheduleKind>;

/** What must be known beside the schedule to decide its slots. */
export interface SlotFacts {
  /** Its runs that have not ended; undefined: nobody looked. */
  readonly live: readonly string[] | undefined;
  /** Names that another record has. */
  readonly held: readonly string[];
  /** Where its days begin, when the cadence does not say. */
  readonly zone: string;
  /** What rested at once, also what does not any more; absent: it is not late, and nobody looked. */
  readonly pauses?: readonly Pause[];
  /** Names for the tasks of a handler's, and for what begins their threads. */
  readonly labels?: readonly Labels[];
}

/** The net under its last run's own settle. */
const overBackoff: Backoff = { firstMs: 60_000, factor: 2, maxMs: 6 * 60 * 60_000 };

/** For how many tasks names are needed at most: those of a handler that are to run. */
export function labelsNeeded(record: Schedule): number {
  if (record.body.event === undefined || record.state === "disabled") return 0;
  const { cursor, undecided } = outcomeOf(record);
  if (undecided !== undefined) return 0;
  const { fires } = dueSlots(record.body.cadence, cursor, record.lease.claimedAt);
  return decisionsOf(record, fires).filter((fate) => !("ends" in fate)).length;
}

/** Whether the runs that have not ended must be known: to cancel them, or to tell that all is over. */
export function needsRuns({ body, lease }: Schedule): boolean {
  return body.overlap === "cancel" || firesAfter(body.cadence, lease.claimedAt, 1).length === 0;
}

/**
 * Every slot up to the claim, by the store's clock, becomes a row in the unit that moves the cursor past it.
 * Which slots there are is a matter of cadence and cursor alone; lateness only says what becomes of them.
 */
export function decideSlots(
  record: Schedule,
  facts: Facts,
  seen: SlotFacts,
): Verdict<ScheduleKind> {
  const state = record.state as Live<ScheduleKind>;
  if (record.cancelling) return { ends: "cancelled" };
  const backlog = decideBacklog(record, facts);
  if (backlog !== undefined) return backlog;
  if (state === "disabled") return { state, freshStart: true };
  // It was edited after somebody looked.
  if (needsRuns(record) && seen.live === undefined) return { state, wakeAt: facts.now };
  return decideDue(record, facts, seen);
}

function decideDue(record: Schedule, facts: Facts, seen: SlotFacts): Verdict<ScheduleKind> {
  const { body, lease } = record;
  const now = lease.claimedAt;
  const { cursor } = outcomeOf(record);
  const came = dueSlots(body.cadence, cursor, now);
  const { rows, starts, runs, spent } = rowsOf(record, came, { seen, now: facts.now });
  const left = leave(record, Math.max(cursor, came.cutAt ?? now), spent);
  const live = seen.live ?? [];
  const consequences: Consequences = {
    append: [...rows, ...starts],
    ...(body.overlap === "cancel" && runs > 0 ? { cancel: live.map(cancelled) } : {}),
  };
  if (came.cutAt !== undefined) {
    return { ...left, consequences: consequences, wakeAt: facts.now, freshStart: true };
  }
  if (left.wakeAt !== null)
    return { ...left, consequences: consequences, wakeAt: left.wakeAt, freshStart: true };
  if (runs === 0 && live.length === 0)
    return { ends: "completed", outcome: left.outcome, consequences: consequences };
  // Its last run ends it. In case that one ended while this was decided, somebody looks again.
  const waitMs = backoffMs(overBackoff, record.attempt, facts.jitter);
  return { ...left, consequences: consequences, wakeAt: facts.now + waitMs };
}

function cancelled(id: string): { id: string; reason: string } {
  return { id, reason: "a newer slot came" };
}

interface Left {
  state: Live<ScheduleKind>;
  outcome: Outcome<ScheduleKind>;
  wakeAt: number | null;
}

/** The schedule with its cursor moved. */
function leave(record: Schedule, cursor: number, spent: Spent | undefined): Left {
  const { state, outcome: before } = unpaused(record);
  const outcome = { ...before, cursor, ...(spent === undefined ? {} : { spent }) };
  const { nextRunAt, wakeAt } = nextFire(state, record.body.cadence, outcome);
  return { state, outcome: { ...outcome, nextRunAt }, wakeAt };
}

interface Rows {
  rows: readonly DraftOf<TaskKind>[];
  /** What begins the threads of a handler's. */
  starts: readonly DraftOf<NotificationKind>[];
  /** How many of them are to run. */
  runs: number;
  spent: Spent | undefined;
}

function rowsOf(
  record: Schedule,
  { fires, first, before }: DueSlots,
  { seen, now }: { seen: SlotFacts; now: number },
): Rows {
  const rows = before === undefined ? [] : [passedTogether(record, before, longAgo(record))];
  const fates = decisionsOf(record, fires, seen.pauses);
  const { budget } = record.body;
  let spent = budget && spentOn(record, record.lease.claimedAt, seen.zone);
  const starts: DraftOf<NotificationKind>[] = [];
  let runs = 0;
  for (const [index, at] of first.entries()) {
    const run = runOf(record, at, fates[index], seen);
    const isTooMuch = run.ends === undefined && isSpent(record, spent);
    const isRun = run.ends === undefined && !isTooMuch;
    const labels = isRun ? seen.labels?.[runs] : undefined;
    const named = labels === undefined ? run : { ...run, labels };
    const row = slotTask(record, isTooMuch ? skipped(record, at, "budget") : named);
    rows.push(row);
    if (labels !== undefined) starts.push(...slotStart(row, labels, now));
    if (!isRun) continue;
    runs += 1;
    if (spent !== undefined) spent = { ...spent, runs: spent.runs + 1 };
  }
  return { rows, starts, runs, spent };
}

function longAgo(record: Schedule): PassedSlots {
  const pausedUntil = pausedUntilOf(record);
  return { pausedUntil, decidedAt: record.lease.claimedAt, reasonFor: () => "a later slot came" };
}

function runOf(record: Schedule, at: number, fate: SlotDecision | undefined, seen: SlotFacts): Run {
  if (fate === undefined) return missed(record, at, "it was not decided");
  if ("ends" in fate) {
    return fate.ends === "missed"
      ? missed(record, at, fate.reason)
      : skipped(record, at, fate.reason);
  }
  const { id, body } = record;
  const run: Run = { ...slot(record, at), wakeAt: fate.wakeAt };
  if (body.overlap === "allow") return run;
  if (fate.isOneOfMany || body.overlap === "cancel") return { ...run, turns: [runHold(id)] };
  const isQueue = body.overlap === "queue";
  const hold = isQueue ? queuedHold(id) : runHold(id);
  if (seen.held.includes(hold)) return skipped(record, at, "overlap");
  return { ...run, holds: [hold], ...(isQueue ? { turns: [runHold(id)] } : {}) };
}

function slot({ id }: Schedule, at: number): Run {
  return { at, because: "cadence", key: slotKey(id, at) };
}

function missed(record: Schedule, at: number, reason: string): Run {
  return { ...slot(record, at), ends: { state: "missed", reason, at: record.lease.claimedAt } };
}

function skipped(record: Schedule, at: number, reason: string): Run {
  return { ...slot(record, at), ends: { state: "skipped", reason, at: record.lease.claimedAt } };
}

/** What was used of this local day's budget; undefined when there is none. */
