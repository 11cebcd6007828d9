import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { DaybookError, messageOf } from "../../platform/errors.ts";

/** Whether the file exists. One that cannot be read is an error, never an empty ledger. */
export function fileState(path: string): "absent" | "present" {
  const stat = statOf(path);
  if (stat === undefined) return "absent";
  if (stat.isDirectory()) {
    throw unavailable(path, "is a folder: give the path of a file in it.");
  }
  if (!stat.isFile()) throw unavailable(path, "is not a file: give the path of one.");
  if (stat.size === 0) {
    throw unavailable(path, "is empty: restore the newest backup, or delete it to start anew.");
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
export function createFile(path: string, fill: (fresh: string) => void): void {
  const folder = dirname(path);
  const fresh = `${path}.new-${process.pid}-${threadId}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(fresh, { force: true }); // left by an earlier process with this id
    closeSync(openSync(fresh, "wx", 0o600));
  } catch (error) {
    throw unavailable(
      path,
      `cannot be made (${messageOf(error)}): choose a folder you may write to.`,
      error,
    );
  }
  try {
    fill(fresh);
    linkSync(fresh, path);
    syncFile(folder);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Waits until a file's bytes, or a folder's names, are on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unavailable(
      path,
      `cannot be read (${messageOf(error)}): look at its permissions.`,
      error,
    );
  }
}

function hasErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function unavailable(path: string, what: string, cause?: unknown): DaybookError {
  return new DaybookError("unavailable", `${path} ${what}`, { cause, details: { path } });
}
