import { type Stats, lstatSync } from "node:fs";
import { join } from "node:path";

/** The files of records. */
export interface FileIndex {
  pathOf(id: string): string | undefined;
  idAt(path: string): string | undefined;
  set(id: string, path: string): void;
  delete(id: string): void;
  /** The fingerprints of files that the store wrote where other programs write too, by path. */
  readonly written: Map<string, string>;
  /** All paths; changes during the iteration are seen. */
  paths(): IterableIterator<string>;
}

export function fileIndex(): FileIndex {
  const paths = new Map<string, string>();
  const ids = new Map<string, string>();
  const written = new Map<string, string>();
  const remove = (id: string): void => {
    const before = paths.get(id);
    if (before !== undefined && ids.get(before) === id) {
      ids.delete(before);
      written.delete(before);
    }
    paths.delete(id);
  };
  return {
    pathOf: (id) => paths.get(id),
    idAt: (path) => ids.get(path),
    set(id, path) {
      remove(id);
      paths.set(id, path);
      ids.set(path, id);
    },
    delete: remove,
    written,
    paths: () => ids.keys(),
  };
}

/** Whether a file is as the store wrote it. It is not read: there may be many. */
export function isAsWritten({ written }: FileIndex, root: string, path: string): boolean {
  const fingerprint = written.get(path);
  return fingerprint !== undefined && fingerprint === fingerprintAt(root, path);
}

/** Changes when a file is replaced or written to. The file is not read. */
export function fingerprintOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Undefined: there is no file. */
export function fingerprintAt(root: string, path: string): string | undefined {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stat && fingerprintOf(stat);
}
