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

/** The facts that decide slots, beside the schedule's own record. */
export interface SlotFacts {
  /** Its runs that have not ended; undefined: they were not read. */
  readonly live: readonly string[] | undefined;
  /** Names that other records hold. */
  readonly held: readonly string[];
  /** The zone of its days, if its cadence has none. */
  readonly zone: string;
  /** The newest pauses, also ended ones; absent: it is not late, so they were not read. */
  readonly pauses?: readonly Pause[] | undefined;
  /** Names for the tasks of a handler's schedule, and for the first messages of their threads. */
  readonly labels?: readonly Labels[] | undefined;
}

/** The last run's settle ends its schedule; these rechecks are the fallback. */
const endBackoff: Backoff = { firstMs: 60_000, factor: 2, maxMs: 6 * 60 * 60_000 };

/** The most tasks of a handler that will run, and so need names. */
export function labelsNeeded(record: Schedule): number {
  if (record.body.event === undefined || record.state === "disabled") return 0;
  const { cursor, undecided } = outcomeOf(record);
  if (undecided !== undefined) return 0;
  const { fires } = dueSlots(record.body.cadence, cursor, record.lease.claimedAt);
  return decisionsOf(record, fires).filter((decision) => !("ends" in decision)).length;
}

/** Whether its live runs must be read: to cancel them, or to know whether it has ended. */
export function needsRuns({ body, lease }: Schedule): boolean {
  return body.overlap === "cancel" || firesAfter(body.cadence, lease.claimedAt, 1).length === 0;
}

/**
 * Every slot up to the claim, by the store's clock, becomes a row in the unit that moves the cursor past it. Cadence and
 * cursor alone determine the slots; lateness only determines whether they run.
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
  // It was edited after its facts were read.
  if (needsRuns(record) && seen.live === undefined) return { state, wakeAt: facts.now };
  return decideDue(record, facts, seen);
}

function decideDue(record: Schedule, facts: Facts, seen: SlotFacts): Verdict<ScheduleKind> {
  const { body, lease } = record;
  const now = lease.claimedAt;
  const { cursor } = outcomeOf(record);
  const due = dueSlots(body.cadence, cursor, now);
  const { rows, starts, runs, spent } = rowsOf(record, due, { seen, now: facts.now });
  const next = moved(record, Math.max(cursor, due.cutAt ?? now), spent);
  const live = seen.live ?? [];
  const consequences: Consequences = {
    append: [...rows, ...starts],
    cancel: body.overlap === "cancel" && runs > 0 ? live.map(cancelled) : undefined,
  };
  const wakeAt = due.cutAt === undefined ? next.wakeAt : facts.now;
  if (wakeAt !== null) return { ...next, consequences, wakeAt, freshStart: true };
  if (runs === 0 && live.length === 0) {
    return { ends: "completed", outcome: next.outcome, consequences };
  }
  // Its last run ends it. That run may have ended while this was decided, so it is rechecked.
  const waitMs = backoffMs(endBackoff, record.attempt, facts.jitter);
  return { ...next, consequences, wakeAt: facts.now + waitMs };
}

function cancelled(id: string): { id: string; reason: string } {
  return { id, reason: "a newer slot came" };
}

/** The schedule with its cursor moved. */
function moved(record: Schedule, cursor: number, spent: Spent | undefined) {
  const { state, outcome: before } = unpaused(record);
  const outcome: Outcome<ScheduleKind> = { ...before, cursor, spent: spent ?? before.spent };
  const { nextRunAt, wakeAt } = nextFire(state, record.body.cadence, outcome);
  return { state, outcome: { ...outcome, nextRunAt }, wakeAt };
}

interface Rows {
  rows: readonly DraftOf<TaskKind>[];
  /** The first messages of the threads of a handler's tasks. */
  starts: readonly DraftOf<NotificationKind>[];
  /** How many of the rows run. */
  runs: number;
  spent: Spent | undefined;
}

function rowsOf(
  record: Schedule,
  { fires, first, before }: DueSlots,
  { seen, now }: { seen: SlotFacts; now: number },
): Rows {
  const rows = before === undefined ? [] : [passedTogether(record, before, superseded(record))];
  const decisions = decisionsOf(record, fires, seen.pauses);
  const { budget } = record.body;
  let spent = budget && spentOn(record, record.lease.claimedAt, seen.zone);
  const starts: DraftOf<NotificationKind>[] = [];
  let runs = 0;
  for (const [index, at] of first.entries()) {
    const run = runOf(record, at, decisions[index], seen);
    const isOverBudget = run.ends === undefined && isSpent(record, spent);
    const isRun = run.ends === undefined && !isOverBudget;
    const labels = isRun ? seen.labels?.[runs] : undefined;
    const row = slotTask(record, isOverBudget ? skipped(record, at, "budget") : { ...run, labels });
    rows.push(row);
    if (labels !== undefined) starts.push(...slotStart(row, labels, now));
    if (!isRun) continue;
    runs += 1;
    if (spent !== undefined) spent = { ...spent, runs: spent.runs + 1 };
  }
  return { rows, starts, runs, spent };
}

function superseded(record: Schedule): PassedSlots {
  const pausedUntil = pausedUntilOf(record);
  return { pausedUntil, decidedAt: record.lease.claimedAt, reasonFor: () => "a later slot came" };
}

function runOf(
  record: Schedule,
  at: number,
  decision: SlotDecision | undefined,
  seen: SlotFacts,
): Run {
  if (decision === undefined) return missed(record, at, "it was not decided");
  if ("ends" in decision) {
    return decision.ends === "missed"
      ? missed(record, at, decision.reason)
      : skipped(record, at, decision.reason);
  }
  const { id, body } = record;
  const run: Run = { ...slot(record, at), wakeAt: decision.wakeAt };
  if (body.overlap === "allow") return run;
  if (decision.isOneOfMany || body.overlap === "cancel") return { ...run, turns: [runHold(id)] };
  const isQueue = body.overlap === "queue";
  const hold = isQueue ? queuedHold(id) : runHold(id);
  if (seen.held.includes(hold)) return skipped(record, at, "overlap");
  return { ...run, holds: [hold], turns: isQueue ? [runHold(id)] : undefined };
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
