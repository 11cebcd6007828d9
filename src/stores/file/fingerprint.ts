import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";

/** What tells a file from another that somebody puts in its place, or writes into it, without reading it. */
export function fingerprintOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Undefined: nothing is there. */
export function fingerprintAt(root: string, path: string): string | undefined {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stat && fingerprintOf(stat);
}
