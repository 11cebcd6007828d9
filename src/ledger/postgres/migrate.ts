import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { DaybookError } from "../../base/errors.ts";
import type { Executor } from "./executors.ts";
import { transaction } from "./transactions.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

const folder = new URL("./migrations/", import.meta.url);

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

/** The numbered .sql files beside this one, in order. */
export function readMigrations(): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => ({
      number: Number.parseInt(name, 10),
      name,
      sql: readFileSync(new URL(name, folder), "utf8"),
    }));
}

/** Brings the tables to the newest shape, in one transaction. */
export async function migrate(sql: Executor, migrations: readonly Migration[]): Promise<void> {
  const first = await pending(sql, migrations);
  if (first.length === 0) return;
  await transaction(sql, async () => {
    await sql.query("select pg_advisory_xact_lock($1)", [lock]);
    // Looked at again under the lock: another process may have done it meanwhile.
    const todo = await pending(sql, migrations);
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

/** What is still to be done. Throws when the schema's past is not ours. */
async function pending(
  sql: Executor,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await readApplied(sql);
  for (const past of applied) {
    const ours = migrations.find(({ number }) => number === past.number);
    if (ours === undefined) {
      throw new DaybookError(
        "unsupported",
        `The ledger has schema ${past.number}, which is newer than this daybook: upgrade daybook.`,
        { details: { schema: past.number } },
      );
    }
    if (checksum(ours) !== past.checksum) {
      throw new DaybookError(
        "refused",
        `The migration ${past.name} was changed after it ran: install an unchanged daybook.`,
        { details: { migration: past.name } },
      );
    }
  }
  return migrations.slice(applied.length);
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

function checksum({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
