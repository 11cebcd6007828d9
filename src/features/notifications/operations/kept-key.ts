import type { Key } from "../../../kernel/unit.ts";

/** Longer than an ended record is kept unless told, so that a key outlives its record. */
const keptMs = 120 * 86_400_000;

/** A key for what was asked, from this time on. */
export function keptKey(name: string, request: unknown, from: number): Key {
  return { name, asked: request, until: from + keptMs };
}
