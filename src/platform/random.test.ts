import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { chance, intBelow, pick } from "../testing/chance.ts";
import { fraction, seededRandom, systemRandom, type Random } from "./random.ts";

function take(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.bits());
}

describe("seededRandom", () => {
  // Checked against sfc32 in big integers. Kept failing seeds replay only while these stand.
  const golden: [seed: number, numbers: number[]][] = [
    [0, [1427488602, 1980682239, 456575201, 3300212312]],
    [1, [573063952, 3268221502, 703077755, 2308299391]],
    [42, [1849552023, 4223452576, 118919111, 3893884377]],
    [2 ** 32 + 42, [3627986751, 3238092450, 178616300, 77546244]],
  ];
  for (const [seed, numbers] of golden) {
    test(`seed ${seed} gives the recorded numbers`, () => {
      assert.deepEqual(take(seededRandom(seed), 4), numbers);
    });
  }
  test("neighbouring seeds give unrelated numbers", () => {
    const seen = new Set<number>();
    for (let seed = 0; seed < 1000; seed += 1) {
      for (const bits of take(seededRandom(seed), 4)) seen.add(bits);
    }
    // Four thousand draws of 32 bits: two collisions would be odd.
    assert.ok(seen.size >= 3999, `${seen.size} of 4000`);
  });
});

for (const [name, make] of [
  ["seededRandom", () => seededRandom(7)],
  ["systemRandom", systemRandom],
] as const) {
  describe(`${name} is even`, () => {
    const draws = 64_000;
    test("every bit is set half of the time", () => {
      const counts = Array.from({ length: 32 }, () => 0);
      for (const bits of take(make(), draws)) {
        assert.ok(Number.isInteger(bits) && bits >= 0 && bits < 2 ** 32);
        for (const [at, count] of counts.entries()) counts[at] = count + ((bits >>> at) & 1);
      }
      // Six standard deviations: false once in a hundred million runs.
      const off = 6 * Math.sqrt(draws / 4);
      for (const count of counts) assert.ok(Math.abs(count - draws / 2) < off, `${count}`);
    });
    test("every small number comes equally often", () => {
      const random = make();
      const counts = Array.from({ length: 10 }, () => 0);
      for (let draw = 0; draw < draws; draw += 1) {
        const drawn = intBelow(random, 10);
        counts[drawn] = (counts[drawn] ?? 0) + 1;
      }
      assert.equal(counts.length, 10);
      const off = 6 * Math.sqrt((draws * 9) / 100);
      for (const count of counts) assert.ok(Math.abs(count - draws / 10) < off, `${count}`);
    });
  });
}

test("a fraction is in [0, 1) at both ends of the bits", () => {
  assert.equal(fraction({ bits: () => 0 }), 0);
  assert.ok(fraction({ bits: () => 2 ** 32 - 1 }) < 1);
});

test("a whole number is below its bound, and a pick is in its list", () => {
  const bits = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(bits, fc.integer({ min: 1, max: 2 ** 32 }), (drawn, below) => {
      const value = intBelow({ bits: () => drawn }, below);
      assert.ok(Number.isInteger(value) && value >= 0 && value < below);
      assert.ok(["a", "b", "c"].includes(pick({ bits: () => drawn }, ["a", "b", "c"])));
    }),
  );
});

test("chance 0 never happens and chance 1 always does", () => {
  const random = seededRandom(3);
  for (let draw = 0; draw < 1000; draw += 1) {
    assert.equal(chance(random, 0), false);
    assert.equal(chance(random, 1), true);
  }
});
