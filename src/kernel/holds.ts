import { createHash } from "node:crypto";
import { DaybookError, hasCode } from "../platform/errors.ts";
import { canonical } from "../platform/json.ts";
import { quote } from "../platform/text.ts";
import type { Book } from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { DraftOf, Consequences, Hold, Key } from "./unit.ts";

/** An edit states all its holds anew, and keeps the slot it has if that is among these. */
export const slotsMax = 1_000;

/** One of so many names: how a limit above one is held. */
export type Slots = Exclude<Hold, string>;

export function slots(name: string, count: number): Slots {
  return { oneOf: Array.from({ length: count }, (_, index) => `${name}#${index + 1}`) };
}

/** Names are held across all books, so the owner is part of them; hashing keeps different parts apart. */
export function scoped(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}

/** How many records of a kind an owner may have at once. */
export interface OwnerLimit {
  readonly kind: string;
  readonly max: number;
  /** The plural for the error sentence. */
  readonly plural: string;
  /** The advice of the error sentence. */
  readonly advice: string;
}

/** One of the owner's slots for them. A record from before the limit has none, and stays. */
export function ownerSlot({ kind, max }: OwnerLimit, owner: string): Hold {
  return slots(scoped(`${kind}s-of:`, owner), max);
}

interface Request<S extends Shape> {
  readonly draft: DraftOf<S>;
  readonly limit: OwnerLimit;
  /** Whose slot it takes. */
  readonly owner: string;
  /** The key as it was typed. */
  readonly key: string | undefined;
  /** What the key stands for, and its name in the book. */
  readonly storedKey: Key;
  /** Written with it, unless the key was used before. */
  readonly consequences?: Consequences;
}

interface Made<S extends Shape> {
  readonly record: LedgerRecord<S>;
  /** False: the key was used before, and this is the first record. */
  readonly fresh: boolean;
}

/** Appends a record under its owner's limit. With a key that was used before, answers the first record. */
export async function appendLimited<S extends Shape>(
  book: Book,
  { draft, limit, owner, key, storedKey, consequences }: Request<S>,
): Promise<Made<S>> {
  const held = { ...draft, holds: [ownerSlot(limit, owner)] };
  try {
    const whole = { ...held, key: key === undefined ? undefined : storedKey };
    const { id, record, fresh } = await book.append<S>(whole, consequences);
    if (record !== null && record.endedAt === null) return { record, fresh };
    throw hasEnded(limit, id);
  } catch (error) {
    throw explained(error, { limit, owner, key });
  }
}

function hasEnded({ kind }: OwnerLimit, id: string): DaybookError {
  const sentence = `The ${kind} that was made with this key, ${id}, has ended: choose another key.`;
  return new DaybookError("ended", sentence, { details: { id } });
}

function explained(
  error: unknown,
  { limit, owner, key = "" }: { limit: OwnerLimit; owner: string; key: string | undefined },
): unknown {
  if (hasCode(error, "held")) return tooMany(limit, owner, error);
  if (hasCode(error, "conflict")) {
    const { details } = error;
    const sentence = `The key ${quote(key)} stands for another ${limit.kind}, ${String(details["id"])}: choose another key.`;
    return new DaybookError("conflict", sentence, { cause: error, details });
  }
  return error;
}

export function tooMany(limit: OwnerLimit, owner: string, cause: DaybookError): DaybookError {
  const { max, plural, advice } = limit;
  const sentence = `The book of ${quote(owner)} has ${max} ${plural}, and may not have more: ${advice}.`;
  return new DaybookError("held", sentence, { cause, details: { limit: max } });
}
