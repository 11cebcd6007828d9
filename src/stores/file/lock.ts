import { closeSync, existsSync, lstatSync, openSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeWhole } from "./atomic-file.ts";
import { fault, isFull } from "./errno.ts";

/** Who has the folder open, for people to read. */
interface Owner {
  pid: number;
  host: string;
  boot: string | null;
}

/**
 * Takes the folder for this process, or says who has it. The lock is the kernel's (SQLite takes it on
 * an empty file: Node itself has no locks), so it goes with its process, however that ends: there
 * is no stale lock, and no race in taking one over.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock");
  makeEmpty(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive");
    sayOwner(join(folder, "owner.json"));
  } catch (error) {
    database.close();
    throw refusal(folder, error);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

/** A file that is there is not opened here: closing it would drop this process's own lock on it. */
function makeEmpty(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size === 0) return;
  if (stat !== undefined) {
    throw fault("refused", path, "is not the empty file it should be: move it away.");
  }
  closeSync(openSync(path, "a", 0o600));
}

function sayOwner(path: string): void {
  const owner: Owner = { pid: process.pid, host: hostname(), boot: bootId() };
  try {
    writeWhole(path, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    if (!isFull(error)) throw error; // a full ledger can still be read
  }
}

function refusal(folder: string, error: unknown): Error {
  const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
  if (!isBusy) return fault("unavailable", folder, "cannot be locked.", error);
  const path = join(folder, "owner.json");
  const owner = existsSync(path) ? readFileSync(path, "utf8").trim() : "a process that just began";
  return fault("busy", folder, `is open in another process: ${owner}. Stop it first.`);
}

function bootId(): string | null {
  const path = "/proc/sys/kernel/random/boot_id";
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}
