import { lstatSync, readdirSync, readFileSync, rmSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { Model } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { nameOf } from "./place.ts";
import { quarantine } from "./quarantine.ts";
import { makeFolder, placeOfRow, textOf } from "./record-file.ts";
import { halfName } from "./whole-file.ts";

/** Folders that people look into before anything is there. */
const folders = ["pending", "sent", "failed"].map((state) => `queue/messages/${state}`);

export interface Shown {
  /** Where the files of records are, by id. */
  readonly places: Map<string, string>;
  /** Records without a file, or with an older one. */
  readonly missing: readonly Row[];
}

/** Looks at every file, and removes those that show no record. */
export function repair(root: string, model: Model): Shown {
  for (const folder of folders) makeFolder(root, folder);
  const missing = new Map([...model.rows.values()].map((row) => [placeOfRow(row), row]));
  const places = new Map<string, string>();
  for (const folder of foldersIn(root, "queue").flatMap((kind) => foldersIn(root, kind))) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const place = `${folder}/${entry.name}`;
      const row = missing.get(place);
      if (!isShown(root, entry, { place, row }) || !row) continue;
      missing.delete(place);
      places.set(row.id, place);
    }
  }
  return { places, missing: [...missing.values()] };
}

function foldersIn(root: string, folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  for (const { name } of found) makeFolder(root, `${folder}/${name}`); // refuses a link
  return found.map(({ name }) => `${folder}/${name}`);
}

interface Place {
  readonly place: string;
  /** What should be there. */
  readonly row: Row | undefined;
}

/** Whether the file shows what it should. One that should not be there goes. */
function isShown(root: string, entry: Dirent, { place, row }: Place): boolean {
  const path = join(root, place);
  if (row !== undefined) return entry.isFile() && readFileSync(path, "utf8") === textOf(row);
  if (entry.name.startsWith(halfName)) rmSync(path);
  else if (entry.name.endsWith(".json")) removeStray(root, path, entry);
  return false;
}

/** An older file of ours is only removed: the journal has the truth. Any other may be somebody's. */
function removeStray(root: string, path: string, entry: Dirent): void {
  if (entry.isFile() && isOurs(path, entry.name)) return rmSync(path);
  const { mtimeMs } = lstatSync(path);
  const name = `${Math.floor(mtimeMs)}-${entry.name}`;
  quarantine(root, name, { content: path, reason: `${path} shows no record of this ledger.` });
}

function isOurs(path: string, name: string): boolean {
  try {
    const record: unknown = JSON.parse(readFileSync(path, "utf8"));
    const hasId = typeof record === "object" && record !== null && "id" in record;
    return hasId && typeof record.id === "string" && name === `${nameOf(record.id)}.json`;
  } catch {
    return false;
  }
}
