import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lanes, type Lanes } from "./lanes.ts";

const backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
const lanesOf = (share = 4): Lanes => lanes({ share, parkMs: 30_000, backoff, jitter: () => 1 });

test("a lane over its share is parked", () => {
  const table = lanesOf(2);
  assert.equal(table.admit("a", 0), "start");
  assert.equal(table.admit("a", 0), "start");
  assert.deepEqual(table.admit("a", 0), { untilMs: 30_000, reason: "share" });
  assert.equal(table.admit("b", 0), "start");
});

test("parked records are freed as attempts end, in as few moves as possible", () => {
  const table = lanesOf(4);
  for (let n = 0; n < 5; n += 1) table.admit("a", 0);
  assert.equal(table.leave("a", 1), undefined);
  assert.deepEqual(table.leave("a", 1), { free: 2 });
  assert.equal(table.leave("a", 1), undefined); // two are freed already
  assert.deepEqual(table.leave("a", 1), { free: 2 });
  table.markEmpty("a");
  assert.equal(table.admit("a", 2), "start");
  assert.equal(table.leave("a", 2), undefined);
});

test("a lane that keeps failing is parked longer each time, then tried with one record", () => {
  const table = lanesOf(4);
  table.admit("a", 0);
  assert.deepEqual(table.leave("a", 0, 0), { park: { untilMs: 1_000, reason: "rest" } });
  assert.deepEqual(table.admit("a", 500), { untilMs: 1_000, reason: "rest" });
  assert.equal(table.admit("a", 1_000), "start");
  assert.deepEqual(table.admit("a", 1_000), { untilMs: 31_000, reason: "share" });
  assert.deepEqual(table.leave("a", 1_000, 0), { park: { untilMs: 3_000, reason: "rest" } });
  assert.equal(table.admit("a", 3_000), "start");
  assert.deepEqual(table.leave("a", 3_000, 9_000), { park: { untilMs: 12_000, reason: "rest" } });
  assert.equal(table.admit("a", 12_000), "start");
  assert.deepEqual(table.leave("a", 12_000), { free: 4 });
});

test("a lane never has more running attempts than its share", () => {
  const step = fc.record({
    lane: fc.constantFrom("a", "b"),
    leave: fc.boolean(),
    fails: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      (steps, share) => {
        const table = lanesOf(share);
        const working = new Map([
          ["a", 0],
          ["b", 0],
        ]);
        steps.forEach(({ lane, leave, fails }, now) => {
          const at = working.get(lane) ?? 0;
          if (leave && at > 0) {
            table.leave(lane, now, fails ? 0 : undefined);
            working.set(lane, at - 1);
          } else if (table.admit(lane, now) === "start") {
            working.set(lane, at + 1);
          }
          assert.ok((working.get(lane) ?? 0) <= share);
        });
      },
    ),
  );
});
