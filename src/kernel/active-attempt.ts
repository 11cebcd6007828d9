import type { Clock } from "../platform/clock.ts";
import type { Claimed } from "./record.ts";

/** Why an act was told to stop. */
export type AbortReason = "lease lost" | "cancelled" | "stopping";

/** One record at work. */
export interface AtWork {
  readonly record: Claimed;
  readonly signal: AbortSignal;
  abort(reason: AbortReason): void;
  /** The lease is trusted while neither clock has passed this. */
  trustedUntil: Moment;
}

/** Both clocks at once: one may stand still while the machine sleeps, the other may step. */
export interface Moment {
  readonly wall: number;
  readonly mono: number;
}

export function moment(clock: Clock): Moment {
  return { wall: clock.wall(), mono: clock.mono() };
}

/** Begins with a record whose claim was sent at `asked`. */
export function startWork(record: Claimed, request: Moment, leaseMs: number): AtWork {
  const controller = new AbortController();
  return {
    record,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    trustedUntil: trustFrom(request, leaseMs),
  };
}

/** The store counts a lease from a later moment than `asked`, so trust ends before the lease does. */
export function trustFrom(request: Moment, leaseMs: number): Moment {
  const trustMs = (leaseMs * 2) / 3;
  return { wall: request.wall + trustMs, mono: request.mono + trustMs };
}

/** What was asked then was answered; answers may overtake each other. */
export function trustLonger(run: AtWork, request: Moment, leaseMs: number): void {
  const until = trustFrom(request, leaseMs);
  if (until.mono > run.trustedUntil.mono) run.trustedUntil = until;
}

export function isTrusted(until: Moment, now: Moment): boolean {
  return now.wall <= until.wall && now.mono <= until.mono;
}
