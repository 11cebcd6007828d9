import { DaybookError } from "../../platform/errors.ts";
import { type Applied, type Migration, checksum, pendingAfter } from "../sql/migrations.ts";
import type { Executor } from "./executors.ts";
import { transaction } from "./transactions.ts";

/** The numbered .sql files beside this one. */
export const folder: URL = new URL("./migrations/", import.meta.url);

/** Two processes that start at once: the second waits here, and finds nothing to do. */
const lock = 0x44_61_79_62; // "Dayb"

/** What every ledger starts with, before its first migration. */
const birth = `
  create schema daybook;
  create table daybook.migration (
    number   integer primary key,
    name     text not null,
    checksum text not null
  );`;

/** Brings the tables to the newest shape, in one transaction. */
export async function migrate(sql: Executor, migrations: readonly Migration[]): Promise<void> {
  const first = pendingAfter(await readApplied(sql), migrations);
  if (first.length === 0) return;
  await transaction(sql, async () => {
    await sql.query("select pg_advisory_xact_lock($1)", [lock]);
    // Looked at again under the lock: another process may have done it meanwhile.
    const todo = pendingAfter(await readApplied(sql), migrations);
    if (todo.length === migrations.length) await sql.query(birth, []);
    for (const migration of todo) await apply(sql, migration);
  });
}

async function apply(sql: Executor, migration: Migration): Promise<void> {
  await sql.query(migration.sql, []);
  await sql.query("insert into daybook.migration (number, name, checksum) values ($1, $2, $3)", [
    migration.number,
    migration.name,
    checksum(migration),
  ]);
}

async function readApplied(sql: Executor): Promise<readonly Applied[]> {
  // From the tables of the catalog: to_regclass may answer from a cache, as of before the lock.
  const [found] = await sql.query(
    `select exists (select 1 from pg_namespace where nspname = 'daybook') as schema,
       exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'daybook' and c.relname = 'migration') as ours`,
    [],
  );
  if (found?.["schema"] !== true) return [];
  if (found["ours"] !== true) {
    throw new DaybookError(
      "refused",
      'The database has a schema "daybook" that is not a ledger: use another database.',
    );
  }
  const rows = await sql.query(
    "select number, name, checksum from daybook.migration order by number",
    [],
  );
  return rows as unknown as readonly Applied[];
}

/**
 * A restored dump brings history from a cluster that had counted further than this one. Its rows would be
 * hidden from the feed until this cluster has counted as far, and new rows would come before the cursors
 * that readers hold. So the new numbers are lifted over the old ones.
 */
export async function liftAfterRestore(sql: Executor): Promise<void> {
  if ((await overtaken(sql)) === undefined) return;
  await transaction(sql, async () => {
    await sql.query("lock table daybook.history in share row exclusive mode", []);
    const highest = await overtaken(sql); // another process may have done it meanwhile
    if (highest === undefined) return;
    await sql.query(
      `create or replace function daybook.xid_lift() returns bigint language sql immutable parallel safe
       as $$ select ${highest}::bigint $$`,
      [],
    );
  });
}

/** The highest number in the history, if it cannot be from this cluster: a row that is seen was committed. */
async function overtaken(sql: Executor): Promise<bigint | undefined> {
  const [last] = await sql.query(
    `select h.xid::text as xid, h.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + daybook.xid_lift() as future
     from daybook.history h order by h.seq desc limit 1`,
    [],
  );
  if (last?.["future"] !== true) return undefined;
  const [highest] = await sql.query("select max(xid)::text as xid from daybook.history", []);
  return BigInt(String(highest?.["xid"]));
}
