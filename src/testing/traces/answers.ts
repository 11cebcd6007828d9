import { DaybookError, toErrorData } from "../../platform/errors.ts";

/** Turns an answer into text that is equal on two stores: ids become numbers, in the order of their first use. */
export type ToText = (answer: unknown) => string;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

export function comparableText(): ToText {
  const numbers = new Map<string, string>();
  const numberOf = (id: string): string => {
    const number = numbers.get(id) ?? `#${numbers.size}`;
    numbers.set(id, number);
    return number;
  };
  return (answer) => JSON.stringify(comparable(answer) ?? null).replaceAll(uuid, numberOf);
}

/** Leaves out what differs between stores: error messages and cursors. */
function comparable(value: unknown): unknown {
  if (value instanceof DaybookError) return comparable({ error: toErrorData(value) });
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparableField(name, inner)]));
}

function comparableField(name: string, value: unknown): unknown {
  if (name === "message" || name === "cursor") return undefined;
  if (name === "next") return value === null ? null : "more";
  return comparable(value);
}
