import { type Stats, lstatSync } from "node:fs";
import { join } from "node:path";

/** Which file shows which record. */
export interface FileIndex {
  /** Where a record's file is. */
  pathOf(id: string): string | undefined;
  idAt(path: string): string | undefined;
  set(id: string, path: string): void;
  delete(id: string): void;
  /** The result files that we wrote, by path: one with another fingerprint is not ours. */
  readonly results: Map<string, string>;
  /** All that there are, as they are while somebody goes through them. */
  paths(): IterableIterator<string>;
}

export function fileIndex(): FileIndex {
  const paths = new Map<string, string>();
  const ids = new Map<string, string>();
  const forget = (id: string): void => {
    const before = paths.get(id);
    if (before !== undefined && ids.get(before) === id) ids.delete(before);
    paths.delete(id);
  };
  return {
    pathOf: (id) => paths.get(id),
    idAt: (path) => ids.get(path),
    set(id, path) {
      forget(id);
      paths.set(id, path);
      ids.set(path, id);
    },
    delete: forget,
    results: new Map(),
    paths: () => ids.keys(),
  };
}

/** What tells a file from another that somebody puts in its place, or writes into it, without reading it. */
export function fingerprintOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Undefined: nothing is there. */
export function fingerprintAt(root: string, path: string): string | undefined {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stat && fingerprintOf(stat);
}
