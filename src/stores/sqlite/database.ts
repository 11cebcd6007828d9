import { DatabaseSync } from "node:sqlite";
import { DaybookError } from "../../platform/errors.ts";
import {
  type Applied,
  type Migration,
  checksum,
  pendingAfter,
  readMigrations,
} from "../sql/migrations.ts";
import { backupFile } from "./backup.ts";
import { createFile, fileState } from "./database-file.ts";
import { faultOf } from "./faults.ts";

/** Before 3.51.3, two connections in WAL mode could damage a database. */
const sqliteMin = [3, 51, 3];
const cacheKib = 64 * 1024;
const checkpointPages = 4000;

export interface DatabaseOptions {
  /** How long to wait for another process's write before the answer is `busy`. */
  busyMs?: number | undefined;
  migrations?: readonly Migration[] | undefined;
}

/** Opens the ledger at a path, or creates one. */
export function openDatabase(path: string, options: DatabaseOptions = {}): DatabaseSync {
  const { busyMs = 5000, migrations = readMigrations(folder) } = options;
  const open = (file: string): DatabaseSync => new DatabaseSync(file, { timeout: busyMs });
  if (path === ":memory:") return prepare(open(path), path, migrations);
  try {
    if (fileState(path) === "absent") {
      createFile(path, (fresh) => prepare(open(fresh), fresh, migrations).close());
    }
    return checkAndPrepare(open(path), path, migrations);
  } catch (error) {
    if (error instanceof DaybookError) throw error;
    const { code, message } = faultOf(error);
    throw new DaybookError(code, `${path}: ${message}`, { cause: error, details: { path } });
  }
}

function checkAndPrepare(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): DatabaseSync {
  try {
    checkOurs(database, path);
    useWal(database, path);
    return prepare(database, path, migrations);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): DatabaseSync {
  checkVersion(database);
  // A commit waits for the disk. The rollback data of savepoints stays in memory: in a file, where SQLite puts
  // more than 16 pages of it, an event cost a tenth more.
  database.exec(`
    pragma synchronous = full;
    pragma temp_store = memory;
    pragma foreign_keys = on;
    pragma cache_size = -${cacheKib};
    pragma wal_autocheckpoint = ${checkpointPages};`);
  migrate(database, path, migrations);
  return database;
}

function checkVersion(database: DatabaseSync): void {
  const version = String(database.prepare("select sqlite_version() as version").get()?.["version"]);
  const parts = version.split(".").map(Number);
  const first = sqliteMin.findIndex((min, index) => min !== parts[index]);
  if (first === -1 || (parts[first] ?? 0) > (sqliteMin[first] ?? 0)) return;
  throw new DaybookError(
    "unsupported",
    `SQLite ${version} can damage a ledger: use a Node with SQLite ${sqliteMin.join(".")} or newer.`,
  );
}

function checkOurs(database: DatabaseSync, path: string): void {
  if (pragma(database, "application_id") === applicationId) return;
  throw new DaybookError(
    "refused",
    `${path} is another program's database: give a path of its own to daybook.`,
    { details: { path } },
  );
}

function useWal(database: DatabaseSync, path: string): void {
  if (pragma(database, "journal_mode = wal") === "wal") return;
  throw new DaybookError(
    "unsupported",
    `The file system of ${path} cannot share memory between processes: use a local disk.`,
    { details: { path } },
  );
}

function pragma(database: DatabaseSync, text: string): unknown {
  return Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0];
}

/** "Dayb": the mark of our files. */
const applicationId = 0x44617962;

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

/** Brings the tables to the newest shape, in one transaction, after a verified backup. */
function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  if (pendingAfter(readApplied(database), migrations).length === 0) return;
  // Read again under the write lock: another process may have migrated meanwhile.
  database.exec("begin immediate");
  try {
    const todo = pendingAfter(readApplied(database), migrations);
    const from = migrations.length - todo.length;
    if (from === 0) database.exec(initialSql);
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
