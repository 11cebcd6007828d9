import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";

/** What tells a file from another that somebody puts in its place, or writes into it, without reading it. */
export function sealOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Undefined: nothing is there. */
export function sealAt(root: string, place: string): string | undefined {
  const stat = lstatSync(join(root, place), { throwIfNoEntry: false });
  return stat && sealOf(stat);
}
