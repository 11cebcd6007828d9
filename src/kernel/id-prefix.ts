import { DaybookError } from "../platform/errors.ts";
import { shortIds } from "../platform/short-id.ts";
import { quote } from "../platform/text.ts";
import { is, type Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { AnyRecord, LedgerRecord } from "./record.ts";

/** The start of a UUID that is long enough: a minute of records, so that a search reads few. */
const charsMin = 8;
const charsMax = 200;
const candidatesMax = 5;

const completeUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const uuidStart = /^[\da-f-]+$/i;

/** A record of one of these kinds. */
export type RecordOfAny<Kinds extends readonly Kind[]> = Kinds[number] extends infer K
  ? K extends Kind<infer S>
    ? LedgerRecord<S>
    : never
  : never;

/** The record of one of these kinds with this id, or with the only id that starts with it. Throws when several do. */
export async function findById<const Kinds extends readonly Kind[]>(
  book: Book,
  typed: string,
  kinds: Kinds,
): Promise<RecordOfAny<Kinds> | undefined> {
  const record = await book.get(typed);
  return record !== undefined && isOf(record, kinds) ? record : findByStart(book, typed, kinds);
}

/** The record of one of these kinds whose id, and no other, starts with this. Throws when several do. */
export async function findByStart<const Kinds extends readonly Kind[]>(
  book: Book,
  typed: string,
  kinds: Kinds,
): Promise<RecordOfAny<Kinds> | undefined> {
  if (!canBeStart(typed)) return undefined;
  // Ids that are made here are in lower case; those of others are searched as typed too.
  const starts = [...new Set([typed.toLowerCase(), typed])];
  const found = new Map<string, RecordOfAny<Kinds>>();
  for (const idPrefix of starts) {
    for (const kind of kinds) {
      const query = { kind, idPrefix, order: "newest", limit: candidatesMax + 1 } as const;
      for (const record of (await book.list(query)).records) {
        const { id } = record;
        if (isOf(record, kinds) && !cutsNumber(idPrefix, id)) found.set(id, record);
      }
    }
  }
  const whole = found.get(typed.toLowerCase());
  if (whole !== undefined) return whole;
  if (found.size > 1) throw ambiguous(typed, [...found.values()]);
  return found.values().next().value;
}

/** The error for an id that no record of the book has. */
export function noRecord(what: string, id: string, advice = ""): DaybookError {
  const isShort = id.length < charsMin && uuidStart.test(id) && /\d/.test(id);
  const short = isShort ? ` Type at least the first ${charsMin} characters of an id.` : "";
  const sentence = `There is no ${what} ${quote(id)} in this book${advice}.${short}`;
  return new DaybookError("not_found", sentence, { details: { id } });
}

function canBeStart(typed: string): boolean {
  if (typed.length < charsMin || typed.length > charsMax || completeUuid.test(typed)) return false;
  return typed === typed.trim() && typed.isWellFormed() && !typed.includes("\0");
}

/** A number is typed whole: task-20261118-10 is another task than task-20261118-107, not the start of its id. */
function cutsNumber(start: string, id: string): boolean {
  if (completeUuid.test(id)) return false;
  return /\d$/.test(start) && /^\d+$/.test(id.slice(start.length));
}

function ambiguous(typed: string, found: readonly AnyRecord[]): DaybookError {
  const newest = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, candidatesMax);
  const short = shortIds(found.map(({ id }) => id));
  const named = newest.map(({ id, kind, state }) => `${short.get(id) ?? id} (${kind}, ${state})`);
  const more = found.length > newest.length ? ", and more" : "";
  const sentence = `Several ids start with ${quote(typed)}: ${named.join(", ")}${more}. Type more of the one you mean.`;
  const candidates = newest.map(({ id, kind, state }) => ({ id, kind, state }));
  return new DaybookError("conflict", sentence, { details: { id: typed, candidates } });
}

export function isOf<Kinds extends readonly Kind[]>(
  record: AnyRecord,
  kinds: Kinds,
): record is RecordOfAny<Kinds> {
  return kinds.some((kind) => is(kind, record));
}
