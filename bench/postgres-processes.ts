import { startChild } from "./child.ts";
import { inTurns, progress, type Sizes } from "./measure.ts";
import type { PostgresStand } from "./postgres-load.ts";
import { none, rate, type Figure } from "./report.ts";

/** Two processes on one database, beside one. */
export async function processes(stand: PostgresStand, sizes: Sizes): Promise<readonly Figure[]> {
  const { drain: rows, rounds } = sizes;
  progress(`drain of ${rows} by one process and by two`);
  const by = (count: number) => async (round: number) => {
    const queue = `notification@${count}-processes-${round}`;
    await stand.quietly(() => stand.add({ rows, wakeAt: Date.now() - 60_000, queue }));
    return drainBy(count, { url: stand.store, queue, rows });
  };
  const seen = await inTurns(rounds, { one: by(1), two: by(2) });
  const [twice] = await stand.sql.unsafe<{ count: number }[]>(
    `select count(*)::int from daybook.record where queue like 'notification@%-processes-%'
     and (fence <> 1 or ended_at is null)`,
  );
  return [
    rate("drain by two processes", seen.two, { name: "one process", value: seen.one, min: 0.9 }),
    none("claimed twice, or left", twice?.count ?? Number.NaN),
  ];
}

async function drainBy(
  count: number,
  job: { url: string; queue: string; rows: number },
): Promise<number> {
  const children = Array.from({ length: count }, () =>
    startChild(new URL("drain-process.ts", import.meta.url), [job.url, job.queue]),
  );
  await Promise.all(children.map((child) => child.next()));
  const began = performance.now();
  for (const child of children) child.tell("go");
  const done = await Promise.all(children.map((child) => child.next()));
  const ms = performance.now() - began;
  const sum = done.reduce((total, one) => total + Number(one), 0);
  if (sum !== job.rows) throw new Error(`${sum} were drained, not ${job.rows}.`);
  return (job.rows / ms) * 1000;
}
