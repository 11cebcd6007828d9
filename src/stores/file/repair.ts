import { lstatSync, readdirSync, readFileSync, rmSync, type Dirent } from "node:fs";
import { basename, join } from "node:path";
import { systemClock } from "../../platform/clock.ts";
import type { Model } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { halfName } from "./atomic-file.ts";
import { isTaken, markIn } from "./embedded-record.ts";
import { shownFiles, type Shown } from "./file-index.ts";
import { sealAt } from "./fingerprint.ts";
import { isDropPlace, knownFolders, nameOf, resultFolder, resultPlace } from "./layouts.ts";
import { dropReasons } from "./quarantine-reasons.ts";
import { setAside } from "./quarantine.ts";
import { makeFolder, placeOfRow, resultTextOf, textOf } from "./record-file.ts";

export interface Repaired {
  readonly shown: Shown;
  /** Records without a file, or with an older one. */
  readonly missing: readonly Row[];
  /** Files that somebody moved or wrote while nobody looked. */
  readonly strange: readonly string[];
}

/** Looks at every file, and removes those that show no record. What others dropped is left alone. */
export function repair(root: string, model: Model): Repaired {
  for (const folder of [...knownFolders, resultFolder]) makeFolder(root, folder);
  const missing = new Map([...model.rows.values()].map((row) => [placeOfRow(row), row]));
  const shown = shownFiles();
  const taken = new Set<string>();
  const strange: string[] = [];
  const results = repairResults(root, model);
  const lookAt = (place: string, entry: Dirent): void => {
    const row = missing.get(place);
    const moved = row === undefined ? takenBy(root, place, { entry, model }) : undefined;
    if (moved !== undefined) {
      shown.set(moved.id, place);
      taken.add(moved.id);
      strange.push(place);
    } else if (row === undefined) {
      removeStray(root, place, { entry, model });
    } else if (entry.isFile() && textAt(root, place) === textOf(row)) {
      shown.set(row.id, place);
      const result = resultHas(root, row, { results, shown });
      if (result !== "nothing") missing.delete(place);
      if (result === "another's") strange.push(resultPlace(row.id));
    }
  };
  for (const folder of foldersIn(root, "queue").flatMap((kind) => foldersIn(root, kind))) {
    for (const entry of entriesIn(root, folder)) lookAt(`${folder}/${entry.name}`, entry);
  }
  return { shown, strange, missing: [...missing.values()].filter(({ id }) => !taken.has(id)) };
}

interface Found {
  readonly entry: Dirent;
  readonly model: Model;
}

/** A pending task whose file somebody moved, to work on it. Whether they may is seen later. */
function takenBy(root: string, place: string, { entry, model }: Found): Row | undefined {
  if (!place.startsWith("queue/tasks/in_progress/") || !entry.isFile()) return undefined;
  const mark = markIn(textAt(root, place));
  const row = mark === undefined ? undefined : model.rows.get(mark.id);
  if (mark === undefined || row === undefined || !isTaken(mark, row)) return undefined;
  return entry.name === `${nameOf(row.id)}.json` ? row : undefined;
}

/** What the result file of a row has in it. What somebody wrote is not written over unread. */
function resultHas(
  root: string,
  row: Row,
  { results, shown }: { results: ReadonlySet<string>; shown: Shown },
): "ours" | "another's" | "nothing" {
  const text = resultTextOf(row);
  if (text === undefined) return "ours";
  const place = resultPlace(row.id);
  const seal = sealAt(root, place); // before the look: what is put there after it has another
  const found = results.has(place) ? textAt(root, place) : "";
  if (found === text) {
    if (seal !== undefined) shown.results.set(place, seal);
    return "ours";
  }
  return found === "" || /"daybook": \{/.test(found) ? "nothing" : "another's";
}

/** Ours whose task is forgotten go; what others wrote is left for whoever takes it. Gives the files. */
function repairResults(root: string, model: Model): ReadonlySet<string> {
  const places = new Set<string>();
  const tasks = new Set<string>();
  for (const { id, kind } of model.rows.values()) if (kind === "task") tasks.add(resultPlace(id));
  for (const entry of entriesIn(root, resultFolder)) {
    const place = `${resultFolder}/${entry.name}`;
    if (!entry.isFile()) continue;
    places.add(place);
    const isOurs = entry.name.endsWith(".json") && !tasks.has(place) && isResult(root, place);
    if (isOurs || isForgottenHalf(root, place)) rmSync(join(root, place));
  }
  return places;
}

/** Whether it is a result as we show it. */
function isResult(root: string, place: string): boolean {
  return /\n {2}"daybook": \{\n {4}"state": [^\n]*\n {4}"finished_at": /.test(textAt(root, place));
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

/** An older file of ours is only removed: the journal has the truth. Any other may be somebody's. */
function removeStray(root: string, place: string, { entry, model }: Found): void {
  if (isForgottenHalf(root, place)) return rmSync(join(root, place));
  if (!entry.name.endsWith(".json") || entry.name.startsWith(".")) return;
  const mark = entry.isFile() ? markIn(textAt(root, place)) : undefined;
  const isOurs = mark !== undefined && entry.name === `${nameOf(mark.id)}.json`;
  const isDrop = isDropPlace(place);
  // What is forgotten had ended: in a place for drops, it is of another ledger.
  if (isOurs && (model.rows.has(mark.id) || !isDrop)) rmSync(join(root, place));
  else if (isOurs) setAside(root, place, dropReasons.mark);
  else if (!isDrop) setAside(root, place, "It shows no record of this ledger.");
}

const forgottenMs = 3_600_000;

/** Half-written, by us or by somebody who died or drops it right now. */
function isForgottenHalf(root: string, place: string): boolean {
  if (!basename(place).startsWith(halfName)) return false;
  const path = join(root, place);
  const isOpen = isDropPlace(place) || place.startsWith(`${resultFolder}/`);
  return !isOpen || systemClock().wall() - lstatSync(path).mtimeMs > forgottenMs;
}

function textAt(root: string, place: string): string {
  try {
    return readFileSync(join(root, place), "utf8");
  } catch {
    return ""; // nobody's to read: it shows nothing
  }
}
