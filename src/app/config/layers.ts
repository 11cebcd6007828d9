import * as z from "zod";
import { nearest } from "../../platform/nearest.ts";
import { aboutOf, bare, schemaAt, settingsIn } from "../../platform/settings/about.ts";
import {
  isTree,
  merge,
  pathText,
  treeOf,
  valueAt,
  type Path,
} from "../../platform/settings/tree.ts";
import { quote } from "../../platform/text.ts";
import type { Document } from "./document.ts";
import type { Environment } from "./environment.ts";
import { koreanVariable } from "./machine.ts";
import { schema } from "./schema.ts";

/** The settings of one origin. */
export interface Layer {
  tree: unknown;
  /** Where relative paths start. */
  from: string;
  isFile: boolean;
  /** The position of a setting: `env DAYBOOK_PORT`, `daybook.yaml:3:1`. */
  place(path: Path): string;
  /** The subject of a sentence about it. */
  name(path: Path): string;
  /** The text that was typed for it. */
  typed(path: Path): string | undefined;
}

export interface Notes {
  problems: string[];
  warnings: string[];
}

/** The layer of a setting, or of the group in which it is missing. */
export function layerOf(layers: readonly Layer[], path: Path): Layer | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const part = path.slice(0, length);
    const found = layers.findLast(({ tree }) => valueAt(tree, part) !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function fileLayer({ tree, place }: Document, from: string, notes: Notes): Layer {
  const name = (path: Path): string => `${place(path)}  ${pathText(path) || "the file"}`;
  const warn = (path: Path): void =>
    void notes.warnings.push(`${name(path)} has no value and counts as not set`);
  return {
    tree: withoutEmpty(tree, [], warn),
    from,
    isFile: true,
    place,
    name,
    typed: () => undefined,
  };
}

/** A known key without a value counts as not set. */
function withoutEmpty(tree: unknown, path: Path, warn: (path: Path) => void): unknown {
  if (!isTree(tree)) return tree;
  const parts = Object.entries(tree).flatMap(([name, part]) => {
    const full = [...path, name];
    const isEmpty = part === null && schemaAt(schema, full) !== undefined;
    if (isEmpty) warn(full);
    return isEmpty ? [] : [[name, withoutEmpty(part, full, warn)] as const];
  });
  return Object.fromEntries(parts);
}

interface Given {
  path: readonly string[];
  text: string;
  place: string;
  name: string;
}

function givenLayer(given: readonly Given[], from: string): Layer {
  // A problem may be in a list that was given as one text.
  const find = (path: Path): Given | undefined =>
    given.find((each) => each.path.every((name, at) => name === path[at]));
  return {
    tree: given
      .map(({ path, text }) => treeOf(path, valueOf(path, text)))
      .reduce<unknown>(merge, undefined),
    from,
    isFile: false,
    place: (path) => find(path)?.place ?? "default",
    name: (path) => find(path)?.name ?? pathText(path),
    typed: (path) => find(path)?.text,
  };
}

/** A text in the form of its setting. One that does not fit stays as it is, for the check to report. */
function valueOf(path: readonly string[], text: string): unknown {
  const meant = schemaAt(schema, path);
  const inner = meant && bare(meant);
  if (inner instanceof z.ZodArray) return text.split(/[\s,]+/).filter((part) => part !== "");
  if (!(inner instanceof z.ZodNumber)) return text;
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}

/** Settings that can be given as one text. */
function texts(): { path: string[]; env: string | undefined }[] {
  return settingsIn(schema)
    .filter(([path]) => !path.includes("*"))
    .map(([path, part]) => ({ path, env: aboutOf(part)?.env }));
}

/** Variables beside the settings: the file, the token, the key, the session, and where errors are reported. */
export const others = [
  "DAYBOOK_CONFIG",
  "DAYBOOK_TOKEN",
  "DAYBOOK_SECRET_KEY",
  "DAYBOOK_SESSION",
  "DAYBOOK_SENTRY_DSN",
];

/** A variable that is set to nothing counts as not set. */
export function envLayer(env: Environment, from: string, notes: Notes): Layer {
  const known = texts().flatMap(({ path, env: name }) =>
    name === undefined ? [] : { path, name },
  );
  const given = known.flatMap(({ path, name }) => {
    const text = env[name] ?? "";
    return text === "" ? [] : [{ path, text, place: `env ${name}`, name }];
  });
  const names = [...others, ...known.map(({ name }) => name)];
  for (const name of Object.keys(env).filter((name) => /^DAYBOOK_/i.test(name))) {
    const meant = nearest(name, names.map(lower));
    if (meant === undefined || names.includes(name)) continue;
    const advice = `did you mean ${meant.toUpperCase()}?`;
    notes.warnings.push(`the variable ${quote(name)} is not read: ${advice}`);
  }
  return givenLayer(given, from);
}

const lower = (name: string): string => name.toLowerCase();

export type Flags = Readonly<Record<string, string>>;

/** Flags are named by their keys: `store`, `http.port`. */
export function flagLayer(flags: Flags, from: string, notes: Notes): Layer {
  const known = texts();
  const given = Object.entries(flags).flatMap(([key, text]) => {
    const meant = known.find(({ path }) => pathText(path) === key);
    if (meant !== undefined) return [{ path: meant.path, text, place: "flag", name: `--${key}` }];
    const near = nearest(
      key,
      known.map(({ path }) => pathText(path)),
    );
    const advice = near === undefined ? "see daybook config init" : `did you mean --${near}?`;
    if (key !== "config") notes.problems.push(`unknown setting ${quote(key)}: ${advice}`);
    return [];
  });
  return givenLayer(given, from);
}

/** The language of the system: below everything that was set for Daybook. */
export function systemLayer(env: Environment, from: string): Layer {
  const name = koreanVariable(env);
  const given = { path: ["language"], text: "ko", place: `env ${name}`, name: String(name) };
  return givenLayer(name === undefined ? [] : [given], from);
}
