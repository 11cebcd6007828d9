import { DatabaseSync } from "node:sqlite";
import { DaybookError } from "../../platform/errors.ts";
import { readMigrations, type Migration } from "../sql/migrations.ts";
import { createFile, fileState } from "./database-file.ts";
import { faultOf } from "./faults.ts";
import { applicationId, folder, migrate } from "./migrate.ts";

/** Before 3.51.3, two connections in WAL mode could damage a database. */
const sqliteMin = [3, 51, 3];
const cacheKib = 64 * 1024;
const checkpointPages = 4000;

export interface DatabaseOptions {
  /** How long to wait for another process's write before the answer is `busy`. */
  busyMs?: number | undefined;
  migrations?: readonly Migration[] | undefined;
}

/** Opens the ledger at a path, or makes a new one. Every refusal says what to do. */
export function openDatabase(path: string, options: DatabaseOptions = {}): DatabaseSync {
  const { busyMs = 5000, migrations = readMigrations(folder) } = options;
  const open = (file: string): DatabaseSync => new DatabaseSync(file, { timeout: busyMs });
  if (path === ":memory:") return prepared(open(path), path, migrations);
  try {
    if (fileState(path) === "absent") {
      createFile(path, (fresh) => prepared(open(fresh), fresh, migrations).close());
    }
    return opened(open(path), path, migrations);
  } catch (error) {
    if (error instanceof DaybookError) throw error;
    const { code, message } = faultOf(error);
    throw new DaybookError(code, `${path}: ${message}`, { cause: error, details: { path } });
  }
}

function opened(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): DatabaseSync {
  try {
    checkOurs(database, path);
    useWal(database, path);
    return prepared(database, path, migrations);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepared(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): DatabaseSync {
  checkVersion(database);
  // Durable when it answers: a commit waits for the disk. What a unit may have to take back is kept in memory:
  // in a file, as SQLite does with more than 16 pages of it, it made an event dearer by a tenth.
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
