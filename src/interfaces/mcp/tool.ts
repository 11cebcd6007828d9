import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Effect, Operation } from "../../kernel/operation.ts";

export type ToolSet = "default" | "all";

/** Which operations agents are offered. */
export function isOffered({ tool }: Operation, toolSet: ToolSet): boolean {
  return tool === "always" || (tool === "on request" && toolSet === "all");
}

/** Whether it shows long texts in parts. */
export function readsParts({ input: { shape } }: Operation): boolean {
  return Object.hasOwn(shape, "offset");
}

/** Whether it shows a notification's texts in parts. */
export function readsTexts({ input: { shape } }: Operation): boolean {
  return Object.hasOwn(shape, "chars");
}

/** An operation as agents see it. */
export function toolOf({ name, summary: words, input, output, effect }: Operation): Tool {
  return {
    name,
    description: takesTime(input) ? `${words} ${howToSayTimes}` : words,
    inputSchema: { ...schemaOf(input), type: "object" },
    // Old clients hold failed answers to this schema too, so it says what those look like.
    outputSchema: { ...schemaOf(z.union([output, failure])), type: "object" },
    annotations: annotations[effect],
  };
}

/** The output of a failed call, as in the other interfaces. */
const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

export const howToSayTimes =
  'Say a time as people do ("+30m", "in 2 hours", "tomorrow 9am", "next monday 10:00", "내일 오후 3시") ' +
  "or as a moment with its offset or zone; without one it is read in the owner's time zone. " +
  "The answer says which moment was understood: check it.";

/** An input for a time says so first: "when, such as …". */
function takesTime(input: z.ZodObject): boolean {
  return Object.values(z.toJSONSchema(input, { io: "input" }).properties ?? {}).some(
    (field) => typeof field === "object" && field.description?.startsWith("when") === true,
  );
}

/**
 * Without its dialect: clients of 2025 know an older one and refuse what names another. As an input
 * in both places, since a reader must not refuse an answer that has more than it knows.
 */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return compact(rest);
}

/** What is written is said to the outside in time; and a time like "+30m" moves when asked again. */
const annotations: Readonly<Record<Effect, ToolAnnotations>> = {
  none: hints({ readOnlyHint: true, idempotentHint: true }),
  adds: hints({ openWorldHint: true }),
  changes: hints({ destructiveHint: true, openWorldHint: true }),
  ends: hints({ destructiveHint: true, idempotentHint: true }),
};

function hints(given: ToolAnnotations): ToolAnnotations {
  return {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
    ...given,
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** The same schema in fewer words: every agent reads all of them before it asks anything. */
export function compact(schema: Schema): Schema {
  const parts = Object.entries(schema)
    .filter(([name, part]) => !saysNothing(name, part))
    .map(([name, part]) => [name, inside(name, part)] as const);
  return orNull(Object.fromEntries(parts));
}

/** Keywords whose values have schemas in them; anything else is data, and stays as it is. */
const schemas = ["items", "additionalProperties", "propertyNames", "anyOf", "allOf", "oneOf"];
const maps = ["properties", "$defs"];

function inside(name: string, part: unknown): unknown {
  if (maps.includes(name) && isSchema(part)) {
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, one(each)]));
  }
  if (!schemas.includes(name)) return part;
  return Array.isArray(part) ? part.map(one) : one(part);
}

function one(part: unknown): unknown {
  return isSchema(part) ? compact(part) : part;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** Names are texts in any case, and what is not described may be anything. */
function saysNothing(name: string, part: unknown): boolean {
  const text = JSON.stringify(part);
  if (name === "propertyNames") return text === '{"type":"string"}';
  return name === "additionalProperties" && text === "{}";
}

/** Something or null is one type that may be null, unless both say different things of it. */
function orNull(schema: Schema): Schema {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [some, none] = anyOf as [unknown, unknown];
  if (!isSchema(some) || JSON.stringify(none) !== '{"type":"null"}') return schema;
  const { type, enum: values } = some;
  const isClear = Object.keys(outer).every((name) => !Object.hasOwn(some, name));
  if (typeof type !== "string" || !isClear || Object.hasOwn(some, "const")) return schema;
  const orNothing = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...some, ...outer, type: [type, "null"], ...orNothing };
}
