import assert from "node:assert/strict";
import { test } from "node:test";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { sqliteEngine } from "../../stores/sqlite/engine.ts";
import { everyAnswerKind, kindsOf } from "./coverage.ts";
import { replayEngine, replayModel, everySeed, traceSeeds } from "./model.ts";
import { assertSameAnswers, type Step } from "./replay.ts";

const traceCount = 1_000;

function replaySqlite(seed: number): Promise<readonly Step[]> {
  // Other ids than the model's: answers must not depend on them.
  return replayEngine(seed, (now) =>
    sqliteEngine({ path: ":memory:", now, ids: ids({ wall: now }, seededRandom(seed + 1)) }),
  );
}

test("SQLite answers every trace as the memory store does", async (t) => {
  for (const seed of traceSeeds(t, traceCount)) {
    const model = await replayModel(seed);
    assertSameAnswers(seed, model, await replaySqlite(seed));
  }
});

test("the traces contain every kind of answer", async () => {
  const reached = new Map<string, number>();
  for (const seed of everySeed(traceCount)) {
    const kinds = (await replayModel(seed)).flatMap(kindsOf);
    for (const kind of kinds) reached.set(kind, (reached.get(kind) ?? 0) + 1);
  }
  const rare = everyAnswerKind.filter((kind) => (reached.get(kind) ?? 0) < 5);
  assert.deepEqual(rare, [], "too rare in the traces");
});

test("replaying a seed gives the same trace", async () => {
  assert.deepEqual(await replayModel(7), await replayModel(7));
});
