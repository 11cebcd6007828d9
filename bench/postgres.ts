import { postgresServer } from "../src/testing/postgres/server.ts";
import { addGraphile, drainJobs, fillJobs } from "./graphile.ts";
import { inTurns, perSecond, progress, type Sizes } from "./measure.ts";
import { polls } from "./polls.ts";
import { barePostgres, type Bare } from "./postgres-bare.ts";
import { postgresStand, type PostgresStand } from "./postgres-load.ts";
import { processes } from "./postgres-processes.ts";
import { rate, slower, type Figure } from "./report.ts";
import { deadLanes, precision } from "./runtime.ts";
import type { Stand } from "./stand.ts";
import { appendTurns, bursts, dayMs, drain } from "./work.ts";

/** The store beside a bare loop and beside graphile-worker, in turns, on one server that syncs. */
export async function benchPostgres(sizes: Sizes): Promise<readonly Figure[]> {
  progress("starting a server");
  const server = await postgresServer({ fsync: true, autovacuum: true });
  if ("missing" in server) throw new Error(server.missing);
  const few = await contender(await server.database());
  const many = await contender(await server.database());
  const fresh = async (): Promise<Stand> => postgresStand(await server.database());
  try {
    progress(`loading ${sizes.future} future records, and as many jobs`);
    await many.add({ rows: sizes.future, wakeAt: Date.now() + 30 * dayMs });
    await fillJobs(many.sql, sizes.future, "later");
    return [
      ...(await drains(few, many, sizes)),
      ...(await appends(few, sizes)),
      ...(await processes(few, sizes)),
      ...(await polls(few, many, sizes)),
      ...(await deadLanes(fresh, sizes)),
      ...(await precision(await server.database())),
    ];
  } finally {
    await Promise.all([few.close(), many.close()]);
    await server.stop();
  }
}

/** A database with all that compete in it. */
interface Contender extends PostgresStand {
  readonly bare: Bare;
}

async function contender(url: string): Promise<Contender> {
  const stand = await postgresStand(url);
  const bare = barePostgres(url);
  await addGraphile(url, stand.sql);
  return {
    ...stand,
    bare,
    async close() {
      await bare.close();
      await stand.close();
    },
  };
}

async function drains(few: Contender, many: Contender, sizes: Sizes): Promise<readonly Figure[]> {
  const { drain: rows, future } = sizes;
  const due = (stand: Contender, queue: string): Promise<void> =>
    stand.quietly(() => stand.add({ rows, wakeAt: Date.now() - 60_000, queue }));
  const ours = (stand: Contender) => async (round: number) => {
    const queue = `notification@ours-${round}`;
    await due(stand, queue);
    return perSecond(rows, () => all(rows, drain(stand.ledger, queue)));
  };
  const bare = (stand: Contender) => async (round: number) => {
    const queue = `notification@bare-${round}`;
    await due(stand, queue);
    return perSecond(rows, () => all(rows, stand.bare.drain(queue)));
  };
  const jobs = (stand: Contender, count: number) => async () => {
    await stand.quietly(() => fillJobs(stand.sql, count, "due"));
    return drainJobs(stand.store, stand.sql, count);
  };
  progress(`drain of ${rows}, with 0 and with ${future} in the future`);
  const seen = await inTurns(sizes.rounds, {
    ours: ours(few),
    bare: bare(few),
    jobs: jobs(few, rows),
    oursMany: ours(many),
    bareMany: bare(many),
    jobsMany: jobs(many, rows / 5), // fewer, because each takes it long
  });
  const name = "graphile-worker";
  const growth = { name: "empty", value: 1e6 / seen.ours, max: 1.1 };
  return [
    rate("drain", seen.ours, { value: seen.bare, min: 0.6 }),
    rate(`drain, and ${name}'s`, seen.ours, { name, value: seen.jobs, min: 1.7 }),
    rate(`drain, ${future} future`, seen.oursMany, { value: seen.bareMany, min: 0.6 }),
    rate(`drain, and ${name}'s, ${future} future`, seen.oursMany, {
      name,
      value: seen.jobsMany,
      min: 1.7,
    }),
    slower(`1,000 drained, ${future} future`, 1e6 / seen.oursMany, growth),
  ];
}

async function all(rows: number, drained: Promise<number>): Promise<void> {
  const count = await drained;
  if (count !== rows) throw new Error(`${count} were drained, not ${rows}.`);
}

async function appends(stand: Contender, { rounds }: Sizes): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const burst of bursts) {
    const { atOnce, count } = burst;
    progress(`append, ${atOnce} at once`);
    const seen = await inTurns(rounds, {
      ours: () => perSecond(count, () => appendTurns(stand.ledger, burst)),
      bare: () => perSecond(count, () => stand.bare.append(burst)),
    });
    figures.push(rate(`append ×${atOnce}`, seen.ours, { value: seen.bare, min: 0.7 }));
  }
  return figures;
}
