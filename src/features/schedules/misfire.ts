import type { Claimed } from "../../kernel/record.ts";
import type { Outcome } from "../../kernel/shape.ts";
import { firesAfter } from "../../time/cadence.ts";
import { earlierPauseOf, pauseText, type Pause } from "../nodes/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";

type Schedule = Claimed<ScheduleKind>;

/** How a due slot is treated. */
export type SlotDecision =
  | { readonly ends: "skipped" | "missed"; readonly reason: string }
  /** It runs. One of several missed slots waits for its turn. */
  | { readonly wakeAt: number; readonly isOneOfMany: boolean };

const catchUpMax = 100;
const catchUpGapMs = 1_000;
/** The latest slot still runs when it is at most this late, or half its period. */
const lateMsMax = 60 * 60_000;
/** Counts as on time: a takeover by another node takes so long. */
const onTimeMsMax = 60_000;

/** Whether pauses must be read, which may be the reason that it is late. */
export function isLate({ outcome, lease }: Schedule): boolean {
  const nextRunAt = outcome?.nextRunAt ?? Infinity;
  return lease.claimedAt - nextRunAt > onTimeMsMax;
}

/** The decision for each due slot, oldest first, by its lateness and by the pauses. */
export function decisionsOf(
  record: Schedule,
  fires: readonly number[],
  pauses: readonly Pause[] = [],
): readonly SlotDecision[] {
  const { misfire } = record.body;
  const pausedUntil = pausedUntilOf(record);
  const due = fires.filter((at) => at >= pausedUntil);
  const decisions = misfire === "all" ? catchUp(record, due) : latest(record, due, pauses);
  const paused: SlotDecision = { ends: "skipped", reason: "paused" };
  return [...Array.from({ length: fires.length - due.length }, () => paused), ...decisions];
}

/** Slots before this are skipped. */
export function pausedUntilOf(record: Pick<Schedule, "state" | "outcome">): number {
  return record.state === "paused" ? (outcomeOf(record).pausedUntil ?? Infinity) : -Infinity;
}

/** Its state and outcome at its claim: active again when its pause has ended. */
export function unpaused(record: Schedule): {
  state: "active" | "paused";
  outcome: Outcome<ScheduleKind>;
} {
  const before = outcomeOf(record);
  const until = pausedUntilOf(record);
  if (record.lease.claimedAt >= until) {
    return { state: "active", outcome: { ...before, pausedUntil: undefined, reason: null } };
  }
  const pausedUntil = until === Infinity ? undefined : until;
  return { state: "paused", outcome: { ...before, pausedUntil } };
}

function latest(
  record: Schedule,
  due: readonly number[],
  pauses: readonly Pause[],
): readonly SlotDecision[] {
  const now = record.lease.claimedAt;
  const lateMs = record.body.misfire === "none" ? onTimeMsMax : lateMsMax;
  const missed = (at: number, otherwise: string): SlotDecision => {
    const pause = earlierPauseOf(pauses, record, at);
    const paused = pause && `it was due while ${pauseText(pause, "was")}`;
    return { ends: "missed", reason: paused ?? otherwise };
  };
  return due.map((at, index): SlotDecision => {
    if (index < due.length - 1) return missed(at, "a later slot came");
    if (now - at <= Math.min(periodMs(record, at) / 2, lateMs)) {
      return { wakeAt: at, isOneOfMany: false };
    }
    return missed(at, `${Math.round((now - at) / 1_000)} s late`);
  });
}

function catchUp(record: Schedule, due: readonly number[]): readonly SlotDecision[] {
  const now = record.lease.claimedAt;
  const tooMany = Math.max(due.length - catchUpMax, 0);
  const newest = due.at(-1);
  if (newest === undefined) return [];
  const gapMs = Math.min(catchUpGapMs, Math.floor(periodMs(record, newest) / 10));
  return due.map((at, index): SlotDecision => {
    if (index < tooMany) return { ends: "missed", reason: `over ${catchUpMax} to make up for` };
    if (due.length === 1) return { wakeAt: at, isOneOfMany: false };
    return { wakeAt: now + (index - tooMany) * gapMs, isOneOfMany: true };
  });
}

/** The time to the next slot; Infinity when there is none. */
function periodMs({ body }: Schedule, at: number): number {
  const [next = Infinity] = firesAfter(body.cadence, at, 1);
  return next - at;
}
