import type { Clock } from "../platform/clock.ts";
import { DaybookError, fromErrorData, messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import { loop } from "../platform/loop.ts";
import type { Service } from "../platform/service.ts";
import type { Events } from "./events.ts";
import type { Work } from "./ledger.ts";
import type { Claimed } from "./record.ts";
import type { Outcome, Shape } from "./shape.ts";
import type { Kept } from "./work-unit.ts";

/** The reason for aborting an act. */
type AbortReason = "lease lost" | "cancelled" | "stopping";

/** One attempt at a claimed record. */
export interface ActiveAttempt {
  readonly record: Claimed;
  readonly signal: AbortSignal;
  abort(reason: AbortReason): void;
  /** The lease is trusted while neither clock has passed this. */
  trustedUntil: ClockReading;
}

/** Both clocks at once: the monotonic one may stop while the machine sleeps, the wall clock may step. */
export interface ClockReading {
  readonly wall: number;
  readonly mono: number;
}

export function readClocks(clock: Clock): ClockReading {
  return { wall: clock.wall(), mono: clock.mono() };
}

/** The attempt of a record whose claim was sent at `request`. */
export function activeAttempt(
  record: Claimed,
  request: ClockReading,
  leaseMs: number,
): ActiveAttempt {
  const controller = new AbortController();
  return {
    record,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    trustedUntil: trustFrom(request, leaseMs),
  };
}

/** The store counts the lease from a later time than `request`, so trust ends before the lease does. */
export function trustFrom(request: ClockReading, leaseMs: number): ClockReading {
  const trustMs = (leaseMs * 2) / 3;
  return { wall: request.wall + trustMs, mono: request.mono + trustMs };
}

/** Extends trust after an answer to a call sent at `request`. Answers may arrive out of order. */
function extendTrust(run: ActiveAttempt, request: ClockReading, leaseMs: number): void {
  const until = trustFrom(request, leaseMs);
  if (until.mono > run.trustedUntil.mono) run.trustedUntil = until;
}

export function isTrusted(until: ClockReading, now: ClockReading): boolean {
  return now.wall <= until.wall && now.mono <= until.mono;
}

/** Extends the leases of active attempts, and aborts an act that may no longer trust its lease. */
export interface LeaseRenewer extends Service {
  add(run: ActiveAttempt): void;
  remove(run: ActiveAttempt): void;
  isActive(run: ActiveAttempt): boolean;
  /** Saves the outcome so far. Throws, and aborts the act, when the lease is lost. */
  save(run: ActiveAttempt, outcome: Outcome<Shape>, note?: string): Promise<void>;
  abortAll(reason: AbortReason): void;
}

export function leaseRenewer(options: {
  work: Work;
  clock: Clock;
  leaseMs: number;
  events: Bus<Events>;
}): LeaseRenewer {
  const { work, clock, leaseMs, events } = options;
  const everyMs = leaseMs / 4;
  const running = new Set<ActiveAttempt>();
  /** The start of the current interval; undefined while nothing runs. */
  let roundStartedAt: number | undefined;

  const abort = (run: ActiveAttempt, reason: AbortReason): void => abortOnce(run, reason, events);
  const abortUntrusted = (): void => {
    const now = readClocks(clock);
    for (const run of running) if (!isTrusted(run.trustedUntil, now)) abort(run, "lease lost");
  };
  const apply = (run: ActiveAttempt, kept: Kept | undefined, request: ClockReading): void => {
    if (kept?.result !== "kept") return abort(run, "lease lost");
    extendTrust(run, request, leaseMs);
    // The answer may be so late that another node has claimed the record.
    if (!isTrusted(run.trustedUntil, readClocks(clock))) return abort(run, "lease lost");
    if (kept.cancelling) abort(run, "cancelled");
  };
  const keepAll = async (runs: readonly ActiveAttempt[]): Promise<void> => {
    const request = readClocks(clock);
    const units = runs.map(({ record }) => ({ id: record.id, fence: record.lease.fence, leaseMs }));
    const answers = await work.keep(units);
    runs.forEach((run, index) => apply(run, answers[index], request));
  };
  const pass = async (): Promise<number> => {
    if (roundStartedAt === undefined) return Infinity;
    const waitMs = roundStartedAt + everyMs - clock.mono();
    if (waitMs > 0) return waitMs;
    abortUntrusted();
    const runs = [...running];
    roundStartedAt = runs.length === 0 ? undefined : clock.mono();
    if (runs.length > 0) await keepAll(runs);
    return roundStartedAt === undefined ? Infinity : everyMs;
  };
  const failed = (error: unknown): number => {
    events.emit("store failed", { doing: "keep", reason: messageOf(error) });
    abortUntrusted();
    roundStartedAt = clock.mono() - (everyMs * 3) / 4; // sooner than a whole round
    return everyMs / 4;
  };
  const renewals = loop({ clock, pass, failed });
  const saves = outcomeWriter({ ...options, apply, isRunning: (run) => running.has(run) });
  return {
    start: renewals.start,
    async stop() {
      await renewals.stop();
      await saves.done();
    },
    add(run) {
      running.add(run);
      if (roundStartedAt !== undefined) return;
      roundStartedAt = clock.mono();
      renewals.wake();
    },
    remove: (run) => void running.delete(run),
    isActive: (run) => running.has(run),
    save: saves.save,
    abortAll(reason) {
      for (const run of running) abort(run, reason);
    },
  };
}

function abortOnce(run: ActiveAttempt, reason: AbortReason, events: Bus<Events>): void {
  if (run.signal.aborted) return;
  const { kind, id } = run.record;
  if (reason === "lease lost") events.emit("lease lost", { kind, id, reason });
  run.abort(reason);
}

/** Writes outcomes under leases; `done` resolves when no write is pending. */
function outcomeWriter(parts: {
  work: Work;
  clock: Clock;
  leaseMs: number;
  apply(run: ActiveAttempt, kept: Kept | undefined, request: ClockReading): void;
  isRunning(run: ActiveAttempt): boolean;
}): Pick<LeaseRenewer, "save"> & { done(): Promise<unknown> } {
  const { work, clock, leaseMs, apply, isRunning } = parts;
  const saving = new Set<Promise<unknown>>();
  return {
    done: () => Promise.allSettled(saving),
    async save(run, outcome, note) {
      // An abandoned act may still call this after its attempt was settled.
      if (!isRunning(run)) throw new DaybookError("stale", "The attempt is over.");
      const { id, lease } = run.record;
      const request = readClocks(clock);
      const write = work.keep([{ id, fence: lease.fence, leaseMs, outcome, note }]);
      saving.add(write);
      const [kept] = await write.finally(() => saving.delete(write));
      apply(run, kept, request);
      if (kept?.result === "refused") throw fromErrorData(kept.error);
      if (kept?.result !== "kept") throw new DaybookError("stale", "The lease is lost.");
    },
  };
}
