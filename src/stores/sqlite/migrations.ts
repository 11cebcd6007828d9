import type { DatabaseSync } from "node:sqlite";
import { type Applied, type Migration, checksum, pendingAfter } from "../sql/migrations.ts";
import { backupFile } from "./backup.ts";

/** "Dayb": marks a database as a ledger. */
export const applicationId = 0x44617962;

/** The numbered .sql files beside this one. */
export const folder: URL = new URL("./migrations/", import.meta.url);

/** The state of a new ledger before its first migration. */
const initialSql = `
  pragma application_id = ${applicationId};
  create table migration (
    number   integer primary key,
    name     text not null,
    checksum text not null
  ) strict;`;

/** Runs the pending migrations in one transaction, after a verified backup. */
export function migrate(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): void {
  if (pendingAfter(path, readApplied(database), migrations).length === 0) return;
  // Read again under the write lock: another process may have migrated meanwhile.
  database.exec("begin immediate");
  try {
    const pending = pendingAfter(path, readApplied(database), migrations);
    const from = migrations.length - pending.length;
    if (from === 0) database.exec(initialSql);
    else if (pending.length > 0) backupBefore(database, path, from);
    for (const migration of pending) apply(database, migration);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/** Under the write lock nothing changes between the count and the copy. */
function backupBefore(database: DatabaseSync, path: string, schema: number): void {
  const count = database.prepare("select count(*) as records from record").get();
  backupFile(
    path,
    `${path}.backup-${schema}`,
    (copy) => copy.schema === schema && copy.records === count?.["records"],
  );
}

function readApplied(database: DatabaseSync): readonly Applied[] {
  const exists = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'migration'")
    .get();
  if (exists === undefined) return [];
  const rows = database.prepare("select number, name, checksum from migration order by number");
  return rows.all() as unknown as readonly Applied[];
}

function apply(database: DatabaseSync, migration: Migration): void {
  database.exec(migration.sql);
  database
    .prepare("insert into migration (number, name, checksum) values (?, ?, ?)")
    .run(migration.number, migration.name, checksum(migration));
}
