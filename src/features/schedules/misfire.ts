import type { Claimed } from "../../kernel/record.ts";
import type { Outcome } from "../../kernel/shape.ts";
import { firesAfter } from "../../time/cadence.ts";
import { restedRecord, restText, type Pause } from "../nodes/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";

type Schedule = Claimed<ScheduleKind>;

/** What becomes of a slot that came. */
export type SlotDecision =
  | { readonly ends: "skipped" | "missed"; readonly reason: string }
  /** It runs; one of many that are made up for waits for its turn. */
  | { readonly wakeAt: number; readonly isOneOfMany: boolean };

const catchUpMax = 100;
const catchUpGapMs = 1_000;
/** The latest slot still runs when it is this late at most, or half its period. */
const lateMsMax = 60 * 60_000;
/** What passes for on time when nothing late is to run: a takeover takes so long. */
const onTimeMsMax = 60_000;

/** Whether it must be known what rested meanwhile. */
export function isLate({ outcome, lease }: Schedule): boolean {
  const nextRunAt = outcome?.nextRunAt ?? Infinity;
  return lease.claimedAt - nextRunAt > onTimeMsMax;
}

/**
 * Of all slots that came, oldest first, which run: by how late it is, and whether it is paused. One that is missed
 * because much rested at once says so.
 */
export function decisionsOf(
  record: Schedule,
  fires: readonly number[],
  pauses: readonly Pause[] = [],
): readonly SlotDecision[] {
  const { misfire } = record.body;
  const pausedUntil = pausedUntilOf(record);
  const due = fires.filter((at) => at >= pausedUntil);
  const fates = misfire === "all" ? catchUp(record, due) : latest(record, due, pauses);
  const paused: SlotDecision = { ends: "skipped", reason: "paused" };
  return [...Array.from({ length: fires.length - due.length }, () => paused), ...fates];
}

/** Slots before this are passed over. */
export function pausedUntilOf(record: Pick<Schedule, "state" | "outcome">): number {
  return record.state === "paused" ? (outcomeOf(record).pausedUntil ?? Infinity) : -Infinity;
}

/** As it stands at its claim: active again when its pause is over. */
export function unpaused(record: Schedule): {
  state: "active" | "paused";
  outcome: Outcome<ScheduleKind>;
} {
  const { pausedUntil: _, ...before } = outcomeOf(record);
  const until = pausedUntilOf(record);
  if (record.lease.claimedAt >= until) {
    return { state: "active", outcome: { ...before, reason: null } };
  }
  const outcome = until === Infinity ? before : { ...before, pausedUntil: until };
  return { state: "paused", outcome };
}

function latest(
  record: Schedule,
  due: readonly number[],
  pauses: readonly Pause[],
): readonly SlotDecision[] {
  const now = record.lease.claimedAt;
  const lateMs = record.body.misfire === "none" ? onTimeMsMax : lateMsMax;
  const missed = (at: number, otherwise: string): SlotDecision => {
    const pause = restedRecord(pauses, record, at);
    const rested = pause && `it came while ${restText(pause, "rested")}`;
    return { ends: "missed", reason: rested ?? otherwise };
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

/** How long until the next one; for ever when there is none. */
function periodMs({ body }: Schedule, at: number): number {
  const [next = Infinity] = firesAfter(body.cadence, at, 1);
  return next - at;
}
