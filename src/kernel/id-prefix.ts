import { DaybookError } from "../platform/errors.ts";
import { shortIds } from "../platform/short-id.ts";
import { quote } from "../platform/text.ts";
import { is, type Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { Page } from "./query.ts";
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
  const pages = await Promise.all(starts.map((start) => startingWith(book, start, kinds)));
  const found = new Map(pages.flat().map((record) => [record.id, record]));
  const record = found.get(typed.toLowerCase()) ?? onlyOne(typed, [...found.values()]);
  return record !== undefined && isOf(record, kinds) ? record : undefined;
}

function onlyOne(typed: string, found: readonly AnyRecord[]): AnyRecord | undefined {
  if (found.length > 1) throw ambiguous(typed, found);
  return found[0];
}

/** A few records of each kind, the newest first. */
async function startingWith(
  book: Book,
  idPrefix: string,
  kinds: readonly Kind[],
): Promise<readonly AnyRecord[]> {
  const query = { idPrefix, order: "newest", limit: candidatesMax + 1 } as const;
  const pages: readonly Page[] = await Promise.all(
    kinds.map((kind) => book.list({ ...query, kind })),
  );
  return pages.flatMap(({ records }) => records).filter(({ id }) => !cutsNumber(idPrefix, id));
}

/** The error for an id that no record of the book has. */
export function noRecord(what: string, id: string, advice = ""): DaybookError {
  const isShort = id.length < charsMin && uuidStart.test(id) && /\d/.test(id);
  const sentence = `There is no ${what} ${quote(id)} in this book${advice}.`;
  const more = `${sentence} Type at least the first ${charsMin} characters of an id.`;
  return new DaybookError("not_found", isShort ? more : sentence, { details: { id } });
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
  const records = named.join(", ");
  const sentence =
    found.length > newest.length
      ? `Several ids start with ${quote(typed)}: ${records}, and more. Type more of the one you mean.`
      : `Several ids start with ${quote(typed)}: ${records}. Type more of the one you mean.`;
  const candidates = newest.map(({ id, kind, state }) => ({ id, kind, state }));
  return new DaybookError("conflict", sentence, { details: { id: typed, candidates } });
}

export function isOf<Kinds extends readonly Kind[]>(
  record: AnyRecord,
  kinds: Kinds,
): record is RecordOfAny<Kinds> {
  return kinds.some((kind) => is(kind, record));
}
