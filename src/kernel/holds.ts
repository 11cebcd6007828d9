import { createHash } from "node:crypto";
import { DaybookError, hasCode } from "../platform/errors.ts";
import { canonical } from "../platform/json.ts";
import { quote } from "../platform/text.ts";
import type { Book } from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { Appended, DraftOf, Consequences, Hold, Key } from "./unit.ts";

/** An edit lists all its holds again, and keeps its slot if that is among these. */
export const slotsMax = 1_000;

/** One of several names: this is how a limit above one is held. */
export type Slots = Exclude<Hold, string>;

export function slots(name: string, count: number): Slots {
  return { oneOf: Array.from({ length: count }, (_, index) => `${name}#${index + 1}`) };
}

/** A hold's name counts in all books, so the owner is part of it; hashing keeps different parts apart. */
export function scopedName(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}

/** How many records of a kind an owner may have at once. */
export interface OwnerLimit {
  readonly kind: string;
  readonly max: number;
  /** The plural for the error. */
  readonly plural: string;
  /** The advice of the error. */
  readonly advice: string;
}

/** One of the owner's slots. A record from before the limit has none, and is kept. */
export function ownerSlot({ kind, max }: OwnerLimit, owner: string): Hold {
  return slots(scopedName(`${kind}s-of:`, owner), max);
}

interface LimitedAppend<S extends Shape> {
  readonly draft: DraftOf<S>;
  readonly limit: OwnerLimit;
  /** The owner of the slot it takes. */
  readonly owner: string;
  /** The key as it was typed. */
  readonly key: string | undefined;
  /** The key's name in the book, and the request it stands for. */
  readonly storedKey: Key;
  /** Written with it, unless the key was used before. */
  readonly consequences?: Consequences;
}

/** Appends a record under its owner's limit. With a key that was used before, answers the first record. */
export async function appendLimited<S extends Shape>(
  book: Book,
  { draft, limit, owner, key, storedKey, consequences }: LimitedAppend<S>,
): Promise<Pick<Appended, "fresh"> & { readonly record: LedgerRecord<S> }> {
  const holds = [ownerSlot(limit, owner)];
  const keyed = { ...draft, holds, key: key === undefined ? undefined : storedKey };
  try {
    const { id, record, fresh } = await book.append<S>(keyed, consequences);
    if (record !== null && record.endedAt === null) return { record, fresh };
    throw hasEnded(limit, id);
  } catch (error) {
    throw limitError(error, { limit, owner, key });
  }
}

function hasEnded({ kind }: OwnerLimit, id: string): DaybookError {
  const sentence = `The ${kind} created with this key, ${id}, has ended: choose another key.`;
  return new DaybookError("ended", sentence, { details: { id } });
}

function limitError(
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
  const sentence = `The book of ${quote(owner)} is at its limit of ${max} ${plural}: ${advice}.`;
  return new DaybookError("held", sentence, { cause, details: { limit: max } });
}
