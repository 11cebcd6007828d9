import type { DatabaseSync } from "node:sqlite";
import { checksum, pendingAfter, type Applied, type Migration } from "../sql/migrations.ts";
import { backupFile } from "./backup-file.ts";

/** "Dayb": how a file tells that it is ours. */
export const applicationId = 0x44617962;

/** The numbered .sql files beside this one. */
export const folder: URL = new URL("./migrations/", import.meta.url);

/** What every ledger starts with, before its first migration. */
const birth = `
  pragma application_id = ${applicationId};
  create table migration (
    number   integer primary key,
    name     text not null,
    checksum text not null
  ) strict;`;

/** Brings the tables to the newest shape, in one transaction, after a verified backup. */
export function migrate(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): void {
  if (pendingAfter(readApplied(database), migrations).length === 0) return;
  // Looked at again under the write lock: another process may have done it meanwhile.
  database.exec("begin immediate");
  try {
    const todo = pendingAfter(readApplied(database), migrations);
    const from = migrations.length - todo.length;
    if (from === 0) database.exec(birth);
    else if (todo.length > 0) backupBefore(database, path, from);
    for (const migration of todo) apply(database, migration);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/** The write lock is ours, so nothing changes between the count and the copy. */
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
