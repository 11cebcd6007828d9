import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFullDepth, sampled, spread } from "./depth.ts";

test("a sample is spread evenly over the cases", () => {
  assert.deepEqual(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5), [0, 2, 4, 6, 8]);
  assert.deepEqual(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5, 1 / 2), [1, 3, 5, 7, 9]);
  assert.deepEqual(spread([0, 1, 2, 3, 4, 5, 6], 3), [0, 2, 4]);
});

test("a sample has its size, in order and without repeats", () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.nat(500),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (a, b, shift) => {
        const [size, count] = [Math.min(a, b), Math.max(a, b)];
        const cases = Array.from({ length: count }, (_, index) => index);
        const sample = spread(cases, size, shift);
        assert.equal(sample.length, size);
        assert.deepEqual(
          sample,
          [...new Set(sample)].toSorted((one, other) => one - other),
        );
      },
    ),
  );
});

test("a sample says that it is one, and how all cases are run", () => {
  const lines: string[] = [];
  const t = { diagnostic: (line: string) => void lines.push(line) };
  const cases = ["a", "b", "c", "d"];
  const chosen = sampled(t, cases, { size: 2, of: "deaths" });
  assert.deepEqual(chosen, isFullDepth ? cases : ["a", "c"]);
  const said = ["sampled: 2 of 4 deaths; npm run test:all runs all"];
  assert.deepEqual(lines, isFullDepth ? [] : said);
  assert.deepEqual(sampled(t, cases, { size: 4, of: "deaths", shift: 0.9 }), cases);
});
