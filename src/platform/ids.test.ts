import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ids, isId } from "./ids.ts";
import { seededRandom } from "./random.ts";

/** A source whose wall stands at each of the times in turn, then at the last. */
function at(times: readonly number[], seed: number = 1): () => string {
  let next = 0;
  const wall = (): number => times[Math.min(next++, times.length - 1)] ?? 0;
  return ids({ wall }, seededRandom(seed));
}

function assertRising(made: readonly string[]): void {
  assert.equal(new Set(made).size, made.length);
  assert.deepEqual(made, made.toSorted());
}

const anyTime = fc.integer({ min: 0, max: 2 ** 48 - 2 ** 20 });

test("an id has the shape of RFC 9562: version 7, variant 10, its time in the first 48 bits", () => {
  fc.assert(
    fc.property(anyTime, fc.nat(), (time, seed) => {
      const id = at([time], seed)();
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), time);
      assert.equal(isId(id), true);
    }),
  );
});

test("ids only rise, whatever the wall clock does", () => {
  fc.assert(
    fc.property(fc.array(anyTime, { minLength: 1, maxLength: 50 }), fc.nat(), (times, seed) => {
      const make = at(times, seed);
      assertRising(times.map(make));
    }),
  );
});

test("ten thousand ids of one millisecond are unique and sorted", () => {
  const make = at([1_800_000_000_000]);
  assertRising(Array.from({ length: 10_000 }, make));
});

test("ids rise across a step back, and after a burst that ran ahead of the clock", () => {
  const now = 1_800_000_000_000;
  const burst = Array.from({ length: 10_000 }, () => now);
  const times = [...burst, now - 3_600_000, now + 1, now + 2, now + 3, now + 4];
  assertRising(times.map(at(times)));
});

test("a clock with fractions of a millisecond gives valid ids", () => {
  assert.equal(isId(at([1_800_000_000_000.75])()), true);
});

test("two sources at one time create different ids", () => {
  assert.notEqual(at([5], 1)(), at([5], 2)());
});

test("isId refuses other texts", () => {
  const id = at([1_800_000_000_000])();
  const wrong = ["", id.toUpperCase(), ` ${id}`, `${id}\n`, id.replace("-7", "-4"), id.slice(1)];
  for (const text of wrong) assert.equal(isId(text), false, JSON.stringify(text));
});
