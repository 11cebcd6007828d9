import * as z from "zod";
import { isTree, valueAt, type Path } from "./tree.ts";

/** What is known of a setting besides its shape. */
interface About {
  /** What it is for. */
  summary: string;
  /** What to write, when what stands there is wrong. */
  write?: string;
  /** The variable that gives it too. */
  env?: string | undefined;
  /** A running daemon keeps the old value. */
  needsRestart?: boolean;
  /** Its value is never shown. */
  isSecret?: boolean;
}

/** Filled where the settings are made, and read from then on. */
export const about = z.registry<About>();

type Schema = z.core.$ZodType;

/** What is known of a schema or of what it wraps. */
export function aboutOf(schema: Schema): About | undefined {
  const known = about.get(schema);
  if (known !== undefined || !isWrapper(schema)) return known;
  return aboutOf(schema.unwrap());
}

/** The schema without what only says that it may be absent. */
export function bare(schema: Schema): Schema {
  return isWrapper(schema) ? bare(schema.unwrap()) : schema;
}

function isWrapper(schema: Schema): schema is z.ZodOptional | z.ZodDefault | z.ZodPrefault {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

/** The names that may stand in a map of settings; none where a person chooses them. */
export function namesIn(schema: Schema | undefined): string[] {
  const inner = schema && bare(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** The schema of what stands at a path. */
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

/** Every setting that holds a value of its own, by path; `*` stands for a name that a person chooses. */
export function settingsIn(schema: Schema, path: readonly string[] = []): [string[], Schema][] {
  const inner = bare(schema);
  if (inner instanceof z.ZodRecord) return settingsIn(inner.valueType, [...path, "*"]);
  const parts = inner instanceof z.ZodObject ? Object.entries<Schema>(inner.shape) : [];
  if (parts.length === 0) return [[[...path], schema]];
  return parts.flatMap(([name, part]) => settingsIn(part, [...path, name]));
}

interface Held {
  path: Path;
  schema: Schema;
  value: unknown;
}

/** Every value that stands in a tree where a setting may stand; an empty map counts as one. */
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
