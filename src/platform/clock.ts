/** The source of time. The simulator gives each node its own. */
export interface Clock {
  /** UTC epoch milliseconds. May step in either direction. */
  wall(): number;
  /** Milliseconds since some start. Never goes back; may stand still while the machine sleeps. */
  mono(): number;
  /** Calls `run` once after about `ms` (Node may be a millisecond early: a caller that must not be, reads
   * the clock again). Call the answer to cancel it. `ms` must be ≤ `timerMsMax`. */
  after(ms: number, run: () => void): () => void;
}

/** A longer timer fires at once in Node (it wraps at 2^31), so no caller may set one. */
export const timerMsMax = 2 ** 31 - 1;

export function systemClock(): Clock {
  return {
    wall: () => Date.now(),
    mono: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, clampMs(ms));
      return () => clearTimeout(timer);
    },
  };
}

export function clampMs(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), timerMsMax);
}

/** Resolves after `ms`, or as soon as the signal aborts: the caller checks the signal. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    let cancel = (): void => undefined;
    const wake = (): void => {
      cancel();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const wait = (leftMs: number): void => {
      const next = leftMs > timerMsMax ? () => wait(leftMs - timerMsMax) : wake;
      cancel = clock.after(clampMs(leftMs), next);
    };
    wait(ms);
    signal?.addEventListener("abort", wake, { once: true });
  });
}
