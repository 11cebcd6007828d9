import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TaskDefinition } from "../../features/tasks/index.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { withDefaults } from "../../platform/settings/about.ts";
import { merge, valueAt } from "../../platform/settings/tree.ts";
import { check, refusal } from "./check.ts";
import { problemsAcross } from "./checks.ts";
import { commandFolder, configOf, shownSettings, type Config } from "./config.ts";
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
import { defaultHome, readText } from "./machine.ts";
import { openSchema, optionLayers } from "./options.ts";
import { originsOf, type Origin } from "./origins.ts";
import { withAbsolutePaths } from "./paths.ts";
import { schema, type Settings } from "./schema.ts";
import { reveal } from "./secrets.ts";

export interface ConfigParts {
  env: Environment;
  /** By key, as in `{ "http.port": "80" }`; `config` names the file. */
  flags: Flags;
  /** Where relative paths of variables and flags start; those of a file start at its folder. */
  cwd: string;
  isTerminal: boolean;
  /** The text of a file; undefined if it does not exist; throws if it cannot be read. */
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
  // The file is also checked by itself: a variable of this shell must not hide its problems.
  read(written, parts, notes);
  const { settings, tree, absolute } = read(layers, parts, notes);
  const warn = (line: string): void => void notes.warnings.push(line);
  const folder = folderIn(absolute, layers, parts.env);
  notes.problems.push(...problemsAcross({ tree, layers, warn, folder }));
  if (settings === undefined || notes.problems.length > 0) throw refusal(notes.problems);
  const config = configOf(settings, layers, parts);
  const shown = merge(shownSettings(config), merge(tree, { home: config.home }));
  return {
    config,
    file: found?.path ?? null,
    origins: originsOf(withDefaults(schema, shown), layers),
    warnings: [...new Set(notes.warnings)],
  };
}

function readLayer(found: Found | undefined, notes: Notes): Layer[] {
  if (found === undefined) return [];
  const document = readDocument(found.text, found.name);
  notes.problems.push(...document.problems);
  return [fileLayer(document, dirname(found.path), notes)];
}

interface Read {
  /** Undefined: something is wrong with them. */
  readonly settings: Settings | undefined;
  /** As written, with secrets in place of their references. */
  readonly tree: unknown;
  /** The same with absolute paths. */
  readonly absolute: unknown;
}

function read(
  layers: readonly Layer[],
  { env, readText }: Pick<ConfigParts, "env" | "readText">,
  notes: Notes,
): Read {
  const joined = layers.map(({ tree }) => tree).reduce<unknown>(merge, undefined);
  const tree = reveal(joined, layers, { env, readText, notes });
  const absolute = withAbsolutePaths(tree, layers);
  return { settings: check(schema, { tree, absolute }, layers, notes), tree, absolute };
}

/** Where commands run, as far as it can be read. */
function folderIn(tree: unknown, layers: readonly Layer[], env: Environment): string {
  const [folder, home] = [["runners", "command", "folder"], ["home"]].map((path) =>
    valueAt(tree, path),
  );
  if (typeof folder === "string") return folder;
  return commandFolder(typeof home === "string" ? home : defaultHome(env), layers);
}

/** The settings of `open`. Throws every problem at once. */
export function configFrom(options: unknown): Config {
  const notes: Notes = { problems: [], warnings: [] };
  const { given, settings: layer } = optionLayers(options, process.cwd());
  check(openSchema, { tree: given.tree, absolute: given.tree }, [given], notes);
  const parts = { env: process.env, isTerminal: false, readText };
  // What is wrong with the options has been found, and is not reported twice.
  const isRight = notes.problems.length === 0;
  const { settings, tree } = read([layer], parts, isRight ? notes : { problems: [], warnings: [] });
  const warn = (): void => undefined;
  notes.problems.push(...problemsAcross({ tree, layers: [layer], warn, folder: null }));
  if (settings === undefined || notes.problems.length > 0) throw refusal(notes.problems);
  const config = configOf(settings, [layer], parts);
  return withFunctions(config, (options as { tasks?: readonly TaskDefinition[] }).tasks); // checked
}

/** Functions may subscribe by themselves. */
function withFunctions(config: Config, tasks: readonly TaskDefinition[] = []): Config {
  const functions = functionHandlers(tasks);
  if (functions.length === 0) return config;
  const problems = functionProblems(functions, config.handlers);
  if (problems.length > 0) throw refusal(problems);
  return { ...config, handlers: [...config.handlers, ...functions] };
}

/** The settings of this process: its variables, and its file if there is one. */
export function readConfig(env: Environment, isTerminal: boolean, flags: Flags = {}): Config {
  return loadConfig({ env, flags, cwd: process.cwd(), isTerminal, readText }).config;
}

/** Writes an example file and returns a report; an existing file stays. */
export function writeExample(env: Environment, flags: Flags): string {
  const path = resolve(namedFile(env, flags) ?? "daybook.yaml");
  try {
    writeFileSync(path, exampleConfig(), { flag: "wx" });
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") {
      const sentence = `${path} already exists: edit it, or name another with --config.`;
      throw new DaybookError("conflict", sentence, { cause });
    }
    const sentence = `${path} cannot be written (${messageOf(cause)}): name another with --config.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
  return `Wrote ${path}. Remove the # before what you want to set, then run: daybook config check`;
}

/** A concurrent reader gets the old text or the new one, never a part. */
export function replaceFile(file: string, text: string, before: string | undefined): void {
  if (readText(file) !== before) {
    throw new DaybookError("conflict", `${file} was changed meanwhile: try again.`);
  }
  try {
    const target = targetOf(file);
    const fresh = `${target.path}.${randomUUID()}.tmp`;
    try {
      writeFileSync(fresh, text, { flag: "wx", mode: target.mode });
      renameSync(fresh, target.path);
    } finally {
      rmSync(fresh, { force: true });
    }
  } catch (cause) {
    const sentence = `${file} cannot be written (${messageOf(cause)}): name another with --config.`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

/** The real file, so that a link stays a link. */
function targetOf(file: string): { path: string; mode: number } {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return { path: file, mode: 0o644 };
  return { path: realpathSync(file), mode: stat.mode & 0o777 };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
