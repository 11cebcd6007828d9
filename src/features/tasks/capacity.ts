import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Hold } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { runSlot, handlerCapacity } from "./holds.ts";
import { attemptOf, sameAttempt, type TaskKind } from "./kind.ts";
import { emptyOutcome, type TaskOutcome } from "./outcome.ts";

type Task = Claimed<TaskKind>;

/** What is to be done with a task that was claimed. */
export type Start =
  | "run"
  /** It must first have the names that it holds to run. */
  | "turn"
  /** It ran already: only its end is to be written. */
  | "ended"
  /** It waits for an answer or a callback. */
  | "asleep"
  /** The answer or the callback did not come. */
  | "unanswered"
  /** An attempt was cut off, and no other is made. */
  | "interrupted";

/** A run that takes its node down with it each time is not made for ever. */
const lapsesMax = 3;
/** The run that ends wakes the next one; this is the net under that. */
const turnCheckMs = 30_000;
/** A run of another owner wakes nobody. So all check at the same moments, and are claimed in their order. */
const capacityCheckMs = 2_000;
/** What is postponed is claimed again. */
const postponeMs = 10_000;
/** One that is due so soon may be refused its turn before the end of another is written: that must wake it. */
const soonMs = 100;

export function startOf(record: Task, concurrency: number | undefined, now: number): Start {
  const { outcome, state } = record;
  if (outcome?.ended !== undefined && state !== "needs_human") return "ended";
  const until = waitsUntil(record);
  if (until !== undefined) return now < until ? "asleep" : "unanswered";
  // Without its turn it cannot have run: whoever was cut off had done nothing yet.
  if (outcome?.hasTurn !== true && turnsOf(record, concurrency) !== undefined) return "turn";
  return isCutOff(record) ? "interrupted" : "run";
}

/** Until when nothing but an answer or a callback wakes it; undefined: it waits for neither. */
function waitsUntil({ outcome, state }: Task): number | undefined {
  if (state === "needs_human") return outcome?.askedUntil ?? Infinity;
  return outcome?.callback === undefined ? outcome?.awaitsUntil : undefined;
}

function isCutOff(record: Task): boolean {
  const { lapses, body, outcome } = record;
  if (lapses === 0) return false;
  if (lapses > lapsesMax) return true;
  if (outcome?.callback !== undefined) return false; // what it did is done: only its end is read
  if (body.slot !== undefined && body.event === undefined) return !body.slot.rerun;
  return attemptOf(record) > (body.retry?.attempts ?? 1);
}

/** It goes on sleeping. */
export function sleeps(record: Task): Verdict<TaskKind> {
  const outcome = sameAttempt(record, record.outcome ?? emptyOutcome);
  const isAsking = record.state === "needs_human";
  const wakeAt = isAsking ? outcome.askedUntil : outcome.awaitsUntil;
  return {
    state: isAsking ? "needs_human" : "pending",
    outcome,
    freshStart: true,
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
}

/** All names it must hold to run; undefined: none beside those it has. */
function turnsOf(record: Task, concurrency: number | undefined): readonly Hold[] | undefined {
  const { turns, name } = record.body;
  if (turns === undefined && concurrency === undefined) return undefined;
  return [...always(record), ...(concurrency === undefined ? [] : [runSlot(name, concurrency)])];
}

/** Other runs of its schedule are kept from running as long as it has not ended. */
export function blocksOtherRuns(record: Task): boolean {
  return record.body.slot !== undefined && always(record).length > 0;
}

/** The names it has from its turn to its end. */
function always({ body }: Task): readonly Hold[] {
  return body.turns ?? body.keeps ?? [];
}

/** Whether it holds one of the slots for tasks of handlers while it runs. */
export function takesCapacity({ body }: LedgerRecord<TaskKind>): boolean {
  return body.event !== undefined && body.turns?.some((hold) => typeof hold !== "string") === true;
}

/** Whether capacity is all that it waits for. */
export function isInLine(record: LedgerRecord<TaskKind>): boolean {
  const { state, lease, outcome } = record;
  return (
    state === "pending" && lease === null && outcome?.isInLine === true && takesCapacity(record)
  );
}

/** While it waits for its next attempt, another task may use its slot. */
export function holdsWhileWaiting(
  record: Task,
  concurrency: number | undefined,
): { holds?: readonly Hold[]; hasTurn?: boolean } {
  // A handler's task holds its slot only while it runs; a run of a schedule keeps its turn until its end.
  const { event, turns } = record.body;
  if (event !== undefined && turns !== undefined) {
    return { holds: turns.filter((hold) => typeof hold === "string"), hasTurn: false };
  }
  return concurrency === undefined ? {} : { holds: always(record), hasTurn: false };
}

/** Takes its turn; refused as `held` while it is another's. */
export function takesTurn(
  record: Task,
  concurrency: number | undefined,
  facts: Facts,
): Verdict<TaskKind> {
  const { isInLine: _, ...before } = sameAttempt(record, record.outcome ?? emptyOutcome);
  const outcome: TaskOutcome = { ...before, hasTurn: true };
  const holds = turnsOf(record, concurrency) ?? [];
  return { state: "pending", holds, wakeAt: facts.now, freshStart: true, outcome };
}

/** The turn is another's. */
export function awaitsTurn(record: Task, held: string, facts: Facts): Verdict<TaskKind> {
  const { isInLine: _, ...before } = sameAttempt(record, record.outcome ?? emptyOutcome);
  const waits = { state: "pending", freshStart: true } as const;
  const isFull = [runSlot(record.body.name, 1), handlerCapacity(1)].some(({ oneOf }) =>
    oneOf.includes(held),
  );
  if (isFull) {
    const wakeAt = (Math.floor(facts.now / capacityCheckMs) + 1) * capacityCheckMs;
    const outcome: TaskOutcome = { ...before, isInLine: true };
    return { ...waits, wakeAt, outcome, note: "as many as may are running" };
  }
  const wakeAt = facts.now + Math.round(turnCheckMs * (0.5 + facts.jitter / 2));
  return { ...waits, wakeAt, outcome: before, note: "it waits for its turn" };
}

/** It could start, and waits: no attempt is counted. */
export function postponed(record: Task, note: string, facts: Facts): Verdict<TaskKind> {
  const { isInLine: _, ...outcome } = sameAttempt(record, record.outcome ?? emptyOutcome);
  const wakeAt = facts.now + Math.round(postponeMs * (0.5 + facts.jitter / 2));
  return { state: "pending", wakeAt, freshStart: true, outcome, note };
}

/** It waits for its turn until another of its schedule ends. */
export function awaitsEnd(task: LedgerRecord<TaskKind>, now: number): boolean {
  const { body, outcome, state } = task;
  if (state !== "pending" || body.turns === undefined || outcome?.hasTurn === true) return false;
  return body.at <= now && !isNotDueYet(task, now);
}

/** Nobody has looked at it yet, and its own time lies ahead: what is made up for comes at a distance. */
function isNotDueYet({ outcome, lease, readyAt }: LedgerRecord<TaskKind>, now: number): boolean {
  return outcome === null && lease === null && (readyAt ?? now) > now + soonMs;
}
