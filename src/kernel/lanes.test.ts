import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lanes, type Lanes } from "./lanes.ts";

const rest = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
const make = (share = 4): Lanes => lanes({ share, parkMs: 30_000, rest, jitter: () => 1 });

test("a lane over its share is parked", () => {
  const all = make(2);
  assert.equal(all.admit("a", 0), "start");
  assert.equal(all.admit("a", 0), "start");
  assert.deepEqual(all.admit("a", 0), { untilMs: 30_000, reason: "share" });
  assert.equal(all.admit("b", 0), "start");
});

test("the parked come forward as room is made, in as few moves as possible, until none is left", () => {
  const all = make(4);
  for (let n = 0; n < 5; n += 1) all.admit("a", 0);
  assert.equal(all.leave("a", 1), undefined);
  assert.deepEqual(all.leave("a", 1), { free: 2 });
  assert.equal(all.leave("a", 1), undefined); // two are on their way already
  assert.deepEqual(all.leave("a", 1), { free: 2 });
  all.ledgerTables("a");
  assert.equal(all.admit("a", 2), "start");
  assert.equal(all.leave("a", 2), undefined);
});

test("a lane that cannot be reached rests longer each time, and is then tried by one alone", () => {
  const all = make(4);
  all.admit("a", 0);
  assert.deepEqual(all.leave("a", 0, 0), { park: { untilMs: 1_000, reason: "rest" } });
  assert.deepEqual(all.admit("a", 500), { untilMs: 1_000, reason: "rest" });
  assert.equal(all.admit("a", 1_000), "start");
  assert.deepEqual(all.admit("a", 1_000), { untilMs: 31_000, reason: "share" });
  assert.deepEqual(all.leave("a", 1_000, 0), { park: { untilMs: 3_000, reason: "rest" } });
  assert.equal(all.admit("a", 3_000), "start");
  assert.deepEqual(all.leave("a", 3_000, 9_000), { park: { untilMs: 12_000, reason: "rest" } });
  assert.equal(all.admit("a", 12_000), "start");
  assert.deepEqual(all.leave("a", 12_000), { free: 4 });
});

test("never more than the share at work, whatever comes and goes", () => {
  const step = fc.record({
    lane: fc.constantFrom("a", "b"),
    leave: fc.boolean(),
    rest: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      (steps, share) => {
        const all = make(share);
        const working = new Map([
          ["a", 0],
          ["b", 0],
        ]);
        steps.forEach(({ lane, leave, rest: resting }, now) => {
          const at = working.get(lane) ?? 0;
          if (leave && at > 0) {
            all.leave(lane, now, resting ? 0 : undefined);
            working.set(lane, at - 1);
          } else if (all.admit(lane, now) === "start") {
            working.set(lane, at + 1);
          }
          assert.ok((working.get(lane) ?? 0) <= share);
        });
      },
    ),
  );
});
