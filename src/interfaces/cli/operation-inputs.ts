import type * as z from "zod";
import type { Operation } from "../../kernel/operation.ts";
import { bare, innerOf } from "../../kernel/schemas.ts";
import { flagOf, type Input } from "./inputs.ts";

/** The inputs of an operation as they are typed, read from its schema. */
export function inputsOf(operation: Operation): readonly Input[] {
  const { input, command, aliases = {} } = operation;
  const own = partsOf(input.shape, command.file).map(({ name, schema, within }) => ({
    name,
    label: labelOf(name, command),
    summary: summaryOf(schema),
    isRequired: within === undefined && !schema.safeParse(undefined).success,
    kind: kindFor(name, schema, command),
    values: valuesOf(schema),
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
    ...(within === undefined ? {} : { within }),
  }));
  // Those without a flag come first, in the order they are typed; the rest is what ends the line.
  const place = ({ name, kind }: Input): number => {
    const at = command.positionals.indexOf(name);
    return at === -1 ? own.length + (kind === "rest" ? 1 : 0) : at;
  };
  return own.toSorted((a, b) => place(a) - place(b));
}

interface Part {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly within?: string;
}

/** What can be typed: the parts of an object have flags of their own, unless it stands in a file; what has several shapes has none. */
function partsOf(shape: z.ZodObject["shape"], file?: string): readonly Part[] {
  return Object.entries(shape).flatMap(([name, type]): Part[] => {
    const schema = type as z.ZodType;
    const { def } = bare(schema);
    const { options = [] } = def as { options?: readonly z.ZodType[] };
    if (options.length > 0 && options.every((each) => bare(each).def.type === "object")) return [];
    if (def.type !== "object" || name === file) return [{ name, schema }];
    const inner = partsOf((def as unknown as Pick<z.ZodObject, "shape">).shape);
    return inner.map((part) => ({ ...part, within: name }));
  });
}

function kindFor(
  name: string,
  schema: z.ZodType,
  { file, rest }: Operation["command"],
): Input["kind"] {
  if (name === rest) return "rest";
  return name === file ? "text" : kindOf(schema);
}

function labelOf(name: string, { positionals, file, rest }: Operation["command"]): string {
  if (name === file) return "FILE";
  if (name === rest) return `-- ${name.toUpperCase()}`;
  return positionals.includes(name) ? name.toUpperCase() : flagOf(name);
}

function summaryOf(schema: z.ZodType): string {
  const inner = innerOf(schema);
  return schema.description ?? (inner === undefined ? "" : summaryOf(inner));
}

function kindOf(schema: z.ZodType): Input["kind"] {
  const { type } = bare(schema).def;
  if (type === "boolean") return "switch";
  if (type === "array") return "list";
  if (type === "unknown" || type === "record") return "json";
  return type === "number" ? "number" : "text";
}

function valuesOf(schema: z.ZodType): readonly string[] {
  const { type, entries } = bare(schema).def as { type: string; entries?: object };
  return type === "enum" ? Object.values(entries ?? {}).map(String) : [];
}
