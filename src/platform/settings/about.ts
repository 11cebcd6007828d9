import * as z from "zod";
import { isTree, valueAt, type Path } from "./tree.ts";

/** The facts about a setting besides its schema. */
interface About {
  /** What it is, its unit and its default. */
  summary: string;
  /** What to write instead of a wrong value. */
  write?: string;
  /** The environment variable of the setting. */
  env?: string | undefined;
  /** A running daemon keeps the old value until its restart. */
  needsRestart?: boolean;
  /** Its value is never shown. */
  isSecret?: boolean;
  /** Makes a relative path in its value absolute: it starts at the folder of the file that sets it. */
  path?(value: unknown, from: string): unknown;
}

/** Filled where the settings are defined. */
export const about = z.registry<About>();

type Schema = z.core.$ZodType;

/** The description of a schema, or of the schema that it wraps. */
export function aboutOf(schema: Schema): About | undefined {
  const known = about.get(schema);
  const inner = known === undefined ? wrapped(schema) : undefined;
  return inner === undefined ? known : aboutOf(inner);
}

/** The schema of what is written, without its default, its absence and what the program makes of it. */
export function bare(schema: Schema): Schema {
  const inner = wrapped(schema);
  return inner === undefined ? schema : bare(inner);
}

function wrapped(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodPipe) return schema.in;
  return isWrapper(schema) ? schema.unwrap() : undefined;
}

function isWrapper(schema: Schema): schema is z.ZodOptional | z.ZodDefault | z.ZodPrefault {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

/** The keys of a group of settings; none if a person chooses them. */
export function namesIn(schema: Schema | undefined): string[] {
  const inner = schema && bare(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** The schema at a path. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const name of path) at = at && within(bare(at), name);
  return at;
}

function within(schema: Schema, name: PropertyKey): Schema | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(name)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** Every single setting by its path; `*` stands for a name that a person chooses. */
export function settingsIn(schema: Schema, path: readonly string[] = []): [string[], Schema][] {
  const inner = bare(schema);
  if (inner instanceof z.ZodRecord) return settingsIn(inner.valueType, [...path, "*"]);
  const parts = inner instanceof z.ZodObject ? Object.entries<Schema>(inner.shape) : [];
  if (parts.length === 0) return [[[...path], schema]];
  return parts.flatMap(([name, part]) => settingsIn(part, [...path, name]));
}

/** A tree with the defaults of its schema in it. */
export function withDefaults(schema: Schema, tree: unknown): unknown {
  const value = tree === undefined ? defaultOf(schema) : tree;
  const inner = bare(schema);
  if (!isTree(value)) return value;
  const names = inner instanceof z.ZodObject ? Object.keys(inner.shape) : Object.keys(value);
  const parts = names.flatMap((name) => {
    const part = within(inner, name);
    const held = valueAt(value, [name]);
    const complete = part === undefined ? held : withDefaults(part, held);
    return complete === undefined ? [] : [[name, complete] as const];
  });
  return Object.fromEntries(parts);
}

function defaultOf(schema: Schema): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return schema.def.defaultValue;
  }
  const inner = wrapped(schema);
  return inner && defaultOf(inner);
}

interface Held {
  path: Path;
  schema: Schema;
  value: unknown;
}

/** Every value of a setting in a tree; an empty map counts as one. */
export function valuesIn(schema: Schema, tree: unknown, path: Path = []): Held[] {
  const inner = bare(schema);
  const isGroup = inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
  if (!isGroup || !isTree(tree) || Object.keys(tree).length === 0) {
    return tree === undefined ? [] : [{ path, schema, value: tree }];
  }
  const names = inner instanceof z.ZodObject ? Object.keys(inner.shape) : Object.keys(tree);
  return names.flatMap((name) => {
    const part = within(inner, name);
    return part === undefined ? [] : valuesIn(part, valueAt(tree, [name]), [...path, name]);
  });
}
