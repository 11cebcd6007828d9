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
