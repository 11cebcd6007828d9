import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { budget, tokensIn } from "./agent-budget.ts";

const price = fc.integer({ min: 0, max: 1_000 });
const tokens = fc.integer({ min: 0, max: 2_000 });

test("turns within their limits never exceed the budget", () => {
  const turn = fc.record({ input: tokens, percent: fc.integer({ min: 0, max: 100 }) });
  fc.assert(
    fc.property(
      fc.record({ inputPerMillion: price, outputPerMillion: price }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(turn),
      (prices, costMax, turns) => {
        const { next, start, spend, usage } = budget({ turnsMax: 1_000, costMax }, prices);
        for (const { input, percent } of turns) {
          const allowed = next(input);
          if ("over" in allowed) break;
          start();
          spend({ input, output: Math.floor(((allowed.outputTokensMax ?? 0) * percent) / 100) });
        }
        assert.ok(usage().cost <= costMax * (1 + 1e-9), `${usage().cost} of ${costMax}`);
      },
    ),
  );
});

test("turns are counted with and without prices", () => {
  const { next, start, usage } = budget({ turnsMax: 2 });
  for (let turn = 0; turn < 2; turn += 1) {
    assert.deepEqual(next(1_000_000), {});
    start();
  }
  assert.ok("over" in next(0));
  assert.deepEqual(usage(), { turns: 2, cost: 0 });
});

test("the token estimate is an upper bound", () => {
  assert.equal(tokensIn(""), 0);
  assert.equal(tokensIn("안녕하세요"), 5);
  assert.equal(tokensIn("four score and seven"), 7);
});
