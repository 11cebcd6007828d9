import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { DaybookError } from "./base/errors.ts";
import { check } from "./config/check.ts";
import { readDocument } from "./config/document.ts";
import { findFile, type Found } from "./config/find.ts";
import {
  envLayer,
  fileLayer,
  flagLayer,
  systemLayer,
  type Environment,
  type Flags,
  type Layer,
  type Notes,
} from "./config/layers.ts";
import { originsOf, type Origin } from "./config/origins.ts";
import { complete, resolveConfig, type Config } from "./config/resolve.ts";
import type { Settings } from "./config/schema.ts";
import { reveal } from "./config/secrets.ts";
import { merge } from "./config/tree.ts";

export interface ConfigParts {
  env: Environment;
  /** By key, as in `{ "http.port": "80" }`; `config` names the file. */
  flags: Flags;
  /** Where relative paths of variables and flags start; those in a file start at the file. */
  cwd: string;
  isTerminal: boolean;
  /** The text of a file; nothing when there is none; throws when it cannot be read. */
  readText(path: string): string | undefined;
}

export interface Loaded {
  config: Config;
  file: string | null;
  origins: readonly Origin[];
  warnings: readonly string[];
}

/** Flag over variable over file over default. Throws every problem at once. */
export function loadConfig(parts: ConfigParts): Loaded {
  const notes: Notes = { problems: [], warnings: [] };
  const found = findFile(parts);
  const written = [systemLayer(parts.env, parts.cwd), ...readLayer(found, notes)];
  const layers = [
    ...written,
    envLayer(parts.env, parts.cwd, notes),
    flagLayer(parts.flags, parts.cwd, notes),
  ];
  // The file by itself too: a variable of this shell must not hide what is wrong in it.
  settingsFrom(written, parts, notes);
  const settings = settingsFrom(layers, parts, notes);
  if (settings === undefined || notes.problems.length > 0) throw refusal(notes.problems);
  const whole = complete(settings, layers, parts);
  return {
    config: resolveConfig(whole, layers, parts),
    file: found?.path ?? null,
    origins: originsOf(whole, layers),
    warnings: [...new Set(notes.warnings)],
  };
}

function readLayer(found: Found | undefined, notes: Notes): Layer[] {
  if (found === undefined) return [];
  const document = readDocument(found.text, found.name);
  notes.problems.push(...document.problems);
  return [fileLayer(document, dirname(found.path), notes)];
}

function settingsFrom(
  layers: readonly Layer[],
  { env, readText }: ConfigParts,
  notes: Notes,
): Settings | undefined {
  const tree = layers.map(({ tree }) => tree).reduce<unknown>(merge, undefined);
  return check(reveal(tree, layers, { env, readText, notes }), layers, notes);
}

const problemsMax = 50;

function refusal(all: readonly string[]): DaybookError {
  // Numbers as numbers, so that line 9 comes before line 10.
  const inOrder = new Intl.Collator("en", { numeric: true });
  const problems = [...new Set(all)].toSorted(inOrder.compare);
  const told = problems
    .slice(0, problemsMax)
    .map((line) => (/[.?]$/.test(line) ? line : `${line}.`));
  const more = problems.length - told.length;
  if (more > 0) told.push(`… and ${more} more.`);
  return new DaybookError("invalid", told.join("\n"), { details: { problems } });
}

/** What this process is set to: its variables, and a file if there is one. */
export function readConfig(env: Environment, isTerminal: boolean, flags: Flags = {}): Config {
  return loadConfig({ env, flags, cwd: process.cwd(), isTerminal, readText }).config;
}

/** The text of a file on this machine; nothing when there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
