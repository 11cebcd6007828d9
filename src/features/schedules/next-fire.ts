import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body, Live, Outcome, State } from "../../kernel/shape.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Cadence, firesAfter } from "../../time/cadence.ts";
import type { ScheduleKind } from "./kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;
type ScheduleOutcome = Outcome<ScheduleKind>;

/** When it runs next, and when its controller is due: also while paused, because each slot gets a row. */
export function nextFire(
  state: State<ScheduleKind>,
  cadence: Cadence,
  outcome: Pick<ScheduleOutcome, "cursor" | "pausedUntil" | "undecided">,
): { nextRunAt: number | null; wakeAt: number | null } {
  const { cursor, pausedUntil } = outcome;
  // Undecided slots are due at once.
  const wakesAt = (at: number | null): number | null => (outcome.undecided ? cursor : at);
  if (state !== "active" && state !== "paused") return { nextRunAt: null, wakeAt: wakesAt(null) };
  const fireAfter = (after: number): number | null => firesAfter(cadence, after, 1)[0] ?? null;
  const fire = fireAfter(cursor);
  if (state === "active") return { nextRunAt: fire, wakeAt: wakesAt(fire) };
  if (pausedUntil === undefined) return { nextRunAt: null, wakeAt: wakesAt(fire) };
  return {
    nextRunAt: fireAfter(Math.max(cursor, pausedUntil - 1)),
    wakeAt: wakesAt(Math.min(fire ?? Infinity, pausedUntil)),
  };
}

export function outcomeOf({ outcome }: Pick<Schedule, "outcome">): ScheduleOutcome {
  if (outcome !== null) return outcome;
  throw new DaybookError("bug", "This schedule has no cursor: create it with makeSchedule.");
}

/** The part of an edit that moves a schedule to its next slot. */
export function rescheduled(
  { state, outcome }: Pick<Schedule, "state" | "outcome">,
  cadence: Cadence,
  changes: Partial<ScheduleOutcome> = {},
): { state: Live<ScheduleKind>; outcome: ScheduleOutcome; wakeAt: number | null } {
  const next = { ...outcomeOf({ outcome }), ...changes };
  const { nextRunAt, wakeAt } = nextFire(state, cadence, next);
  return { state: state as Live<ScheduleKind>, outcome: { ...next, nextRunAt }, wakeAt };
}

/** The cursor never goes back, even if a clock does. */
export function laterOf(record: Schedule, now: number): number {
  return Math.max(outcomeOf(record).cursor, now);
}

/** Its current cadence: the interval of a watch is counted from the last ping. */
export function cadenceOf({ cadence, run }: Body<ScheduleKind>, cursor: number): Cadence {
  return cadence.type === "interval" && "ping" in run ? { ...cadence, anchor: cursor } : cadence;
}

/** Its next runs; none while it does not run. */
export function nextFires(record: Schedule, now: number, count: number): readonly number[] {
  const { pausedUntil = Infinity, cursor } = outcomeOf(record);
  const cadence = cadenceOf(record.body, cursor);
  if (record.state === "active") return firesAfter(cadence, laterOf(record, now), count);
  if (record.state !== "paused" || pausedUntil === Infinity) return [];
  return firesAfter(cadence, Math.max(laterOf(record, now), pausedUntil - 1), count);
}
