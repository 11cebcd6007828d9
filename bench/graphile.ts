import { Logger, run, runMigrations } from "graphile-worker";
import type { Sql } from "./postgres-load.ts";
import { body } from "./work.ts";

/** The fastest queue on PostgreSQL that we know of, at the settings that were fastest for it. */
const batch = 500;
const preset = {
  worker: { concurrentJobs: 24, localQueue: { size: batch }, completeJobBatchDelay: 0 },
} as const;
const logger = new Logger(() => () => undefined);

export async function addGraphile(url: string, sql: Sql): Promise<void> {
  await runMigrations({ connectionString: url, logger });
  await sql.unsafe("insert into graphile_worker._private_tasks (identifier) values ('bench')");
}

/** Jobs in plain SQL: due for long, or in a month. */
export async function fillJobs(sql: Sql, rows: number, when: "due" | "later"): Promise<void> {
  const from = when === "due" ? "now() - interval '1 minute'" : "now() + interval '30 days'";
  await sql.unsafe(
    `insert into graphile_worker._private_jobs (task_id, payload, run_at, priority)
     select t.id, $1::text::json, ${from} + n % 1000 * interval '1 millisecond', n % 3
     from graphile_worker._private_tasks t, generate_series(1, $2::int) as n where t.identifier = 'bench'`,
    [JSON.stringify(body), rows],
  );
}

/**
 * Jobs per second, from the last of its first batch to the last of all, as its handler sees them: what it
 * takes to start and to end is left out.
 */
export async function drainJobs(url: string, sql: Sql, rows: number): Promise<number> {
  let count = 0;
  let began = 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  const bench = (): void => {
    count += 1;
    if (count === batch) began = performance.now();
    if (count === rows) resolve(performance.now() - began);
  };
  const runner = await run({
    connectionString: url,
    taskList: { bench },
    noHandleSignals: true,
    logger,
    preset,
  });
  const ms = await promise;
  await runner.stop();
  const [left] = await sql.unsafe<{ count: string }[]>(
    "select count(*) from graphile_worker._private_jobs where run_at < now()",
  );
  if (count !== rows || left?.count !== "0") throw new Error("graphile-worker left some jobs.");
  return ((rows - batch) / ms) * 1000;
}
