import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasErrno } from "./faults.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** The prefix of unfinished files, which are never read. */
export const temporaryPrefix = ".tmp-";

/**
 * Writes a file under a temporary name and renames it: a reader sees the old content or the new. A link in its
 * place is replaced, never followed. Answers the stat of the written file.
 */
export function writeAtomic(path: string, content: string): Stats {
  const temporary = temporaryPath(path);
  try {
    const file = openNew(temporary);
    let stat: Stats;
    try {
      writeFileSync(file, content);
      stat = fstatSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return stat;
  } catch (error) {
    rmSync(temporary, { force: true }); // on a full disk it takes space
    throw error;
  }
}

export function temporaryPath(path: string): string {
  return join(dirname(path), `${temporaryPrefix}${basename(path)}`);
}

/** Opens a new file that only this user can read. Replaces one that an earlier process left. */
export function openNew(path: string): number {
  const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
    rmSync(path);
    return openSync(path, flags, 0o600);
  }
}

/** Whether there is a file, a folder or a link of this name. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Waits until the names in a folder are on the disk. */
export function syncFolder(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
