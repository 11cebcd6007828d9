import assert from "node:assert/strict";
import { test } from "node:test";
import { ids } from "../../base/ids.ts";
import { seededRandom } from "../../base/random.ts";
import { memoryEngine } from "../../ledger/memory/memory.ts";
import { sqliteEngine } from "../../ledger/sqlite/engine.ts";
import type { Answers, Engine, Verb, Verbs } from "../../ledger/verbs.ts";
import { assertAlike } from "./alike.ts";
import { everyAnswer, kindsOf } from "./reach.ts";
import { replay, type Stage, type Step } from "./traces.ts";

const traces = 500;
const length = 80;

type Open = (now: () => number, seed: number) => Engine & { close?(): void };

function idsFrom(now: () => number, seed: number): () => string {
  return ids({ wall: now }, seededRandom(seed));
}

const openMemory: Open = (now, seed) => memoryEngine({ now, ids: idsFrom(now, seed) });
// Other ids than the model's: what a store answers may not depend on them.
const openSqlite: Open = (now, seed) =>
  sqliteEngine({ path: ":memory:", now, ids: idsFrom(now, seed + 1) });

async function play(open: Open, seed: number): Promise<readonly Step[]> {
  let now = 0;
  const engine = open(() => now, seed);
  const verbs: Answers = engine;
  const stage: Stage = {
    perform: async <V extends Verb>(verb: V, input: Verbs[V]["input"]) => verbs[verb](input),
    setNow(ms) {
      now = ms;
    },
    hinted: () => engine.takeHints(),
  };
  try {
    return await replay(stage, seed, length);
  } finally {
    engine.close?.();
  }
}

const seeds = Array.from({ length: traces }, (_, index) => index + 1);
const played = Promise.all(
  seeds.map(async (seed) => ({ seed, steps: await play(openMemory, seed) })),
);

test("sqlite answers every trace as the model does", async () => {
  for (const { seed, steps } of await played) {
    assertAlike(seed, steps, await play(openSqlite, seed));
  }
});

test("a trace is the same each time it is played", async () => {
  assert.deepEqual(await play(openMemory, 7), (await played)[6]?.steps);
});

test("traces reach every answer", async () => {
  const kinds = (await played).flatMap(({ steps }) => steps.flatMap(kindsOf));
  const reached = Map.groupBy(kinds, (kind) => kind);
  const rare = everyAnswer.filter((kind) => (reached.get(kind)?.length ?? 0) < 5);
  assert.deepEqual(rare, [], "too rare in the traces to prove anything");
});
