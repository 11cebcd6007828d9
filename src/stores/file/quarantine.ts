import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import { fileName } from "./layouts.ts";

/** The reasons that are written beside files in quarantine. */
export const quarantineReasons = {
  folder: "Only pending/ takes files: write it there under another name, and rename it.",
  foreign:
    "It has the mark of a record that is not in this ledger: remove its daybook key, then drop it in pending/.",
  unread: "Nobody here takes such files.",
  copy: "It is a copy of a record that is elsewhere in this ledger.",
  second: "Another file with this id was there first.",
  stray: "It shows no record of this ledger.",
  taken: (id: string) =>
    `${id} is there already and says something else: give what is new an id of its own.`,
  missing: (kind: string) => `There is no ${kind} of this name.`,
  ended: (kind: string, state: string) => `The ${kind} had ended ${state} before.`,
  held: (kind: string, holder: string) =>
    `${holder} is at work on the ${kind}: only its result is taken.`,
  waits: (kind: string) =>
    `The ${kind} is not to be worked on now: wait until it is due, and move its file first.`,
} as const;

/** Writes bytes into the quarantine folder, with the reason beside. */
export function quarantineBytes(
  folder: string,
  name: string,
  { content, reason }: { content: Buffer; reason: string },
): void {
  const path = join(quarantineIn(folder), name);
  writeAtomic(`${path}.reason`, `${reason}\n`);
  rmSync(path, { force: true });
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
}

/** Moves a file of another program there, under a new name. Answers that name. */
export function quarantineFile(root: string, path: string, reason: string): string {
  const from = join(root, path);
  const aside = quarantineIn(root);
  const stem = fileName(basename(path).replace(/\.json$/, ""));
  const first = `${Math.floor(lstatSync(from).mtimeMs)}-${stem}`;
  let name = `${first}.json`;
  for (let next = 2; isThere(join(aside, name)); next += 1) name = `${first}-${next}.json`;
  // The reason comes first: after a crash there may be one without its file, never the other way.
  writeAtomic(join(aside, `${name}.reason`), `${path}: ${reason}\n`);
  renameSync(from, join(aside, name));
  return name;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function quarantineIn(folder: string): string {
  const aside = join(folder, "quarantine");
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  return aside;
}
