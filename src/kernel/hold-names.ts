import { createHash } from "node:crypto";
import { canonical } from "../platform/json.ts";
import type { Hold } from "./unit.ts";

/** An edit states all its holds anew, and keeps the slot it has if that is among these. */
export const slotsMax = 1_000;

/** One of so many names: how a limit above one is held. */
export type Slots = Exclude<Hold, string>;

export function slots(name: string, count: number): Slots {
  return { oneOf: Array.from({ length: count }, (_, index) => `${name}#${index + 1}`) };
}

/** Names are held across all books: the owner is part of them, and no choice of words makes two alike. */
export function scoped(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}
