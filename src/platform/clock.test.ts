import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { handClock, settled } from "../../test/hand-clock.ts";
import { clampMs, sleep, systemClock, timerMsMax } from "./clock.ts";

describe("clampMs", () => {
  test("keeps a delay that a timer can hold, rounded up", () => {
    assert.deepEqual([0, 1, 1.2, timerMsMax].map(clampMs), [0, 1, 2, timerMsMax]);
  });
  test("clamps a delay that a timer cannot hold", () => {
    assert.deepEqual([-1, -Infinity].map(clampMs).map(Math.abs), [0, 0]);
    assert.deepEqual([timerMsMax + 1, Infinity].map(clampMs), [timerMsMax, timerMsMax]);
  });
});

describe("systemClock", () => {
  test("runs a timer once, at about its time", async () => {
    const clock = systemClock();
    const start = clock.mono();
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
    });
    assert.ok(clock.mono() - start >= 4);
  });
  test("does not fire a timer that is too long for Node at once", async () => {
    const clock = systemClock();
    let fired = false;
    const cancel = clock.after(timerMsMax + 1, () => (fired = true));
    // Later timers of the same length run in order: a wrapped one would have fired by now.
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
    });
    cancel();
    assert.equal(fired, false);
  });
  test("does not run a cancelled timer", async () => {
    const clock = systemClock();
    let fired = false;
    clock.after(1, () => (fired = true))();
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
    });
    assert.equal(fired, false);
  });
  test("has wall time in epoch milliseconds and a monotonic time", () => {
    const clock = systemClock();
    assert.ok(Math.abs(clock.wall() - Date.now()) < 1000);
    const seen = Array.from({ length: 1000 }, () => clock.mono());
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });
});

describe("sleep", () => {
  test("resolves after its time, not before", async () => {
    const clock = handClock();
    let awake = false;
    const sleeping = sleep(clock, 100).then(() => (awake = true));
    clock.advance(99);
    await settled();
    assert.equal(awake, false);
    clock.advance(1);
    await sleeping;
  });
  test("is not early when it is longer than any timer", async () => {
    const clock = handClock();
    let awake = false;
    const sleeping = sleep(clock, timerMsMax * 2 + 10).then(() => (awake = true));
    clock.advance(timerMsMax * 2 + 9);
    await settled();
    assert.equal(awake, false);
    clock.advance(1);
    await sleeping;
  });
  test("resolves on abort, and leaves neither timer nor listener", async () => {
    const clock = handClock();
    const stopping = new AbortController();
    const sleeping = sleep(clock, timerMsMax * 2, stopping.signal);
    clock.advance(timerMsMax + 5);
    stopping.abort();
    await sleeping;
    assert.deepEqual(clock.waiting(), []);
    assert.equal(getEventListeners(stopping.signal, "abort").length, 0);
  });
  test("leaves no listener when its time comes", async () => {
    const clock = handClock();
    const { signal } = new AbortController();
    const sleeping = sleep(clock, 10, signal);
    clock.advance(10);
    await sleeping;
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
  test("sets no timer when the signal has aborted already", async () => {
    const clock = handClock();
    await sleep(clock, 100, AbortSignal.abort());
    assert.deepEqual(clock.waiting(), []);
  });
});
