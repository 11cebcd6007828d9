import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sleep } from "./clock.ts";
import { virtualTime } from "./virtual-time.ts";

test("timers run in the order of their times, at their times", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 30 }), async (waits) => {
      const time = virtualTime(1_000);
      const seen: number[][] = [];
      waits.forEach((ms, order) => time.clock.after(ms, () => seen.push([time.now(), order])));
      await time.runUntil(1_100);
      const wanted = waits.map((ms, order) => [1_000 + ms, order]);
      assert.deepEqual(
        seen,
        wanted.toSorted(([a = 0, i = 0], [b = 0, j = 0]) => a - b || i - j),
      );
      assert.equal(time.clock.wall(), 1_100);
    }),
    { numRuns: 30 },
  );
});

test("a cancelled timer does not run, and one after the end waits", async () => {
  const time = virtualTime(0);
  const seen: string[] = [];
  time.clock.after(5, () => seen.push("cancelled"))();
  time.clock.after(20, () => seen.push("late"));
  await time.runUntil(10);
  assert.deepEqual(seen, []);
  await time.runUntil(20);
  assert.deepEqual(seen, ["late"]);
});

test("a sleep ends in virtual time, and the run stops when done", async () => {
  const time = virtualTime(0);
  let days = 0;
  const living = (async () => {
    while (days < 400) {
      await sleep(time.clock, 86_400_000);
      days += 1;
    }
  })();
  await time.runUntil(Infinity, () => days === 100);
  assert.equal(time.now(), 100 * 86_400_000);
  await time.runUntil(400 * 86_400_000);
  await living;
});
