import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasErrno } from "./errno.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Files of this name are half-written: nobody reads them. */
export const halfName = ".tmp-";

/** Writes a file under another name and renames it: a reader sees the old one or the new one. A link
 * in its place is replaced, never followed. Gives what was written, whatever is there by then. */
export function writeWhole(path: string, content: string): Stats {
  const half = halfOf(path);
  try {
    const file = openNew(half);
    let stat: Stats;
    try {
      writeFileSync(file, content);
      stat = fstatSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(half, path);
    return stat;
  } catch (error) {
    rmSync(half, { force: true }); // on a full disk it takes room
    throw error;
  }
}

export function halfOf(path: string): string {
  return join(dirname(path), `${halfName}${basename(path)}`);
}

/** A new file that only this user reads. What an earlier process left under its name goes. */
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

/** Waits until a folder's names are on the disk. */
export function syncFolder(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
