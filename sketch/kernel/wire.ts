import * as z from "zod";

/** A time: a number inside, an ISO text at every edge. */
export const moment = z.codec(z.iso.datetime(), z.number(), {
  decode: (text) => Temporal.Instant.from(text).epochMilliseconds,
  encode: (ms) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "millisecond" }),
});

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** The same value with its fields in snake_case. A map of the user's own names stays as it is. */
export type Wire<T> = T extends readonly (infer Each)[]
  ? Wire<Each>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Name in keyof T as Snake<Name>]: Wire<T[Name]> }
    : T;

/**
 * The codec between the wire and the program, made from one schema: `nextAt: moment` is `next_at`, an ISO
 * text, outside. Only fields that the schema names are renamed: what is inside a `z.json()` is the user's.
 */
export function wireOf<Inside, Outside>(
  schema: z.ZodType<Inside, Outside>,
): z.ZodType<Inside, Wire<Outside>> {
  return rebuilt(schema) as unknown as z.ZodType<Inside, Wire<Outside>>;
}

function rebuilt(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return renamed(schema);
  const { def } = schema as z.ZodType;
  const inner = ["innerType", "element"].find((name) => name in def);
  if (inner !== undefined) {
    const changed = { ...def, [inner]: rebuilt(Reflect.get(def, inner) as z.core.$ZodType) };
    return z.core.clone(schema, changed) as z.ZodType;
  }
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(rebuilt));
  return schema as z.ZodType;
}

function renamed(schema: z.ZodObject): z.ZodType {
  const names = Object.keys(schema.shape).map((name) => [name, snake(name)] as const);
  const shape = Object.fromEntries(
    names.map(([from, to]) => [to, rebuilt(schema.shape[from] ?? z.never())]),
  );
  const outside = schema.def.catchall === undefined ? z.object(shape) : z.strictObject(shape);
  const inside = z.record(z.string(), z.unknown()).check(...((schema.def.checks ?? []) as []));
  const rename = (
    value: object,
    pairs: readonly (readonly [string, string])[],
  ): Record<string, unknown> =>
    Object.fromEntries(
      pairs.filter(([from]) => from in value).map(([from, to]) => [to, Reflect.get(value, from)]),
    );
  return z.codec(outside, inside, {
    decode: (value) =>
      rename(
        value,
        names.map(([from, to]) => [to, from]),
      ),
    encode: (value) => rename(value, names),
  });
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
