import { lstatSync, readdirSync, readFileSync, rmSync, type Dirent } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../../platform/clock.ts";
import type { Model } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { temporaryPrefix } from "./atomic-file.ts";
import { type FileIndex, fileIndex, fingerprintAt } from "./file-index.ts";
import {
  type Layouts,
  claimFilesAt,
  isDropPath,
  isNameOf,
  pathOf,
  recordRoots,
  resultPath,
  workerFilesOf,
} from "./layouts.ts";
import { quarantineReasons, quarantineFile } from "./quarantine.ts";
import { embeddedIn, isFree, makeFolder, resultFileOf, textOf } from "./record-file.ts";

export interface Repaired {
  readonly index: FileIndex;
  /** Records without a file, or with an older one. */
  readonly missing: readonly Row[];
  /** Files that other programs moved or wrote while the ledger was closed. */
  readonly unknown: readonly string[];
}

interface Folder {
  readonly root: string;
  readonly layouts: Layouts;
  readonly model: Model;
}

/** Compares every file with its record, and removes those without one. Dropped files stay. */
export function repair(folder: Folder): Repaired {
  const { root, layouts, model } = folder;
  for (const each of [...layouts.folders, ...layouts.resultFolders]) makeFolder(root, each);
  for (const each of recordRoots) makeFolder(root, each);
  const rows = [...model.rows.values()];
  const missing = new Map(rows.map((row) => [pathOf(layouts, row), row]));
  const index = fileIndex();
  const claimed = new Set<string>();
  const unknown: string[] = [];
  const results = repairResults(folder);
  const check = (path: string, entry: Dirent): void => {
    const row = missing.get(path);
    const moved = row === undefined ? movedRowAt(folder, path, entry) : undefined;
    if (moved !== undefined) {
      index.set(moved.id, path);
      claimed.add(moved.id);
      unknown.push(path);
    } else if (row === undefined) {
      removeStray(folder, path, entry);
    } else if (entry.isFile() && textAt(root, path) === textOf(layouts, row)) {
      index.set(row.id, path);
      const result = resultState(folder, row, { results, index });
      if (result.state !== "missing") missing.delete(path);
      if (result.state === "foreign") unknown.push(result.path);
    }
  };
  const kinds = recordRoots.flatMap((each) => foldersIn(root, each));
  for (const each of kinds.flatMap((kind) => foldersIn(root, kind))) {
    for (const entry of entriesIn(root, each)) check(`${each}/${entry.name}`, entry);
  }
  return { index, unknown, missing: [...missing.values()].filter(({ id }) => !claimed.has(id)) };
}

/** A record without a lease whose file was moved to claim it. The claim is decided later. */
function movedRowAt(
  { root, layouts, model }: Folder,
  path: string,
  entry: Dirent,
): Row | undefined {
  const files = claimFilesAt(layouts, path);
  if (files === undefined || !entry.isFile()) return undefined;
  const embedded = embeddedIn(textAt(root, path));
  const row = embedded && model.rows.get(embedded.id);
  if (embedded === undefined || row === undefined) return undefined;
  if (!isFree(embedded, row, files.state)) return undefined;
  return entry.name === `${layouts.nameOf(row.id)}.json` ? row : undefined;
}

type ResultState =
  | { readonly state: "right" | "missing" }
  | { readonly state: "foreign"; readonly path: string };

/** The state of a row's result file, if the row has one. A worker's file is never overwritten unread. */
function resultState(
  { root, layouts }: Folder,
  row: Row,
  { results, index }: { results: ReadonlySet<string>; index: FileIndex },
): ResultState {
  const result = resultFileOf(layouts, row);
  if (result === undefined) return { state: "right" };
  const { path, text } = result;
  const fingerprint = fingerprintAt(root, path); // before the read: a later replacement has another one
  const found = results.has(path) ? textAt(root, path) : "";
  if (found === text) {
    if (fingerprint !== undefined) index.written.set(path, fingerprint);
    return { state: "right" };
  }
  const isForeign = found !== "" && !/"daybook": \{/.test(found);
  return isForeign ? { state: "foreign", path } : { state: "missing" };
}

/** Removes result files of pruned records that the store wrote. Answers the paths of the others. */
function repairResults({ root, layouts, model }: Folder): ReadonlySet<string> {
  const paths = new Set<string>();
  const known = new Set<string>();
  for (const { id, kind } of model.rows.values()) {
    const files = workerFilesOf(layouts, kind);
    if (files !== undefined) known.add(resultPath(layouts, files, id));
  }
  for (const folder of layouts.resultFolders) {
    for (const entry of entriesIn(root, folder)) {
      const path = `${folder}/${entry.name}`;
      if (!entry.isFile()) continue;
      paths.add(path);
      const isPruned = entry.name.endsWith(".json") && !known.has(path) && isResult(root, path);
      if (isPruned || isOldTemporary(root, layouts, path)) rmSync(join(root, path));
    }
  }
  return paths;
}

/** Whether the store wrote the result file. */
function isResult(root: string, path: string): boolean {
  return /\n {2}"daybook": \{\n {4}"state": [^\n]*\n {4}"finished_at": /.test(textAt(root, path));
}

function entriesIn(root: string, folder: string): readonly Dirent[] {
  return readdirSync(join(root, folder), { withFileTypes: true });
}

function foldersIn(root: string, folder: string): readonly string[] {
  const found = entriesIn(root, folder).filter(
    (each) => each.isDirectory() || each.isSymbolicLink(),
  );
  for (const { name } of found) makeFolder(root, `${folder}/${name}`); // refuses a link
  return found.map(({ name }) => `${folder}/${name}`);
}

/** Removes an outdated file that the store wrote. Quarantines files of other programs. */
function removeStray({ root, layouts, model }: Folder, path: string, entry: Dirent): void {
  if (isOldTemporary(root, layouts, path)) return rmSync(join(root, path));
  if (!entry.name.endsWith(".json") || entry.name.startsWith(".")) return;
  const embedded = entry.isFile() ? embeddedIn(textAt(root, path)) : undefined;
  const isRecordFile = embedded !== undefined && isNameOf(entry.name, embedded.id);
  const isDrop = isDropPath(layouts, path);
  // A pruned record had ended, so a record's file in a drop folder is from another ledger.
  if (isRecordFile && (model.rows.has(embedded.id) || !isDrop)) rmSync(join(root, path));
  else if (isRecordFile) quarantineFile(root, path, quarantineReasons.foreign);
  else if (!isDrop) quarantineFile(root, path, quarantineReasons.stray);
}

const temporaryMsMax = 3_600_000;

/** An unfinished file. In a shared folder it may be another program's, until it is an hour old. */
function isOldTemporary(root: string, layouts: Layouts, path: string): boolean {
  if (!basename(path).startsWith(temporaryPrefix)) return false;
  const isShared = isDropPath(layouts, path) || layouts.resultFolders.includes(dirname(path));
  return !isShared || systemClock().wall() - lstatSync(join(root, path)).mtimeMs > temporaryMsMax;
}

function textAt(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return ""; // an unreadable file shows no record
  }
}
