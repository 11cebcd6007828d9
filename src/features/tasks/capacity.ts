import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Hold } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { runSlot, handlerCapacity } from "./holds.ts";
import { attemptOf, sameAttempt, type TaskKind } from "./kind.ts";
import { emptyOutcome, type TaskOutcome } from "./outcome.ts";
import { permitOf, windowEnd } from "./rate.ts";

type Task = Claimed<TaskKind>;

/** The next step of a claimed task. */
export type NextStep =
  | "run"
  /** It must first hold all the names that it needs. */
  | "turn"
  /** It ran already: only its end must be written. */
  | "ended"
  /** It waits for an answer or a callback. */
  | "asleep"
  /** The answer or the callback did not come in time. */
  | "unanswered"
  /** An attempt was cut off by a crash, and is not retried. */
  | "interrupted";

/** A run that crashes its node each time is given up after so many lapsed leases. */
const lapsesMax = 3;
/** The run that ends wakes the next one. This check catches a lost wake. */
const turnCheckMs = 30_000;
/** A run of another owner wakes none of them. They all check at the same moments, so that they are claimed in order. */
const capacityCheckMs = 2_000;
/** When a postponed task is claimed again. */
const postponeMs = 10_000;
/** A task that is due so soon may be refused its turn before the other run has settled, which must wake it then. */
const soonMs = 100;

export function nextStep(record: Task, concurrency: number | undefined, now: number): NextStep {
  const { outcome, state } = record;
  if (outcome?.ended !== undefined && state !== "needs_human") return "ended";
  const until = waitsUntil(record);
  if (until !== undefined) return now < until ? "asleep" : "unanswered";
  // Without its turn it cannot have run: an attempt that was cut off had done nothing yet.
  const needsTurn = record.body.rate !== undefined || turnsOf(record, concurrency) !== undefined;
  if (outcome?.hasTurn !== true && needsTurn) return "turn";
  return isCutOff(record) ? "interrupted" : "run";
}

/** Until when only an answer or a callback wakes it; undefined: it waits for neither. */
function waitsUntil({ outcome, state }: Task): number | undefined {
  if (state === "needs_human") return outcome?.askedUntil ?? Infinity;
  return outcome?.callback === undefined ? outcome?.awaitsUntil : undefined;
}

function isCutOff(record: Task): boolean {
  const { lapses, body, outcome } = record;
  if (lapses === 0) return false;
  if (lapses > lapsesMax) return true;
  if (outcome?.callback !== undefined) return false; // its work is done: only the end must be read
  if (body.slot !== undefined && body.event === undefined) return !body.slot.rerun;
  return attemptOf(record) > (body.retry?.attempts ?? 1);
}

/** The verdict of a task that still waits for its answer or callback. */
export function sleepAgain(record: Task): Verdict<TaskKind> {
  const outcome = sameAttempt(record, record.outcome ?? emptyOutcome);
  const same = { outcome, freshStart: true } as const;
  return record.state === "needs_human"
    ? { ...same, state: "needs_human", wakeAt: outcome.askedUntil }
    : { ...same, state: "pending", wakeAt: outcome.awaitsUntil };
}

/** All names that it must hold to run; undefined: none but those that it holds already. */
function turnsOf(record: Task, concurrency: number | undefined): readonly Hold[] | undefined {
  const { turns, name } = record.body;
  if (turns === undefined && concurrency === undefined) return undefined;
  return [...ownHolds(record), ...(concurrency === undefined ? [] : [runSlot(name, concurrency)])];
}

/** Whether other runs of its schedule wait until it ends. */
export function blocksOtherRuns(record: Task): boolean {
  return record.body.slot !== undefined && ownHolds(record).length > 0;
}

/** The names that it holds from its turn to its end. */
function ownHolds({ body }: Task): readonly Hold[] {
  return body.turns ?? body.keeps ?? [];
}

/** Whether it needs one of the slots for tasks of handlers while it runs. */
export function takesCapacity({ body }: LedgerRecord<TaskKind>): boolean {
  return body.event !== undefined && body.turns?.some((hold) => typeof hold !== "string") === true;
}

