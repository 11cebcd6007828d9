import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..", "..");
export const snapshotFolder = join(root, "test", "snapshots");
/** Set by `npm run snapshots`. */
const isUpdating = process.env["DAYBOOK_SNAPSHOTS"] === "update";
/** The files that this run compared or wrote. */
export const compared = new Set<string>();

/** Compares texts with their committed snapshots, by file name, or writes the snapshots. */
export function matchSnapshots(texts: Readonly<Record<string, string>>): void {
  const differences = Object.entries(texts).flatMap(([name, text]) => {
    assert.ok(!compared.has(name), `Two tests use the snapshot ${name}.`);
    compared.add(name);
    if (!isUpdating) return difference(name, text) ?? [];
    writeFileSync(join(snapshotFolder, name), whole(text));
    return [];
  });
  if (differences.length > 0) assert.fail(differences.join("\n\n"));
}

/** How a text differs from its snapshot, for whoever reads the test's output. */
export function difference(name: string, text: string): string | undefined {
  const file = join(snapshotFolder, name);
  const actual = whole(text);
  if (existsSync(file) && readFileSync(file, "utf8") === actual) return undefined;
  const advice = "If the change is intended, run `npm run snapshots` and commit it on its own.";
  return `${relative(root, file)} differs from what the program does now. ${advice}\n${diff(file, actual)}`;
}

function whole(text: string): string {
  return `${text.trimEnd()}\n`;
}

const linesMax = 120;

/** The snapshot's lines have a minus, the program's a plus. */
function diff(file: string, actual: string): string {
  const folder = mkdtempSync(join(tmpdir(), "daybook-net-"));
  const now = join(folder, "now");
  writeFileSync(now, actual);
  try {
    const before = existsSync(file) ? file : "/dev/null";
    execFileSync("git", ["diff", "--no-index", "--no-color", "--unified=3", before, now]);
    return "";
  } catch (error) {
    const { stdout } = error as { stdout?: Buffer };
    if (stdout === undefined) throw error;
    const lines = stdout.toString().trimEnd().split("\n").slice(4);
    const more = lines.length > linesMax ? [`… ${lines.length - linesMax} more lines`] : [];
    return [...lines.slice(0, linesMax), ...more].join("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** JSON that does not depend on the order of keys: objects and lists of required names are sorted. */
export function stableJson(value: unknown): string {
  return JSON.stringify(sorted(value), null, 1);
}

function sorted(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const isSet = key === "required" && value.every((each) => typeof each === "string");
    return isSet ? value.toSorted() : value.map((each) => sorted(each));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each, name)]));
}

const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "{id}"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "{time}"],
  [/\b[0-9a-f]{16}\b/g, "{hex}"],
  [/127\.0\.0\.1:\d+/g, "{host}"],
];

/** Replaces what differs from run to run; `names` are texts of this run, such as a folder. */
export function mask(text: string, names: Readonly<Record<string, string>> = {}): string {
  const named = Object.entries(names).reduce((all, [name, each]) => {
    return each === "" ? all : all.replaceAll(each, `{${name}}`);
  }, text);
  return masks.reduce((all, [pattern, name]) => all.replaceAll(pattern, name), named);
}
