import { createHash } from "node:crypto";
import { canonical } from "../base/json.ts";
import type { Hold } from "./unit.ts";

/** An edit states all its holds anew, and keeps the place it has if that is among these. */
export const placesMax = 1_000;

export function placeHold(owner: string, limit: number): Hold {
  const places = Math.min(limit, placesMax);
  const name = scoped("schedule", [owner]);
  return { oneOf: Array.from({ length: places }, (_, index) => `${name}#${index + 1}`) };
}

export function nameHold(owner: string, name: string): string {
  return scoped("schedule-name", [owner, name.toLowerCase()]);
}

/** Names are held across all books: no choice of words makes two alike. */
function scoped(prefix: string, parts: readonly string[]): string {
  return `${prefix}:${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}