/** Whether it waits for capacity and nothing else. */
export function isInLine(record: LedgerRecord<TaskKind>): boolean {
  const { state, lease, outcome } = record;
  return (
    state === "pending" && lease === null && outcome?.isInLine === true && takesCapacity(record)
  );
}

/** What it holds between two attempts: another task may use its slot meanwhile. */
export function holdsWhileWaiting(
  record: Task,
  concurrency: number | undefined,
): { holds?: readonly Hold[]; hasTurn?: boolean } {
  // A handler's task holds its slot only while it runs; a run of a schedule keeps its turn until its end.
  const { event, turns, rate } = record.body;
  if (event !== undefined && turns !== undefined) {
    return { holds: turns.filter((hold) => typeof hold === "string"), hasTurn: false };
  }
  if (concurrency !== undefined) return { holds: ownHolds(record), hasTurn: false };
  return rate === undefined ? {} : { hasTurn: false }; // each start counts
}

/** The outcome without what it waited for before. */
function outcomeToWait(record: Task): TaskOutcome {
  const {
    isInLine: _line,
    rateUntil: _rate,
    ...outcome
  } = sameAttempt(record, record.outcome ?? emptyOutcome);
  return outcome;
}

/** Takes the turn. Refused as `held` while another record holds one of the names. */
export function takeTurn(
  record: Task,
  concurrency: number | undefined,
  facts: Facts,
): Verdict<TaskKind> {
  const outcome: TaskOutcome = { ...outcomeToWait(record), hasTurn: true };
  const holds = turnsOf(record, concurrency) ?? ownHolds(record);
  const { rate } = record.body;
  const append = rate === undefined ? [] : [permitOf(rate, facts.now)];
  const turn = { state: "pending", holds, wakeAt: facts.now, freshStart: true, outcome } as const;
  return append.length === 0 ? turn : { ...turn, consequences: { append } };
}

/** Waits because another record holds a name that it needs. */
export function waitForTurn(record: Task, held: string, facts: Facts): Verdict<TaskKind> {
  const before = outcomeToWait(record);
  const same = { state: "pending", freshStart: true } as const;
  const rateUntil = windowEnd(held);
  if (rateUntil !== undefined) {
    const note = `rate limit of ${record.body.rate?.name ?? record.body.name} until ${isoOf(rateUntil)}`;
    return { ...same, wakeAt: rateUntil, outcome: { ...before, rateUntil }, note };
  }
  const isFull = [runSlot(record.body.name, 1), handlerCapacity(1)].some(({ oneOf }) =>
    oneOf.includes(held),
  );
  if (isFull) {
    const wakeAt = (Math.floor(facts.now / capacityCheckMs) + 1) * capacityCheckMs;
    const outcome: TaskOutcome = { ...before, isInLine: true };
    return { ...same, wakeAt, outcome, note: "as many as may are running" };
  }
  const wakeAt = facts.now + Math.round(turnCheckMs * (0.5 + facts.jitter / 2));
  return { ...same, wakeAt, outcome: before, note: "it waits for its turn" };
}

/** Waits a few seconds although it could start. No attempt is counted. */
export function postpone(record: Task, note: string, facts: Facts): Verdict<TaskKind> {
  const outcome = outcomeToWait(record);
  const wakeAt = facts.now + Math.round(postponeMs * (0.5 + facts.jitter / 2));
  return { state: "pending", wakeAt, freshStart: true, outcome, note };
}

/** Whether it waits until another run of its schedule ends. */
export function waitsForEnd(task: LedgerRecord<TaskKind>, now: number): boolean {
  const { body, outcome, state } = task;
  if (state !== "pending" || body.turns === undefined || outcome?.hasTurn === true) return false;
  return body.at <= now && !isNotDueYet(task, now);
}

/** It was never claimed and its own time is ahead, as in a backfill, whose runs are spaced out. */
function isNotDueYet({ outcome, lease, readyAt }: LedgerRecord<TaskKind>, now: number): boolean {
  return outcome === null && lease === null && (readyAt ?? now) > now + soonMs;
}
