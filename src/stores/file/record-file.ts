import { type Stats, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AnyRecord } from "../../kernel/record.ts";
import { type Row, toRecord } from "../memory/row.ts";
import { writeAtomic, exists } from "./atomic-file.ts";
import { fault, hasErrno } from "./faults.ts";
import { type Layouts, resultPath, viewOf, workerFilesOf } from "./layouts.ts";

/** The text of a record's file: the view of its layout, then in one line what the ledger keeps of it. */
export function textOf(layouts: Layouts, row: Row): string {
  const record = toRecord(row);
  const shown = JSON.stringify(viewOf(layouts, record), null, 2).replace(/\n\}$/, "");
  return `${shown},\n  "daybook": ${JSON.stringify(innerOf(record))}\n}\n`;
}

/** What the text of a record's file must have, so that a file which another program moved can be told. */
function innerOf(record: AnyRecord): EmbeddedRecord & Pick<AnyRecord, "kind" | "state"> {
  const { kind, id, state, revision, attempt, wakeAt, lease } = record;
  return { kind, id, state, revision, attempt, wakeAt, lease };
}

/** The result file of a row; undefined: it has none. */
export function resultFileOf(
  layouts: Layouts,
  row: Row,
): { path: string; text: string } | undefined {
  const worker = workerFilesOf(layouts, row.kind);
  if (worker === undefined || row.endedAt === null) return undefined;
  return {
    path: resultPath(layouts, worker, row.id),
    text: textOfJson(worker.result(toRecord(row))),
  };
}

function textOfJson(json: unknown): string {
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Writes a file atomically, and its folder if it was removed. */
export function writeShown(root: string, path: string, text: string): Stats {
  const file = join(root, path);
  try {
    return writeAtomic(file, text);
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(path));
    return writeAtomic(file, text);
  }
}

/** Moves a file to another folder by one rename: its record is never in two folders. */
export function moveRecord(root: string, from: string, to: string): void {
  const move = (): void => renameSync(join(root, from), join(root, to));
  try {
    move();
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    makeFolder(root, dirname(to));
    // If the file was removed, it is written again.
    if (exists(join(root, from))) move();
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
    else if (!stat.isDirectory()) throw fault("refused", path, "is not a folder: move it away.");
  }
}

/** The record in a file that the store wrote. */
export interface EmbeddedRecord {
  readonly id: string;
  readonly revision: number;
  readonly attempt: number;
  readonly wakeAt?: number | null;
  readonly lease: unknown;
}

export function embeddedIn(text: string): EmbeddedRecord | undefined {
  try {
    return embeddedOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Undefined: the store did not write the file. */
export function embeddedOf(json: unknown): EmbeddedRecord | undefined {
  const file = objectOf(json);
  const { id, kind, revision, attempt, lease } = objectOf(file?.["daybook"]) ?? {};
  if (typeof id !== "string" || typeof kind !== "string") return undefined;
  if (typeof revision !== "number" || typeof attempt !== "number") return undefined;
  return { id, revision, attempt, lease };
}

/** Whether the file shows the current row, without a lease and in that state: only its folder differs. */
export function isFree(
  { id, revision, attempt, lease }: EmbeddedRecord,
  row: Row,
  state: string,
): boolean {
  if (row.lease !== null || row.state !== state || lease !== null) return false;
  return id === row.id && revision === row.revision && attempt === row.attempt;
}

export function objectOf(json: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return json as Readonly<Record<string, unknown>>;
}
