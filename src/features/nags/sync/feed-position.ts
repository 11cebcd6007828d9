import type { Book } from "../../../kernel/ledger.ts";
import type { Change, ListQuery } from "../../../kernel/reading.ts";

/**
 * How far a client has read. Clients keep a number, so it is the last change that they saw: its millisecond, and how
 * many of the same millisecond came before it. The feed is in the order of commits, so that what is committed late
 * comes after that change, whatever time it has: nothing is missed and nothing is told twice.
 */
export interface FeedPosition {
  readonly at: number;
  readonly nth: number;
}

const perMs = 1_000;
/** A book in which nothing was ever written. */
const start: FeedPosition = { at: 0, nth: 1 };
/** What is smaller is milliseconds, as clients have them that did not get their number here. */
const oursMin = 1e14;

export function timestampOf({ at, nth }: FeedPosition): number {
  return at * perMs + Math.min(nth, perMs - 1);
}

/** Nothing when it is no number of ours. */
export function positionOf(timestamp: number): FeedPosition | undefined {
  if (timestamp === timestampOf(start)) return start;
  if (timestamp < oursMin) return undefined;
  return { at: Math.floor(timestamp / perMs), nth: timestamp % perMs };
}

/** The moment that a number means, whoever gave it. */
export function momentOf(timestamp: number): number {
  return timestamp < oursMin ? timestamp : Math.floor(timestamp / perMs);
}

/** What changed since a place, by record. */
export interface Since {
  /** Whether it was made since then. */
  readonly changed: ReadonlyMap<string, { readonly isNew: boolean }>;
  readonly position: FeedPosition;
}

/** More than this is not read change by change. */
const rowsMax = 10_000;

/** What changed after a place; nothing when that is too far back, or its change is forgotten. */
export async function changedSince(book: Book, place: FeedPosition): Promise<Since | undefined> {
  const from = place === start ? { after: undefined } : await before(book, place.at);
  if (from === undefined) return undefined;
  const changed = new Map<string, { isNew: boolean }>();
  let isPast = place === start;
  let last = place;
  let rows = 0;
  for await (const { change, nth } of feed(book, from.after)) {
    rows += 1;
    if (rows > rowsMax) return undefined;
    if (isPast) {
      last = { at: change.at, nth };
      const { id } = change;
      if (isVisible(change)) changed.set(id, { isNew: changed.get(id)?.isNew ?? isFirst(change) });
    }
    isPast ||= change.at === place.at && nth >= place.nth;
  }
  return isPast ? { changed, position: last } : undefined;
}

/** Where the feed ends now. */
export async function endOf(book: Book): Promise<FeedPosition> {
  const { records } = await book.list({ order: "newest", limit: 1 });
  const [newest] = records;
  if (newest === undefined) return start;
  let last = start;
  const from = await before(book, newest.createdAt, Infinity);
  for await (const { change, nth } of feed(book, from?.after)) last = { at: change.at, nth };
  return last;
}

/** A lease that ran out is no change of what clients see; a claim is none at all. */
function isVisible({ kind, what }: Change): boolean {
  return (kind === "page" || kind === "nag") && what !== "lapsed" && what !== "kept";
}

function isFirst({ what }: Change): boolean {
  return what === "appended";
}

const pageSize = 500;

async function* feed(
  book: Book,
  from: string | undefined,
): AsyncGenerator<{ change: Change; nth: number }, void> {
  const counts = new Map<number, number>();
  for (let after = from, isMore = true; isMore;) {
    const page = await book.changes({ after, limit: pageSize });
    for (const change of page.changes) {
      const nth = counts.get(change.at) ?? 0;
      counts.set(change.at, nth + 1);
      yield { change, nth };
    }
    after = page.cursor;
    isMore = page.changes.length === pageSize;
  }
}

/** Commits come out of the order of their times by less than this. */
const marginMs = 60_000;
const recordsMax = 1_000;

/**
 * A cursor before all changes of a moment: that of the making of the newest record which is older. The feed cannot be
 * entered by time. Undefined when more were made since then than it is worth to look through.
 */
async function before(
  book: Book,
  at: number,
  most = recordsMax,
): Promise<{ after: string | undefined } | undefined> {
  let query: ListQuery = { order: "newest", limit: 10 };
  for (let seen = 0; seen < most;) {
    const { records, next } = await book.list(query);
    const older = records.find(({ createdAt }) => createdAt < at - marginMs);
    if (older !== undefined) {
      return { after: (await book.changes({ id: older.id, limit: 1 })).cursor };
    }
    if (next === null) return { after: undefined };
    seen += records.length;
    query = { ...query, after: next, limit: 100 };
  }
  return undefined;
}
