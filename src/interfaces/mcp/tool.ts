import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Effect, Operation } from "../../kernel/operation.ts";
import { toolGuide } from "./tool-guide.ts";

export type ToolSet = "default" | "all";

/** Whether agents are offered an operation. */
export function isOffered({ tool }: Operation, toolSet: ToolSet): boolean {
  return tool === "always" || (tool === "on request" && toolSet === "all");
}

/** Whether the operation shows long texts in parts. */
export function readsParts({ input: { shape } }: Operation): boolean {
  return Object.hasOwn(shape, "offset");
}

/** Whether the operation shows a notification's texts in parts. */
export function readsTexts({ input: { shape } }: Operation): boolean {
  return Object.hasOwn(shape, "chars");
}

/** An operation as an agent sees it that reads all tools before its first call: as short as possible. */
export function toolOf(operation: Operation): Tool {
  const { hidden = [], seldom = [] } = operation.toolInputs ?? {};
  return toolWithout([...hidden, ...seldom], operation);
}

/** With the inputs that are seldom needed, and with the schema of its answers, which is many times as long as the rest. */
export function completeToolOf(operation: Operation): Tool {
  // Old clients check failed answers against this schema too.
  const outputSchema = schemaOf(z.union([operation.output, failure]));
  const tool = toolWithout(operation.toolInputs?.hidden ?? [], operation);
  return { ...tool, outputSchema: { ...outputSchema, type: "object" } };
}

function toolWithout(hidden: readonly string[], operation: Operation): Tool {
  const { name, effect } = operation;
  const inputSchema = inputSchemaOf(operation, hidden);
  return {
    name,
    description: descriptionOf(operation, inputSchema),
    inputSchema,
    annotations: annotations[effect],
  };
}

/** Without `anyOf` at the top, which the APIs of models refuse: what is needed is required, and another way to it hidden. */
export function inputSchemaOf(
  operation: Operation,
  hidden: readonly string[] = [],
): Tool["inputSchema"] {
  const { input, toolInputs: { required = [] } = {} } = operation;
  const { properties, required: needed, ...rest } = schemaOf(input);
  const shown = Object.entries(properties ?? {})
    .filter(([name]) => !hidden.includes(name))
    .map(([name, schema]) => [inputName(operation, name), schema] as const);
  const all = [...((needed ?? []) as readonly string[]), ...required].map((name) =>
    inputName(operation, name),
  );
  const schema: Schema = { ...rest, properties: Object.fromEntries(shown) };
  return { ...schema, ...(all.length === 0 ? {} : { required: all }), type: "object" };
}

/** The name of an input as agents see it. */
export function inputName({ toolInputs }: Operation, name: string): string {
  const { shownAs = {} } = toolInputs ?? {};
  return (Object.hasOwn(shownAs, name) ? shownAs[name] : undefined) ?? name;
}

/** What the tool does, when to use it, how times are written, and an example. */
function descriptionOf(operation: Operation, inputSchema: Tool["inputSchema"]): string {
  const { name, summary, example } = operation;
  const guide = toolGuide[name];
  const parts = [summary, guide, takesTime(inputSchema) ? timeGuide : undefined];
  if (example !== undefined) {
    const given = Object.entries(example).map(([key, value]) => [inputName(operation, key), value]);
    parts.push(`Example: ${JSON.stringify(Object.fromEntries(given))}`);
  }
  return parts.filter((part) => part !== undefined).join(" ");
}

/** The output of a failed call, as in the other interfaces. */
const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

const timeGuide =
  'Write times as people do ("+30m", "tomorrow 9am", "내일 오후 3시") or as ISO 8601, and check the exact time in the answer.';

const timeInputs = ["at", "expires_at", "from", "to", "until", "within"];

function isText(field: unknown): boolean {
  return typeof field === "object" && field !== null && "type" in field && field.type === "string";
}

function takesTime({ properties = {} }: Tool["inputSchema"]): boolean {
  return Object.entries(properties).some(
    ([name, field]) => timeInputs.includes(name) && isText(field),
  );
}

/**
 * The schema without `$schema`: clients of 2025 refuse a dialect that they do not know. Outputs are described as
 * inputs too, so that a client accepts an answer with additional fields.
 */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return compact(rest);
}

/**
 * What differs from the defaults of the protocol. Writes lead to messages outside, so they are open-world; a repeated
 * "+30m" is another time, so they are not idempotent.
 */
const annotations: Readonly<Record<Effect, ToolAnnotations>> = {
  none: { readOnlyHint: true, openWorldHint: false },
  adds: { destructiveHint: false },
  changes: { destructiveHint: true },
  ends: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

type Schema = Readonly<Record<string, unknown>>;

/** An equal schema that is shorter: agents read the schemas of all tools before the first call. */
export function compact(schema: Schema): Schema {
  const parts = Object.entries(schema)
    .filter(([keyword, value]) => !isRedundant(keyword, value))
    .map(([keyword, value]) => [keyword, compactValue(keyword, value)] as const);
  return nullable(Object.fromEntries(parts));
}

/** Keywords whose values contain schemas. Other values are data and stay unchanged. */
const schemaKeywords = [
  "items",
  "additionalProperties",
  "propertyNames",
  "anyOf",
  "allOf",
  "oneOf",
];
const schemaMapKeywords = ["properties", "$defs"];

function compactValue(keyword: string, value: unknown): unknown {
  if (schemaMapKeywords.includes(keyword) && isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, compactPart(part)]),
    );
  }
  if (!schemaKeywords.includes(keyword)) return value;
  return Array.isArray(value) ? value.map(compactPart) : compactPart(value);
}

function compactPart(part: unknown): unknown {
  return isSchema(part) ? compact(part) : part;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** Property names are always strings, additional properties are allowed by default, and a whole number is a safe one. */
function isRedundant(keyword: string, value: unknown): boolean {
  if (keyword === "maximum") return value === Number.MAX_SAFE_INTEGER;
  const text = JSON.stringify(value);
  if (keyword === "propertyNames") return text === '{"type":"string"}';
  return keyword === "additionalProperties" && text === "{}";
}

/** Writes `anyOf` of a schema and null as one type, unless both have the same keyword. */
function nullable(schema: Schema): Schema {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [inner, other] = anyOf as [unknown, unknown];
  if (!isSchema(inner) || JSON.stringify(other) !== '{"type":"null"}') return schema;
  const { type, enum: values } = inner;
  const isClear = Object.keys(outer).every((keyword) => !Object.hasOwn(inner, keyword));
  if (typeof type !== "string" || !isClear || Object.hasOwn(inner, "const")) return schema;
  const withNull = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...inner, ...outer, type: [type, "null"], ...withNull };
}
