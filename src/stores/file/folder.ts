import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statfsSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncFolder, writeAtomic } from "./atomic-file.ts";
import { fault, guarded, isFull } from "./faults.ts";
import { newJournal } from "./journal.ts";

const formatFile = "daybook.json";
/** 1: records had other fields. 2: all files were in `queue/`, under names of their own. */
const format = 3;
/** Files that an interrupted first start leaves. */
const initialNames = new Set([
  "lock",
  "owner.json",
  ".tmp-owner.json",
  "journal-1",
  `.tmp-${formatFile}`,
]);

/** Creates the folder if there is none, and answers its real path. Refuses one with other files. */
export function findFolder(request: string): string {
  return guarded(request, () => {
    mkdirSync(request, { recursive: true, mode: 0o700 });
    const folder = realpathSync(request);
    checkLocal(folder);
    if ((lstatSync(folder).mode & 0o022) !== 0) {
      throw fault("refused", folder, "can be written by other users: run chmod 700 on it.");
    }
    const names = readdirSync(folder);
    if (!names.includes(formatFile) && names.some((name) => !initialNames.has(name))) {
      throw fault("refused", folder, "has other files in it: give Daybook a folder of its own.");
    }
    return folder;
  });
}

/** Under the lock: a new folder gets its first journal, and then the file that makes it a ledger. */
export function prepareFolder(folder: string): void {
  const path = join(folder, formatFile);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    closeSync(newJournal(folder, 1));
    writeAtomic(path, `${JSON.stringify({ what: "daybook ledger", format })}\n`);
    syncFolder(folder);
    return;
  }
  const found = formatOf(readFileSync(path, "utf8"));
  if (found === format) return;
  if (found === undefined)
    throw fault("unavailable", path, "is damaged: restore it from a backup.");
  const advice =
    found > format
      ? "upgrade Daybook"
      : "open it with the build that wrote it, or start a new ledger in another folder";
  const problem = `has format ${found}, and this Daybook reads format ${format}`;
  throw fault("unsupported", path, `${problem}: ${advice}.`);
}

/** Whether the disk keeps capitals apart; where it does not, nor on Windows, an id cannot always be a file's name. */
export function keepsNames(folder: string): boolean {
  return process.platform !== "win32" && !existsSync(join(folder, formatFile.toUpperCase()));
}

function formatOf(text: string): number | undefined {
  const found = /^\{"what":"daybook ledger","format":(\d{1,9})\}\n$/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** File systems that other machines write to: their locks and renames cannot be trusted. */
const remote: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "SMB",
  0xfe534d42: "SMB",
  0x01021997: "9p",
  0x5346414f: "AFS",
  0x00c36400: "Ceph",
  0x0bd00bd0: "Lustre",
};

function checkLocal(folder: string): void {
  const name = remoteName(statfsSync(folder).type, process.platform);
  if (name === undefined) return;
  throw fault("unsupported", folder, `is on ${name}: use a folder on a local disk.`);
}

/** The numbers are Linux's. */
export function remoteName(type: number, platform: string): string | undefined {
  return platform === "linux" ? remote[type >>> 0] : undefined;
}

/** The process that has the folder open, as people read it. */
interface Owner {
  pid: number;
  host: string;
  boot: string | null;
}

/**
 * Locks the folder for this process, or throws `busy` with the owner. It is a lock of the operating system (SQLite
 * takes it on an empty file: Node itself has no locks), so it ends with its process: there are no stale locks.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock");
  makeEmpty(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive");
    writeOwner(join(folder, "owner.json"));
  } catch (error) {
    database.close();
    throw lockFault(folder, error);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

/** An existing file is not opened: closing it would release this process's own lock on it. */
function makeEmpty(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size === 0) return;
  if (stat !== undefined) {
    throw fault("refused", path, "must be an empty file: move it away.");
  }
  closeSync(openSync(path, "a", 0o600));
}

function writeOwner(path: string): void {
  const owner: Owner = { pid: process.pid, host: hostname(), boot: bootId() };
  try {
    writeAtomic(path, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    if (!isFull(error)) throw error; // on a full disk the ledger can still be read
  }
}

function lockFault(folder: string, error: unknown): Error {
  const isLocked = error instanceof Error && "errcode" in error && error.errcode === 5;
  if (!isLocked)
    return fault("unavailable", folder, "cannot be locked: check its disk and permissions.", error);
  const path = join(folder, "owner.json");
  const owner = existsSync(path)
    ? readFileSync(path, "utf8").trim()
    : "a process that has just started";
  return fault("busy", folder, `is open in another process: ${owner}. Stop it first.`);
}

function bootId(): string | null {
  const path = "/proc/sys/kernel/random/boot_id";
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}
