import { lstatSync, mkdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import { toRecord, type Row } from "../memory/row.ts";
import { writeWhole } from "./atomic-file.ts";
import { fault, hasErrno } from "./errno.ts";
import { placeOf } from "./layouts.ts";
import { resultOf, viewOf } from "./seed-view.ts";

/** A record as its file shows it: in its readers' words, and then whole. */
export function textOf(row: Row): string {
  const record = toRecord(row);
  return `${JSON.stringify({ ...viewOf(record), daybook: record }, null, 2)}\n`;
}

export function placeOfRow(row: Row): string {
  return placeOf(toRecord(row));
}

/** What the result file of a row says; undefined: it has none. */
export function resultTextOf(row: Row): string | undefined {
  const record = toRecord(row);
  if (!is(taskKind, record) || record.endedAt === null) return undefined;
  return `${JSON.stringify(resultOf(record), null, 2)}\n`;
}

/** Writes a file whole, and its folder if somebody removed it. */
export function writeShown(root: string, place: string, text: string): Stats {
  const path = join(root, place);
  try {
    return writeWhole(path, text);
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(place));
    return writeWhole(path, text);
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

export function removeShown(root: string, place: string): void {
  rmSync(join(root, place), { force: true });
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
