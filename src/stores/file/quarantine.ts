import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeWhole } from "./atomic-file.ts";
import { fileName } from "./file-name.ts";

/** Puts bytes where nothing reads them, with the reason beside. */
export function quarantine(
  folder: string,
  name: string,
  { content, reason }: { content: Buffer; reason: string },
): void {
  const path = join(quarantineIn(folder), name);
  writeWhole(`${path}.reason`, `${reason}\n`);
  rmSync(path, { force: true });
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
}

/** Puts somebody's file there, by its path. What is there already stays. Answers what it is called. */
export function setAside(root: string, path: string, reason: string): string {
  const from = join(root, path);
  const aside = quarantineIn(root);
  const stem = fileName(basename(path).replace(/\.json$/, ""));
  const first = `${Math.floor(lstatSync(from).mtimeMs)}-${stem}`;
  let name = `${first}.json`;
  for (let next = 2; isThere(join(aside, name)); next += 1) name = `${first}-${next}.json`;
  // The reason comes first: after a crash there may be one without its file, never the other way.
  writeWhole(join(aside, `${name}.reason`), `${path}: ${reason}\n`);
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
