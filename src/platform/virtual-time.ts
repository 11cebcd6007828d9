import type { Clock } from "./clock.ts";

/** Time that passes as fast as its timers can be run. */
export interface VirtualTime {
  readonly clock: Clock;
  now(): number;
  /** Runs one timer after another until the time is reached, none is left, or `done` answers true. */
  runUntil(until: number, done?: () => boolean): Promise<void>;
}

interface Timer {
  readonly at: number;
  run(): void;
}

/** Timers in the order of their times; of two at once, the one that was set first. */
export function virtualTime(from: number): VirtualTime {
  let now = from;
  const timers: Timer[] = [];
  const after: Clock["after"] = (ms, run) => {
    const timer: Timer = { at: now + Math.max(0, Math.ceil(ms)), run };
    const place = timers.findLastIndex(({ at }) => at <= timer.at);
    timers.splice(place + 1, 0, timer);
    return () => {
      const at = timers.indexOf(timer);
      if (at !== -1) timers.splice(at, 1);
    };
  };
  return {
    clock: { wall: () => now, mono: () => now - from, after },
    now: () => now,
    async runUntil(until, done = () => false) {
      await settled();
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        timers.shift();
        now = Math.max(now, next.at);
        next.run();
        await settled();
        if (done()) return;
      }
      now = Math.max(now, until);
    },
  };
}

/** Everything that needs no waiting is done by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
