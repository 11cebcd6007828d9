import { after, test } from "node:test";
import { ids } from "../../base/ids.ts";
import { seededRandom } from "../../base/random.ts";
import { postgresServer } from "../../testing/postgres-server.ts";
import { emptied } from "../../testing/postgres-tables.ts";
import { assertAlike } from "../../testing/traces/alike.ts";
import { replay, type Stage, type Step } from "../../testing/traces/traces.ts";
import { memoryEngine } from "../memory/memory.ts";
import type { Answers, Perform, Verb, Verbs } from "../verbs.ts";
import { postgresTransport } from "./postgres.ts";

const traces = 150;
const length = 80;
const servers = 3;

// A write transaction anywhere in a server delays its feed: those that play at once need servers each.
const found = await Promise.all(Array.from({ length: servers }, () => postgresServer()));
after(async () => {
  for (const server of found) if (!("missing" in server)) await server.stop();
});

async function playModel(seed: number): Promise<readonly Step[]> {
  let now = 0;
  const engine = memoryEngine({
    now: () => now,
    ids: ids({ wall: () => now }, seededRandom(seed)),
  });
  const verbs: Answers = engine;
  const perform: Perform = async <V extends Verb>(verb: V, input: Verbs[V]["input"]) =>
    verbs[verb](input);
  const setNow = (ms: number): void => void (now = ms);
  return replay({ perform, setNow, hinted: () => engine.takeHints() }, seed, length);
}

/** One store after the other over one database. */
async function playAll(url: string, seeds: readonly number[]): Promise<void> {
  let now = 0;
  const { perform, onHint, close } = await postgresTransport({
    url,
    connections: 1,
    now: () => now,
  });
  const tables = emptied(url);
  const heard = new Set<string>();
  const queues = ["node", "node@a", "chore", "chore@a", "notification", "notification@a"];
  for (const queue of queues) onHint(queue, () => heard.add(queue));
  const stage: Stage = {
    perform,
    setNow: (ms) => void (now = ms),
    hinted() {
      const told = [...heard];
      heard.clear();
      return told;
    },
  };
  try {
    for (const seed of seeds) {
      await tables.empty();
      // Time starts anew: a move makes the store forget from where its claims look.
      for (const queue of queues) await perform("move", { queue, lane: "none", to: 0, limit: 1 });
      assertAlike(seed, await playModel(seed), await replay(stage, seed, length));
    }
  } finally {
    await tables.close();
    await close();
  }
}

test("PostgreSQL answers every trace as the model does", async (t) => {
  const seeds = Array.from({ length: traces }, (_, index) => index + 1);
  const shares = Map.groupBy(seeds, (seed) => seed % servers);
  const played = found.map(async (server, index) => {
    if ("missing" in server) return t.skip(server.missing);
    await playAll(await server.database(), shares.get(index) ?? []);
  });
  await Promise.all(played);
});
