import { lstatSync, mkdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { toRecord, type Row } from "../memory/row.ts";
import { writeWhole } from "./atomic-file.ts";
import { fault, hasErrno } from "./errno.ts";
import { resultPath, viewOf, workerFilesOf, type Layouts } from "./layouts.ts";

/** A record as its file shows it: as its readers know it, and then whole. */
export function textOf(layouts: Layouts, row: Row): string {
  const record = toRecord(row);
  return textOfJson({ ...viewOf(layouts, record), daybook: record });
}

/** The result file of a row; undefined: it has none. */
export function resultFileOf(
  layouts: Layouts,
  row: Row,
): { path: string; text: string } | undefined {
  const worker = workerFilesOf(layouts, row.kind);
  if (worker === undefined || row.endedAt === null) return undefined;
  return { path: resultPath(worker, row.id), text: textOfJson(worker.result(toRecord(row))) };
}

function textOfJson(json: unknown): string {
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Writes a file whole, and its folder if somebody removed it. */
export function writeShown(root: string, path: string, text: string): Stats {
  const file = join(root, path);
  try {
    return writeWhole(file, text);
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(path));
    return writeWhole(file, text);
  }
}

/** Moves a file to another folder: its record is never in two. */
export function moveRecord(root: string, from: string, to: string): void {
  const move = (): void => renameSync(join(root, from), join(root, to));
  try {
    move();
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(to));
    // Somebody took the file away: it is written anew.
    if (lstatSync(join(root, from), { throwIfNoEntry: false }) !== undefined) move();
  }
}

export function removeShown(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
}

/** Makes a folder and those above it, up to the root. None of them may be a link. */
export function makeFolder(root: string, folder: string): void {
  let path = root;
  for (const name of folder.split("/")) {
    path = join(path, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(path, { mode: 0o700 });
    else if (!stat.isDirectory()) throw fault("refused", path, "is no folder: move it away.");
  }
}
