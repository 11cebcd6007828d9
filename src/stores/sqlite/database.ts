import { closeSync, linkSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { threadId } from "node:worker_threads";
import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { type Migration, readMigrations } from "../sql/migrations.ts";
import { syncFile } from "./backup.ts";
import { faultOf } from "./faults.ts";
import { applicationId, folder, migrate } from "./migrations.ts";

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
    checkApplication(database, path);
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
  // A commit waits for the disk. The rollback data of savepoints stays in memory: in a file, where SQLite writes
  // more than 16 pages of it, an event took a tenth longer.
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
    `SQLite ${version} can damage a ledger: use a Node.js with SQLite ${sqliteMin.join(".")} or newer.`,
  );
}

function checkApplication(database: DatabaseSync, path: string): void {
  if (pragma(database, "application_id") === applicationId) return;
  throw new DaybookError(
    "refused",
    `${path} is another program's database: give Daybook a path of its own.`,
    { details: { path } },
  );
}

function useWal(database: DatabaseSync, path: string): void {
  if (pragma(database, "journal_mode = wal") === "wal") return;
  throw new DaybookError(
    "unsupported",
    `${path} is on a file system that cannot share memory between processes: use a local disk.`,
    { details: { path } },
  );
}

function pragma(database: DatabaseSync, text: string): unknown {
  return Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0];
}

/** Whether the file exists. A file that cannot be read is an error, never an empty ledger. */
function fileState(path: string): "absent" | "present" {
  const stat = statOf(path);
  if (stat === undefined) return "absent";
  if (stat.isDirectory()) {
    throw unavailable(path, "is a folder: give the path of a database file.");
  }
  if (!stat.isFile())
    throw unavailable(path, "is not a regular file: give the path of a database file.");
  if (stat.size === 0) {
    throw unavailable(
      path,
      "is empty: restore the newest backup, or delete the file to start a new ledger.",
    );
  }
  sweepLeftovers(path);
  return "present";
}

/** A process that was killed right after the link left its own name for the ledger. */
function sweepLeftovers(path: string): void {
  const start = `${basename(path)}.new-`;
  for (const name of readdirSync(dirname(path)).filter((each) => each.startsWith(start))) {
    const leftover = join(dirname(path), name);
    if ((statSync(leftover, { throwIfNoEntry: false })?.nlink ?? 1) > 1) rmSync(leftover);
  }
}

/**
 * Writes a new ledger under a temporary name and then links it to its path, so that no process opens an
 * unfinished one. When two processes or threads do it at once, the first link wins and both open that file.
 */
function createFile(path: string, fill: (fresh: string) => void): void {
  const folder = dirname(path);
  const fresh = `${path}.new-${process.pid}-${threadId}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(fresh, { force: true }); // left by an earlier process with this id
    closeSync(openSync(fresh, "wx", 0o600));
  } catch (error) {
    throw unavailable(
      path,
      `cannot be created (${messageOf(error)}): choose a folder that this user can write to.`,
      error,
    );
  }
  try {
    fill(fresh);
    linkSync(fresh, path);
    syncFile(folder);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unavailable(path, `cannot be read (${messageOf(error)}): check its permissions.`, error);
  }
}

function unavailable(path: string, problem: string, cause?: unknown): DaybookError {
  return new DaybookError("unavailable", `${path} ${problem}`, { cause, details: { path } });
}
