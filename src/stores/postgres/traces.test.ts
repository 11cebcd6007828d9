import { after, test } from "node:test";
import driver from "postgres";
import type { Transport } from "../../kernel/verbs.ts";
import { postgresClock, type PostgresClock } from "../../testing/postgres/clock.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { ledgerTables } from "../../testing/postgres/tables.ts";
import { replayModel, traceLength, traceSeeds } from "../../testing/traces/model.ts";
import { assertSameAnswers, replay, type Fixture, type Step } from "../../testing/traces/replay.ts";
import { postgresTransport } from "./postgres.ts";

const servers = 2;

// A write transaction anywhere in a server delays its feed: concurrent traces need a server each.
const found = await Promise.all(Array.from({ length: servers }, () => postgresServer()));
after(async () => {
  for (const server of found) if (!("missing" in server)) await server.stop();
});

const queues = ["node", "node@a", "chore", "chore@a", "notification", "notification@a"];

function fixtureOver({ perform, onHint }: Transport, clock: PostgresClock): Fixture {
  let [now, serverNow] = [0, -1];
  const hints = new Set<string>();
  for (const queue of queues) onHint(queue, () => hints.add(queue));
  return {
    async perform(verb, input) {
      if (serverNow !== now) await clock.set((serverNow = now));
      return perform(verb, input);
    },
    setNow: (ms) => void (now = ms),
    hinted() {
      const queues = [...hints];
      hints.clear();
      return queues;
    },
  };
}

/** Planning each statement again takes longer than running it. */
async function keepPlans(url: string): Promise<void> {
  const sql = driver(url, { max: 1 });
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe(`alter database ${name} set plan_cache_mode = force_generic_plan`);
  await sql.end();
}

/**
 * Units of one settle whose record was cancelled are written after the others, so their order in the feed may differ.
 * docs/ledger.md promises no order between them.
 */
function inAnyOrder({ verb, answer }: Step): string {
  if (verb !== "changes") return answer;
  return answer
    .split(/[[\]]|(?<=\}),(?=\{)/)
    .toSorted()
    .join(",");
}

async function replayOne(fixture: Fixture, seed: number): Promise<void> {
  const [model, postgresSteps] = [
    await replayModel(seed),
    await replay(fixture, seed, traceLength),
  ];
  const index = model.findIndex((step, at) => step.answer !== postgresSteps[at]?.answer);
  const [expected, actual] = [model[index], postgresSteps[index]];
  if (expected && actual && inAnyOrder(expected) === inAnyOrder(actual)) return;
  assertSameAnswers(seed, model, postgresSteps);
}

/** One trace after the other over one database. */
async function replayAll(url: string, seeds: readonly number[]): Promise<void> {
  await keepPlans(url);
  const store = await postgresTransport({ url, connections: 1 });
  const clock = await postgresClock(url);
  const tables = ledgerTables(url);
  const fixture = fixtureOver(store, clock);
  try {
    for (const seed of seeds) {
      await tables.empty();
      // Time starts again: a move resets the floors of the store's claims.
      for (const queue of queues) {
        await store.perform("move", { queue, lane: "none", to: 0, limit: 1 });
      }
      await replayOne(fixture, seed);
    }
  } finally {
    await tables.close();
    await clock.close();
    await store.close();
  }
}

test("PostgreSQL answers every trace as the memory store does", async (t) => {
  const shares = Map.groupBy(traceSeeds(t, 300).entries(), ([nth]) => nth % servers);
  const replayed = found.map(async (server, index) => {
    if ("missing" in server) return t.skip(server.missing);
    const seeds = (shares.get(index) ?? []).map(([, seed]) => seed);
    await replayAll(await server.database(), seeds);
  });
  // All have ended before a server stops, also when one has failed.
  for (const each of await Promise.allSettled(replayed)) {
    if (each.status === "rejected") throw each.reason;
  }
});
