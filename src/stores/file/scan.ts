import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Looked, OutsideDesk } from "./context.ts";
import { takeIn } from "./dropped-file.ts";
import { markOf } from "./embedded-record.ts";
import { hasErrno } from "./errno.ts";
import { readOutside } from "./external-file.ts";
import type { DropKind } from "./external.ts";
import { isDropPlace, knownFolders, nameOf, resultFolder } from "./layouts.ts";
import { dropReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { isOurs, takeResult } from "./results.ts";
import { takeMoved } from "./workers.ts";

/** Where something new may be at any time. The others are looked through now and then. */
const busy = knownFolders.filter((each) => isDropPlace(`${each}/`) || each.endsWith("in_progress"));

/** Files that are not known to be where they are: none of the others is read, however many there are.
 * With `seen`, all folders are looked through, and all names in them are put there. */
export async function strangeFiles(
  desk: OutsideDesk,
  seen: Set<string> | undefined,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of seen === undefined ? busy : await allFolders(desk.root)) {
    const names = await ifThere(readdir(join(desk.root, folder)));
    for (const [index, name] of names.entries()) {
      if (index % namesAtOnce === 0) await turn();
      const place = `${folder}/${name}`;
      seen?.add(place);
      if (isStrange(desk, folder, name)) found.push(place);
    }
  }
  return found.toSorted();
}

/** Folders of all kinds and states, also such as somebody made by hand, and those above them. */
async function allFolders(root: string): Promise<readonly string[]> {
  const kinds = await foldersIn(root, "queue");
  const states = await Promise.all(kinds.map((kind) => foldersIn(root, kind)));
  return [resultFolder, "queue", ...kinds, ...states.flat()];
}

async function foldersIn(root: string, folder: string): Promise<readonly string[]> {
  const found = await ifThere(readdir(join(root, folder), { withFileTypes: true }));
  return found.filter((each) => each.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

/** Whether a file of this name may be somebody else's. */
export function isStrange(desk: OutsideDesk, folder: string, name: string): boolean {
  if (name.startsWith(".") || !name.endsWith(".json")) return false;
  const place = `${folder}/${name}`;
  return folder === resultFolder ? !isOurs(desk, place) : desk.shown.idAt(place) === undefined;
}

/** Names are looked at so many in a turn of the event loop: nobody waits for all of them. */
const namesAtOnce = 1000;

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function ifThere<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    return []; // somebody removed it: it is made when it is needed
  }
}

/** Shows again what somebody removed or moved away. */
export async function showMissing(desk: OutsideDesk, seen: ReadonlySet<string>): Promise<void> {
  const { root, shown } = desk;
  for (const place of shown.places()) {
    const id = shown.idAt(place);
    if (id === undefined || seen.has(place) || !knownFolders.includes(dirname(place))) continue;
    if (lstatSync(join(root, place), { throwIfNoEntry: false }) !== undefined) continue;
    const row = await desk.look(id);
    if (row !== undefined) desk.show(row);
  }
}

/** Looks at one file, and does with it what is to be done. */
export async function lookAt(desk: OutsideDesk, place: string): Promise<Looked> {
  if (dirname(place) === resultFolder) return takeResult(desk, place);
  const { root } = desk;
  const read = readOutside(root, place, desk.now());
  if (read.is === "gone") return "done";
  if (read.is === "half") return "again";
  if (read.is === "bad") return aside(root, place, read.reason);
  const { json } = read;
  const mark = markOf(json);
  const id = mark?.id ?? json["id"];
  const isNamed = typeof id === "string" && basename(place) === `${nameOf(id)}.json`;
  const row = isNamed ? await desk.look(id) : undefined;
  const isDrop = isDropPlace(place);
  if (row !== undefined && (mark !== undefined || !isDrop)) {
    return takeMoved(desk, { place, json, row });
  }
  if (mark !== undefined) return aside(root, place, dropReasons.mark);
  if (!isDrop) return aside(root, place, dropReasons.folder);
  return takeIn(desk, { kind: kindAt(place), place, json });
}

function aside(root: string, place: string, reason: string): Looked {
  setAside(root, place, reason);
  return "done";
}

const kinds = new Map<string | undefined, DropKind>([
  ["events", "event"],
  ["tasks", "task"],
  ["messages", "notification"],
]);

function kindAt(place: string): DropKind {
  return kinds.get(place.split("/")[1]) ?? "event";
}
