/** The content of a body or an outcome: it reads back exactly as it was written. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** The JSON text of a value, with its names in a fixed order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The same object if no property of it is `undefined`, otherwise a copy without these. */
export function withoutUndefined<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.values(value).includes(undefined)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present) as T;
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** A type whose properties may be absent instead of `undefined`. */
type Present<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** The object without its `undefined` properties, for readers that distinguish absent from undefined. */
export function present<const T extends object>(value: T): Present<T> {
  return withoutUndefined(value);
}

/** The levels of JSON that another program may nest: what is read is walked by recursion. */
export const jsonDepthMax = 32;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** Parses bytes from another program. The parser's own message would quote them, so it is not used. */
export function readJson(bytes: Uint8Array): { value: unknown } | { wrong: string } {
  if (bytes.length === 0) return { wrong: "It is empty." };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { wrong: "It is not in UTF-8." };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: "It is not JSON." };
  }
  if (!isDeeper(value, jsonDepthMax)) return { value };
  return { wrong: `It is nested too deeply: ${jsonDepthMax} levels at most.` };
}
