import assert from "node:assert/strict";
import { test } from "node:test";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { sqliteEngine } from "../../stores/sqlite/engine.ts";
import { assertAlike } from "./alike.ts";
import { playEngine, playModel, everySeed, traceSeeds } from "./model.ts";
import { everyAnswer, kindsOf } from "./reach.ts";
import type { Step } from "./traces.ts";

const usual = 1_000;

function playSqlite(seed: number): Promise<readonly Step[]> {
  // Other ids than the model's: what a store answers may not depend on them.
  return playEngine(seed, (now) =>
    sqliteEngine({ path: ":memory:", now, ids: ids({ wall: now }, seededRandom(seed + 1)) }),
  );
}

test("sqlite answers every trace as the model does", async (t) => {
  for (const seed of traceSeeds(t, usual)) {
    const model = await playModel(seed);
    assertAlike(seed, model, await playSqlite(seed));
  }
});

test("traces reach every answer", async () => {
  const reached = new Map<string, number>();
  for (const seed of everySeed(usual)) {
    const kinds = (await playModel(seed)).flatMap(kindsOf);
    for (const kind of kinds) reached.set(kind, (reached.get(kind) ?? 0) + 1);
  }
  const rare = everyAnswer.filter((kind) => (reached.get(kind) ?? 0) < 5);
  assert.deepEqual(rare, [], "too rare in the traces to prove anything");
});

test("a trace is the same each time it is played", async () => {
  assert.deepEqual(await playModel(7), await playModel(7));
});
