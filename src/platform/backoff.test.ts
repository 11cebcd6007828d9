import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { backoffMs, type Backoff } from "./backoff.ts";

const doubling: Backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
const almostOne = 1 - Number.EPSILON;

describe("backoff", () => {
  const table: [attempt: number, jitter: number, ms: number][] = [
    [0, 0, 500],
    [1, 0, 500],
    [1, almostOne, 1_000],
    [2, 0, 1_000],
    [3, 0.5, 3_000],
    [6, almostOne, 32_000],
    [7, 0, 30_000],
    [5_000, 0, 30_000],
  ];
  for (const [attempt, jitter, ms] of table) {
    test(`waits ${ms} ms after attempt ${attempt} with jitter ${jitter}`, () => {
      assert.equal(backoffMs(doubling, attempt, jitter), ms);
    });
  }

  const anyBackoff = fc.record({
    firstMs: fc.integer({ min: 1, max: 10_000 }),
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    maxMs: fc.integer({ min: 1, max: 86_400_000 }),
  });
  const anyJitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test("is a whole number between half the longest wait's share and the longest wait", () => {
    fc.assert(
      fc.property(anyBackoff, fc.nat(100_000), anyJitter, (backoff, attempt, jitter) => {
        const ms = backoffMs(backoff, attempt, jitter);
        assert.ok(Number.isInteger(ms));
        assert.ok(ms <= backoff.maxMs);
        assert.ok(ms >= Math.floor(Math.min(backoff.firstMs, backoff.maxMs) / 2));
      }),
    );
  });
  test("never decreases from one attempt to the next", () => {
    fc.assert(
      fc.property(anyBackoff, fc.nat(1_000), anyJitter, (backoff, attempt, jitter) => {
        const here = backoffMs(backoff, attempt, jitter);
        assert.ok(backoffMs(backoff, attempt + 1, jitter) >= here);
      }),
    );
  });
});
