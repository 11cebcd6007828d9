import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body, Live, Outcome, State } from "../../kernel/shape.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Cadence, firesAfter } from "../../time/cadence.ts";
import type { ScheduleKind } from "./kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;
type Seen = Outcome<ScheduleKind>;

/** When it runs next, and when somebody must look: also while paused, for each slot is a row. */
export function nextFire(
  state: State<ScheduleKind>,
  cadence: Cadence,
  seen: Pick<Seen, "cursor" | "pausedUntil" | "undecided">,
): { nextRunAt: number | null; wakeAt: number | null } {
  const { cursor, pausedUntil } = seen;
  const atOnce = seen.undecided === undefined ? {} : { wakeAt: cursor };
  if (state !== "active" && state !== "paused") return { nextRunAt: null, wakeAt: null, ...atOnce };
  const fireAfter = (after: number): number | null => firesAfter(cadence, after, 1)[0] ?? null;
  const fire = fireAfter(cursor);
  if (state === "active") return { nextRunAt: fire, wakeAt: fire, ...atOnce };
  if (pausedUntil === undefined) return { nextRunAt: null, wakeAt: fire, ...atOnce };
  return {
    nextRunAt: fireAfter(Math.max(cursor, pausedUntil - 1)),
    wakeAt: Math.min(fire ?? Infinity, pausedUntil),
    ...atOnce,
  };
}

export function outcomeOf({ outcome }: Pick<Schedule, "outcome">): Seen {
  if (outcome !== null) return outcome;
  throw new DaybookError("bug", "A schedule without a cursor: it was not made by makeSchedule.");
}

/** The edit that leaves a record aimed at its next slot. */
export function rescheduled(
  { state, outcome }: Pick<Schedule, "state" | "outcome">,
  cadence: Cadence,
  changes: Partial<Seen> = {},
): { state: Live<ScheduleKind>; outcome: Seen; wakeAt: number | null } {
  const next = { ...outcomeOf({ outcome }), ...changes };
  const { nextRunAt, wakeAt } = nextFire(state, cadence, next);
  return { state: state as Live<ScheduleKind>, outcome: { ...next, nextRunAt }, wakeAt };
}

/** The cursor never goes back, whatever a clock says. */
export function laterOf(record: Schedule, now: number): number {
  return Math.max(outcomeOf(record).cursor, now);
}

/** Its times as they stand now: pings that come at an interval count from the last one. */
export function cadenceOf({ cadence, run }: Body<ScheduleKind>, cursor: number): Cadence {
  return cadence.type === "interval" && "ping" in run ? { ...cadence, anchor: cursor } : cadence;
}

/** When it runs next; none while it does not run. */
export function nextFires(record: Schedule, now: number, count: number): readonly number[] {
  const { pausedUntil = Infinity, cursor } = outcomeOf(record);
  const cadence = cadenceOf(record.body, cursor);
  if (record.state === "active") return firesAfter(cadence, laterOf(record, now), count);
  if (record.state !== "paused" || pausedUntil === Infinity) return [];
  return firesAfter(cadence, Math.max(laterOf(record, now), pausedUntil - 1), count);
}
