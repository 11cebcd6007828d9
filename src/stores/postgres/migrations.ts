import { DaybookError } from "../../platform/errors.ts";
import { type Applied, type Migration, checksum, pendingAfter } from "../sql/migrations.ts";
import type { Executor } from "./executors.ts";
import { transaction } from "./transactions.ts";

/** The numbered .sql files beside this one. */
export const folder: URL = new URL("./migrations/", import.meta.url);

/** The advisory lock of migrations: of two processes that start at once, one migrates. */
const lock = 0x44_61_79_62; // "Dayb"

/** The state of a new ledger before its first migration. */
const initialSql = `
  create schema daybook;
  create table daybook.migration (
    number   integer primary key,
    name     text not null,
    checksum text not null
  );`;

/** Runs the pending migrations in one transaction. */
export async function migrate(sql: Executor, migrations: readonly Migration[]): Promise<void> {
  const pending = pendingAfter("The ledger", await readApplied(sql), migrations);
  if (pending.length === 0) return;
  await transaction(sql, async () => {
    await sql.query("select pg_advisory_xact_lock($1)", [lock]);
    // Read again under the lock: another process may have migrated meanwhile.
    const todo = pendingAfter("The ledger", await readApplied(sql), migrations);
    if (todo.length === migrations.length) await sql.query(initialSql, []);
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
  // From the catalog tables: to_regclass may answer from a cache that is older than the lock.
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
 * A restored dump has history with higher transaction ids than this cluster's. Its rows would be hidden from the
 * feed until this cluster's ids are as high, and new rows would come before the cursors of readers. So an offset
 * is added to this cluster's ids.
 */
export async function offsetIdsAfterRestore(sql: Executor): Promise<void> {
  if ((await highestForeignId(sql)) === undefined) return;
  await transaction(sql, async () => {
    await sql.query("lock table daybook.history in share row exclusive mode", []);
    const highest = await highestForeignId(sql); // another process may have set it meanwhile
    if (highest === undefined) return;
    await sql.query(
      `create or replace function daybook.xid_lift() returns bigint language sql immutable parallel safe
       as $$ select ${highest}::bigint $$`,
      [],
    );
  });
}

/** The highest transaction id in the history, if it cannot be of this cluster: a visible row was committed. */
async function highestForeignId(sql: Executor): Promise<bigint | undefined> {
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
