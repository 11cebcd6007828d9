import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TaskDefinition } from "../../features/tasks/index.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { merge } from "../../platform/settings/tree.ts";
import { check, refusal } from "./check.ts";
import { readDocument } from "./document.ts";
import type { Environment } from "./environment.ts";
import { exampleConfig } from "./example.ts";
import { findFile, namedFile, type Found } from "./find.ts";
import { functionHandlers, functionProblems } from "./function-handlers.ts";
import {
  envLayer,
  fileLayer,
  flagLayer,
  systemLayer,
  type Flags,
  type Layer,
  type Notes,
} from "./layers.ts";
import { readText } from "./machine.ts";
import { openSchema, optionLayers } from "./options.ts";
import { originsOf, type Origin } from "./origins.ts";
import { complete, readFolder, resolveConfig, type Config } from "./resolve.ts";
import { schema, type Settings } from "./schema.ts";
import { reveal } from "./secrets.ts";
import { whenProblems } from "./when-check.ts";

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
  notes.problems.push(...whenProblems(lookedAt(layers, parts, notes)));
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

/** Without the problems of its secrets, which are told with the rest. */
function lookedAt(
  layers: readonly Layer[],
  parts: Pick<ConfigParts, "env" | "readText" | "isTerminal">,
  { warnings }: Notes,
): Parameters<typeof whenProblems>[0] {
  const unsaid: Notes = { problems: [], warnings: [] };
  const joined = layers.map(({ tree }) => tree).reduce<unknown>(merge, undefined);
  const tree = reveal(joined, layers, { ...parts, notes: unsaid });
  const warn = (line: string): void => void warnings.push(line);
  return { tree, layers, warn, folder: readFolder(tree, layers, parts.env) };
}

/** The settings of a program that opens a book. Throws every problem at once. */
export function configFrom(options: unknown): Config {
  const notes: Notes = { problems: [], warnings: [] };
  const { given, settings: layer } = optionLayers(options, process.cwd());
  check(openSchema, given.tree, [given], notes);
  const parts = { env: process.env, isTerminal: false, readText };
  const settings = notes.problems.length === 0 ? settingsFrom([layer], parts, notes) : undefined;
  notes.problems.push(...whenProblems({ ...lookedAt([layer], parts, notes), folder: null }));
  if (settings === undefined || notes.problems.length > 0) throw refusal(notes.problems);
  const config = resolveConfig(complete(settings, [layer], parts), [layer], parts);
  return withFunctions(config, (options as { tasks?: readonly TaskDefinition[] }).tasks); // checked
}

/** Functions may subscribe by themselves. */
function withFunctions(config: Config, tasks: readonly TaskDefinition[] = []): Config {
  const functions = functionHandlers(tasks);
  if (functions.length === 0) return config;
  const problems = functionProblems(functions, config.when.handlers);
  if (problems.length > 0) throw refusal(problems);
  return { ...config, when: { ...config.when, handlers: [...config.when.handlers, ...functions] } };
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

/** Whoever reads it meanwhile reads the old one or the new one. */
export function replaceFile(file: string, text: string, before: string | undefined): void {
  if (readText(file) !== before) {
    throw new DaybookError("conflict", `${file} was changed meanwhile: ask again.`);
  }
  try {
    const place = placeOf(file);
    const fresh = `${place.path}.${randomUUID()}.tmp`;
    try {
      writeFileSync(fresh, text, { flag: "wx", mode: place.mode });
      renameSync(fresh, place.path);
    } finally {
      rmSync(fresh, { force: true });
    }
  } catch (cause) {
    const sentence = `${file} cannot be written (${messageOf(cause)}): name another with --config.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

/** Where it really is: a link stays one. */
function placeOf(file: string): { path: string; mode: number } {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return { path: file, mode: 0o644 };
  return { path: realpathSync(file), mode: stat.mode & 0o777 };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
