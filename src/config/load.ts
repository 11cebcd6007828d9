import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DaybookError, messageOf } from "../base/errors.ts";
import { check, refusal } from "./check.ts";
import { readDocument } from "./document.ts";
import { exampleConfig } from "./example.ts";
import { findFile, namedFile, type Found } from "./find.ts";
import {
  envLayer,
  fileLayer,
  flagLayer,
  systemLayer,
  type Environment,
  type Flags,
  type Layer,
  type Notes,
} from "./layers.ts";
import { openSchema, optionLayers } from "./options.ts";
import { originsOf, type Origin } from "./origins.ts";
import { complete, resolveConfig, type Config } from "./resolve.ts";
import { schema, type Settings } from "./schema.ts";
import { reveal } from "./secrets.ts";
import { merge } from "./tree.ts";

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
  { env, readText }: Pick<ConfigParts, "env" | "readText">,
  notes: Notes,
): Settings | undefined {
  const tree = layers.map(({ tree }) => tree).reduce<unknown>(merge, undefined);
  return check(schema, reveal(tree, layers, { env, readText, notes }), layers, notes);
}

/** The settings of a program that opens a book. Throws every problem at once. */
export function configFrom(options: unknown): Config {
  const notes: Notes = { problems: [], warnings: [] };
  const { given, settings: layer } = optionLayers(options, process.cwd());
  check(openSchema, given.tree, [given], notes);
  const parts = { env: process.env, isTerminal: false, readText };
  const settings = notes.problems.length === 0 ? settingsFrom([layer], parts, notes) : undefined;
  if (settings === undefined || notes.problems.length > 0) throw refusal(notes.problems);
  return resolveConfig(complete(settings, [layer], parts), [layer], parts);
}

/** What this process is set to: its variables, and a file if there is one. */
export function readConfig(env: Environment, isTerminal: boolean, flags: Flags = {}): Config {
  return loadConfig({ env, flags, cwd: process.cwd(), isTerminal, readText }).config;
}

/** Writes a file to begin with, and says where; never over one that is there. */
export function writeExample(env: Environment, flags: Flags): string {
  const path = resolve(namedFile(env, flags) ?? "daybook.yaml");
  try {
    writeFileSync(path, exampleConfig(), { flag: "wx" });
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") {
      const sentence = `${path} is there already: edit it, or name another with --config.`;
      throw new DaybookError("conflict", sentence, { cause });
    }
    const sentence = `${path} cannot be written (${messageOf(cause)}): name another with --config.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
  return `Written: ${path}. Take the # from what you want to set, then: daybook config check`;
}

/** The text of a file on this machine; nothing when there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
