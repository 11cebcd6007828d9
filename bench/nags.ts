import { postgresServer } from "../src/testing/postgres/server.ts";
import { startChild, type Child } from "./child.ts";
import { inTurns, msOf, perSecond, progress, type Sizes } from "./measure.ts";
import { bareNags } from "./nags-bare.ts";
import { addDueNags, addFarNags } from "./nags-load.ts";
import { startNagger } from "./nags-node.ts";
import { postgresStand, type PostgresStand } from "./postgres-load.ts";
import { atLeast, none, rate, slower, type Figure } from "./report.ts";
import { dayMs } from "./work.ts";

const due = 10_000;
const few = 10_000;

/** A pass over due nags among few and among many that are not, beside a bare loop; and two nodes. */
export async function benchNags(sizes: Sizes): Promise<readonly Figure[]> {
  progress("starting a server");
  const server = await postgresServer({ fsync: true, autovacuum: true });
  if ("missing" in server) throw new Error(server.missing);
  const small = await postgresStand(await server.database());
  const large = await postgresStand(await server.database());
  try {
    progress(`loading ${few} and ${sizes.future} active ones`);
    await addFarNags(small.sql, few, Date.now() + 30 * dayMs);
    await addFarNags(large.sql, sizes.future, Date.now() + 30 * dayMs);
    return [...(await passes(small, large, sizes)), ...(await nodes(large, sizes))];
  } finally {
    await Promise.all([small.close(), large.close()]);
    await server.stop();
  }
}

async function passes(
  small: PostgresStand,
  large: PostgresStand,
  { rounds, future }: Sizes,
): Promise<readonly Figure[]> {
  progress(`a pass over ${due} due, among ${few} and among ${future}`);
  const ours = (stand: PostgresStand) => async (round: number) => {
    await stand.quietly(() => addDueNags(stand.sql, due, `ours-${round}`));
    return (due / (await passMs(stand))) * 1_000;
  };
  const bare = bareNags(large.store);
  const bareMany = async (round: number): Promise<number> => {
    await large.quietly(() => addDueNags(large.sql, due, `bare-${round}`));
    return perSecond(due, () => all(bare.pass()));
  };
  const seen = await inTurns(rounds, { ours: ours(small), oursMany: ours(large), bareMany });
  await bare.close();
  const growth = { name: `${few} active`, value: 1e6 / seen.ours, max: 1.5 };
  return [
    atLeast(`due nags said, ${future} active`, seen.oursMany, 5_000),
    rate(`the same, beside the bare loop`, seen.oursMany, { value: seen.bareMany, min: 0.3 }),
    slower(`1,000 said, ${future} active`, 1e6 / seen.oursMany, growth),
  ];
}

/** From the start of a node until the last one is said. */
async function passMs({ ledger }: PostgresStand): Promise<number> {
  const done = Promise.withResolvers<void>();
  let settled = 0;
  let stop = (): Promise<void> => Promise.resolve();
  const ms = await msOf(async () => {
    stop = await startNagger(ledger, "bench", () => {
      settled += 1;
      if (settled === due) done.resolve();
    });
    await done.promise;
  });
  await stop();
  return ms;
}

async function all(passed: Promise<number>): Promise<void> {
  const count = await passed;
  if (count !== due) throw new Error(`${count} were said, not ${due}.`);
}

/** Two processes on one database, beside one. */
async function nodes(stand: PostgresStand, { rounds }: Sizes): Promise<readonly Figure[]> {
  progress(`a pass over ${due} due by one node and by two`);
  const by = (count: number) => async (round: number) => {
    await stand.quietly(() => addDueNags(stand.sql, due, `${count}-nodes-${round}`));
    return (due / (await sharedMs(stand.store, count))) * 1_000;
  };
  const seen = await inTurns(rounds, { one: by(1), two: by(2) });
  const [twice] = await stand.sql.unsafe<{ count: number }[]>(
    `select count(*)::int from (
       select nag.uid from daybook.record nag left join daybook.record said on said.parent = nag.uid
       where nag.kind = 'nag' and nag.uid like '%-nodes-%'
       group by nag.uid, nag.fence having count(said.id) <> 1 or nag.fence <> 1) wrong`,
  );
  return [
    rate("said by two nodes", seen.two, { name: "one node", value: seen.one, min: 0.9 }),
    none("said twice, or left", twice?.count ?? Number.NaN),
  ];
}

async function sharedMs(url: string, count: number): Promise<number> {
  const children = Array.from({ length: count }, () =>
    startChild(new URL("nags-process.ts", import.meta.url), [url]),
  );
  await Promise.all(children.map((child) => child.next()));
  let settled = 0;
  const counted = async (child: Child): Promise<void> => {
    while (settled < due) {
      const more = Number(await child.next()); // first: the other counts meanwhile
      settled += more;
    }
  };
  const ms = await msOf(() => {
    for (const child of children) child.tell("go");
    return Promise.race(children.map(counted));
  });
  await Promise.all(children.map((child) => child.kill()));
  return ms;
}
