import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock, settled } from "../../test/hand-clock.ts";
import { loop, type Loop } from "./loop.ts";

interface Driven {
  clock: ReturnType<typeof handClock>;
  loop: Loop;
  /** Passes begun so far, and how many are under way now and were at most. */
  seen: { begun: number; now: number; most: number; failures: unknown[]; signal?: AbortSignal };
  /** Ends the pass that is under way. */
  end(answer: number | Error): Promise<void>;
}

/** A loop whose passes end when the test says so; a failed pass is tried again after 50 ms. */
function driven(): Driven {
  const clock = handClock();
  const seen: Driven["seen"] = { begun: 0, now: 0, most: 0, failures: [] };
  let pass = Promise.withResolvers<number>();
  const looping = loop({
    clock,
    async pass(signal) {
      seen.begun += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      seen.signal = signal;
      pass = Promise.withResolvers();
      return await pass.promise.finally(() => (seen.now -= 1));
    },
    failed(error) {
      seen.failures.push(error);
      return 50;
    },
  });
  const end = async (answer: number | Error): Promise<void> => {
    if (answer instanceof Error) pass.reject(answer);
    else pass.resolve(answer);
    await settled();
  };
  return { clock, loop: looping, seen, end };
}

test("the first pass runs at the start, the next after the answered delay", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  assert.equal(seen.begun, 1);
  await end(100);
  clock.advance(99);
  await settled();
  assert.equal(seen.begun, 1);
  clock.advance(1);
  await settled();
  assert.equal(seen.begun, 2);
  await Promise.all([loop.stop(), end(0)]);
});

test("two passes never run at once, however often the loop is woken", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  for (let time = 0; time < 5; time += 1) {
    loop.wake();
    clock.advance(1000);
    loop.wake();
    await end(10);
  }
  assert.equal(seen.most, 1);
  await Promise.all([loop.stop(), end(0)]);
});

test("a wake during a pass causes exactly one more pass at once", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  loop.wake();
  loop.wake();
  await end(Infinity);
  assert.equal(seen.begun, 2);
  await end(Infinity);
  assert.equal(seen.begun, 2);
  assert.deepEqual(clock.waiting(), []);
  await loop.stop();
});

test("a wake ends the wait at once and leaves no timer behind", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  await end(1000);
  assert.deepEqual(clock.waiting(), [1000]);
  loop.wake();
  await settled();
  assert.equal(seen.begun, 2);
  assert.deepEqual(clock.waiting(), []);
  await Promise.all([loop.stop(), end(0)]);
});

test("a pass that answers 0 is followed at once", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  await end(0);
  await end(-5);
  assert.equal(seen.begun, 3);
  assert.deepEqual(clock.waiting(), []);
  await Promise.all([loop.stop(), end(0)]);
});

test("Infinity waits for a wake, without a timer", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  await end(Infinity);
  clock.advance(1e12);
  await settled();
  assert.equal(seen.begun, 1);
  loop.wake();
  await settled();
  assert.equal(seen.begun, 2);
  await Promise.all([loop.stop(), end(0)]);
});

test("a wait longer than any timer ends early rather than at once", async () => {
  const { clock, loop, end } = driven();
  await loop.start();
  await end(1e12);
  assert.deepEqual(clock.waiting(), [2 ** 31 - 1]);
  await loop.stop();
});

test("a failed pass is reported, and the next runs after the answered delay", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  const fault = new Error("store is locked");
  await end(fault);
  assert.deepEqual(seen.failures, [fault]);
  assert.deepEqual(clock.waiting(), [50]);
  clock.advance(50);
  await settled();
  assert.equal(seen.begun, 2);
  await Promise.all([loop.stop(), end(0)]);
});

test("a pass that throws before it answers a promise is a failed pass", async () => {
  const clock = handClock();
  const failures: unknown[] = [];
  const throwing = loop({
    clock,
    pass() {
      throw new Error("not a promise");
    },
    failed: (error) => failures.push(error) * 10,
  });
  await throwing.start();
  await settled();
  clock.advance(10);
  await settled();
  assert.equal(failures.length, 2);
  await throwing.stop();
});

test("stop aborts the running pass, waits for it, and no other follows", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  let isStopped = false;
  loop.wake();
  const stopping = loop.stop().then(() => (isStopped = true));
  await settled();
  assert.equal(seen.signal?.aborted, true);
  assert.equal(isStopped, false);
  await end(10);
  await stopping;
  loop.wake();
  clock.advance(1000);
  await settled();
  assert.equal(seen.begun, 1);
});

test("stop during a wait returns at once and leaves no timer", async () => {
  const { clock, loop, seen, end } = driven();
  await loop.start();
  await end(1_000_000);
  await loop.stop();
  assert.deepEqual(clock.waiting(), []);
  assert.equal(seen.begun, 1);
});

test("a loop that was stopped starts again with a fresh signal", async () => {
  const { loop, seen, end } = driven();
  await loop.start();
  await end(Infinity);
  await loop.stop();
  await loop.start();
  assert.equal(seen.begun, 2);
  assert.equal(seen.signal?.aborted, false);
  await Promise.all([loop.stop(), end(0)]);
});
