import { DaybookError } from "../platform/errors.ts";
import { invalidCursor } from "./ledger-errors.ts";
import type { Book } from "./ledger.ts";
import { matchingPage, recordsIn } from "./list-all.ts";
import { pageSize, type ListQuery, type Page } from "./query.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";

interface Order<K extends Shape> {
  matches(record: LedgerRecord<K>): boolean;
  /** Null: no time is known, so it comes last. */
  dueAt(record: LedgerRecord<K>): number | null;
}

interface Position {
  readonly at: number;
  readonly id: string;
}

/**
 * The ledger lists by creation, so records are sorted by their next time only when all have been read. With more
 * than this many, the newest come first.
 */
export const sortedMax = 10_000;

/** A page of the records that match, the next first. */
export async function soonestPage<K extends Shape>(
  book: Book,
  { after, limit, ...query }: ListQuery<K>,
  { matches, dueAt }: Order<K>,
): Promise<Page<K>> {
  const newest = { ...query, order: "newest", after, limit } as const;
  if (after !== undefined && /^\d+$/.test(after)) return matchingPage(book, newest, matches);
  const from = after === undefined ? undefined : readCursor(after);
  const read = await Array.fromAsync(recordsIn(book, query, sortedMax + 1));
  if (read.length > sortedMax) {
    if (from !== undefined) throw tooMany();
    return matchingPage(book, newest, matches);
  }
  const sorted = read
    .filter(matches)
    .map((record) => ({ record, at: dueAt(record) ?? Infinity, id: record.id }))
    .toSorted(compare);
  const rest = from === undefined ? sorted : sorted.filter((each) => compare(each, from) > 0);
  const page = rest.slice(0, pageSize(limit));
  const last = page.at(-1);
  const isEnd = last === undefined || page.length === rest.length;
  return { records: page.map(({ record }) => record), next: isEnd ? null : cursorAfter(last) };
}

function compare(a: Position, b: Position): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** The page continues after this position, even if its record has ended meanwhile. */
function cursorAfter({ at, id }: Position): string {
  return `${at === Infinity ? "last" : at}.${id}`;
}

function readCursor(after: string): Position {
  const [, at, id] = /^(last|\d{1,15})\.(.+)$/.exec(after) ?? [];
  if (at === undefined || id === undefined) throw invalidCursor(after);
  return { at: at === "last" ? Infinity : Number(at), id };
}

function tooMany(): DaybookError {
  const sentence = `More than ${sortedMax} records wait now, so they are no longer sorted by time: start with the first page.`;
  return new DaybookError("invalid", sentence);
}
