import { timerMsMax, type Clock } from "../src/platform/clock.ts";

/** A clock that moves only when a test moves it. */
export interface HandClock extends Clock {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void;
  /** Moves the wall alone, as NTP does. */
  step(ms: number): void;
  /** How long each waiting timer still has, shortest first. */
  waiting(): number[];
}

export function handClock(startMs: number = 1_800_000_000_000): HandClock {
  const timers = new Set<{ at: number; run: () => void }>();
  let mono = 0;
  let wall = startMs;
  const next = (until: number) =>
    [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
  const moveTo = (time: number): void => {
    wall += time - mono;
    mono = time;
  };
  return {
    wall: () => wall,
    mono: () => mono,
    after(ms, run) {
      if (!(ms >= 0 && ms <= timerMsMax)) throw new RangeError(`no timer can wait ${ms} ms`);
      const timer = { at: mono + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const until = mono + ms;
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        moveTo(timer.at);
        timer.run();
      }
      moveTo(until);
    },
    step(ms) {
      wall += ms;
    },
    waiting: () => [...timers].map((timer) => timer.at - mono).toSorted((a, b) => a - b),
  };
}

/** Returns when every promise that could go on has gone on: immediates run after all microtasks. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
