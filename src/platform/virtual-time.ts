import type { Clock } from "./clock.ts";

/** Time that passes as fast as what happens in it can be done. */
export interface VirtualTime {
  readonly clock: Clock;
  now(): number;
  /** Does one thing after another until the time is reached, nothing is left, or `done` says so. */
  runUntil(until: number, done?: () => boolean): Promise<void>;
}

interface Timer {
  readonly at: number;
  run(): void;
}

/** One after another in the order of their times; of two at once, the one that was asked for first. */
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

/** All that follows without waiting is done by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
