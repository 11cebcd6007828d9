import assert from "node:assert/strict";
import { test } from "node:test";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { sqliteEngine } from "../../stores/sqlite/engine.ts";
import { assertAlike } from "./alike.ts";
import { playEngine, playModel, traceSeeds } from "./model.ts";
import { everyAnswer, kindsOf } from "./reach.ts";
import type { Step } from "./traces.ts";

const seeds = traceSeeds(1_000);

function playSqlite(seed: number): Promise<readonly Step[]> {
  // Other ids than the model's: what a store answers may not depend on them.
  return playEngine(seed, (now) =>
    sqliteEngine({ path: ":memory:", now, ids: ids({ wall: now }, seededRandom(seed + 1)) }),
  );
}

/** How often each sort of answer was given. */
const reached = new Map<string, number>();

test("sqlite answers every trace as the model does", async () => {
  for (const seed of seeds) {
    const model = await playModel(seed);
    for (const kind of model.flatMap(kindsOf)) reached.set(kind, (reached.get(kind) ?? 0) + 1);
    assertAlike(seed, model, await playSqlite(seed));
  }
});

test("traces reach every answer", () => {
  const rare = everyAnswer.filter((kind) => (reached.get(kind) ?? 0) < 5);
  assert.deepEqual(rare, [], "too rare in the traces to prove anything");
});

test("a trace is the same each time it is played", async () => {
  assert.deepEqual(await playModel(7), await playModel(7));
});
