import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { oneLine } from "../../platform/text.ts";
import { writeAtomic, exists } from "./atomic-file.ts";

/** The reasons written beside files in quarantine. */
export const quarantineReasons = {
  folder: "Only pending/ accepts files: write it there under a temporary name, then rename it.",
  foreign:
    "It belongs to a record that is not in this ledger: remove its daybook field, then drop it in pending/.",
  unread: "Files of this kind are not accepted here.",
  copy: "It copies a record whose file is in another folder.",
  second: "A file with this id existed before it.",
  stray: "It does not belong to a record of this ledger.",
  again: (id: string) => `It was dropped before: ${id} is there already, so nothing new was done.`,
  threw: (error: unknown) =>
    error instanceof DaybookError
      ? error.message
      : `It cannot be read: ${oneLine(messageOf(error), 300)}.`,
  taken: (id: string) => `${id} exists with other content: give the new file an id of its own.`,
  missing: (kind: string) => `There is no ${kind} with this id.`,
  ended: (kind: string, state: string) => `The ${kind} had already ended (${state}).`,
  held: (kind: string, holder: string) =>
    `${holder} has claimed the ${kind}: only its result is accepted.`,
  waits: (kind: string) =>
    `The ${kind} cannot be claimed now: wait until it is due, then move its file first.`,
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

/** Moves a file of another program to quarantine under a new name. Answers that name. */
export function quarantineFile(root: string, path: string, reason: string): string {
  const from = join(root, path);
  const quarantine = quarantineIn(root);
  const plain = basename(path).replaceAll(/[^A-Za-z0-9._:@+=,~-]/g, "-");
  const stem = plain.replace(/\.json$/, "").slice(0, 160);
  const first = `${Math.floor(lstatSync(from).mtimeMs)}-${stem}`;
  let name = `${first}.json`;
  for (let next = 2; exists(join(quarantine, name)); next += 1) name = `${first}-${next}.json`;
  // The reason is written first: a crash may leave a reason without its file, never a file without its reason.
  writeAtomic(join(quarantine, `${name}.reason`), `${path}: ${reason}\n`);
  renameSync(from, join(quarantine, name));
  return name;
}

/** Dropped files and results that are in quarantine. */
export interface Quarantined {
  readonly files: number;
  /** The newest file with its reason. */
  readonly newest: string | null;
}

/** What is in a folder's quarantine. A ledger may be open on the folder. */
export function quarantinedIn(folder: string): Quarantined {
  const quarantine = join(folder, "quarantine");
  const names = exists(quarantine) ? readdirSync(quarantine) : [];
  const reasons = names.filter((name) => name.endsWith(reasonEnding));
  const [newest] = reasons
    .map((name) => ({ name, at: lstatSync(join(quarantine, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  const reason = newest && readFileSync(join(quarantine, newest.name), "utf8").trim();
  return { files: reasons.length, newest: reason ?? null };
}

/** The reason beside the bytes of a torn commit ends otherwise: no program wrote these. */
const reasonEnding = ".json.reason";

function quarantineIn(folder: string): string {
  const quarantine = join(folder, "quarantine");
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  return quarantine;
}
