import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { toRecord, type Row } from "../memory/row.ts";
import { fault, hasErrno } from "./errno.ts";
import { placeOf } from "./place.ts";
import { writeWhole } from "./whole-file.ts";

/** A record as its file shows it. */
export function textOf(row: Row): string {
  return `${JSON.stringify(toRecord(row), null, 2)}\n`;
}

export function placeOfRow(row: Row): string {
  return placeOf(toRecord(row));
}

/** Writes a record's file whole, and its folder if somebody removed it. */
export function writeRecord(root: string, place: string, row: Row): void {
  const path = join(root, place);
  try {
    writeWhole(path, textOf(row));
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(place));
    writeWhole(path, textOf(row));
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

export function removeRecord(root: string, place: string): void {
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
