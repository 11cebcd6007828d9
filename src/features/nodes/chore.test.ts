import assert from "node:assert/strict";
import { test } from "node:test";
import { afterChore } from "./chore.ts";

test("the next round of a chore is timed from the end of this one", () => {
  const body = { name: "forget-old", everyMs: 3_600_000 };
  assert.deepEqual(afterChore(body, "pruned 3 records", { now: 1_000, jitter: 0.5 }), {
    state: "waiting",
    wakeAt: 3_601_000,
    freshStart: true,
    outcome: { did: "pruned 3 records" },
  });
});
