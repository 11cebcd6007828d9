import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exists } from "./atomic-file.ts";
import { appendDropped } from "./dropped-file.ts";
import { type Read, readExternal } from "./external-file.ts";
import { hasErrno } from "./faults.ts";
import { isAsWritten } from "./file-index.ts";
import { orQuarantine, type FolderContext, type Progress } from "./folder-context.ts";
import { isDropPath, recordRoots } from "./layouts.ts";
import { quarantineReasons, quarantineFile } from "./quarantine.ts";
import { embeddedOf } from "./record-file.ts";
import { handleMoved } from "./worker-claims.ts";
import { handleResult } from "./worker-results.ts";

/**
 * The files that are not in the index; no other file is read. With `seen`, all folders are scanned and all their paths
 * are added to it.
 */
export async function unknownFiles(
  context: FolderContext,
  seen: Set<string> | undefined,
): Promise<readonly string[]> {
  const { root, layouts } = context;
  const found: string[] = [];
  for (const folder of seen === undefined ? layouts.sharedFolders : await allFolders(context)) {
    const names = await orNone(readdir(join(root, folder)));
    for (const [index, name] of names.entries()) {
      if (index % namesPerTurn === 0) await turn();
      const path = `${folder}/${name}`;
      seen?.add(path);
      if (isUnknown(context, folder, name)) found.push(path);
    }
  }
  return found.toSorted();
}

/** The folders of all kinds and states, also those that people created, and their parents. */
async function allFolders({ root, layouts }: FolderContext): Promise<readonly string[]> {
  const kinds = (await Promise.all(recordRoots.map((each) => foldersIn(root, each)))).flat();
  const states = await Promise.all(kinds.map((kind) => foldersIn(root, kind)));
  return [...layouts.resultFolders, ...recordRoots, ...kinds, ...states.flat()];
}

async function foldersIn(root: string, folder: string): Promise<readonly string[]> {
  const found = await orNone(readdir(join(root, folder), { withFileTypes: true }));
  return found.filter((each) => each.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

/** Whether a file of this name may be another program's. */
export function isUnknown(context: FolderContext, folder: string, name: string): boolean {
  if (name.startsWith(".") || !name.endsWith(".json")) return false;
  const path = `${folder}/${name}`;
  const { root, layouts, index } = context;
  if (layouts.resultFolders.includes(folder)) return !isAsWritten(index, root, path);
  if (index.idAt(path) === undefined) return true;
  // A file of the same id may have replaced the record's own.
  return index.written.has(path) && !isAsWritten(index, root, path);
}

/** Names per turn of the event loop, so that other work is not delayed. */
const namesPerTurn = 1000;

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function orNone<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    return []; // a removed folder is created again when it is needed
  }
}

/** Restores files that were removed or moved away. */
export async function showMissing(
  context: FolderContext,
  seen: ReadonlySet<string>,
): Promise<void> {
  const { root, index, layouts } = context;
  for (const path of index.paths()) {
    const id = index.idAt(path);
    if (id === undefined || seen.has(path) || !layouts.folders.includes(dirname(path))) continue;
    if (exists(join(root, path))) continue;
    const row = await context.find(id);
    if (row !== undefined) context.show(row);
  }
}

/** Reads one file and handles it as a drop, a claim or a result. */
export function handleFile(context: FolderContext, path: string): Promise<Progress> {
  if (context.layouts.resultFolders.includes(dirname(path))) return handleResult(context, path);
  return orQuarantine(context, path, () => handleEntry(context, path));
}

async function handleEntry(context: FolderContext, path: string): Promise<Progress> {
  const { root, index } = context;
  const read = readExternal(root, path, context.now());
  if (read.is === "gone") return "done";
  if (read.is === "partial") return "retry";
  const replaced = index.idAt(path);
  const progress =
    read.is === "bad" ? reject(root, path, read.reason) : await handleJson(context, path, read);
  // It stood in the place of a record's own file, which is written again.
  const row = replaced === undefined ? undefined : await context.find(replaced);
  if (row !== undefined && progress === "done") context.show(row);
  return progress;
}

async function handleJson(
  context: FolderContext,
  path: string,
  { json }: Extract<Read, { is: "json" }>,
): Promise<Progress> {
  const { root, layouts } = context;
  const embedded = embeddedOf(json);
  const id = embedded?.id ?? json["id"];
  const isNamed = typeof id === "string" && basename(path) === `${layouts.nameOf(id)}.json`;
  const row = isNamed ? await context.find(id) : undefined;
  const isDrop = isDropPath(layouts, path);
  if (row !== undefined && (embedded !== undefined || !isDrop)) {
    return handleMoved(context, { path, json, row });
  }
  if (embedded !== undefined) return reject(root, path, quarantineReasons.foreign);
  if (!isDrop) return reject(root, path, quarantineReasons.folder);
  return appendDropped(context, { path, json });
}

function reject(root: string, path: string, reason: string): Progress {
  quarantineFile(root, path, reason);
  return "done";
}
