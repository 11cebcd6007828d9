import type { Book } from "../../../kernel/ledger.ts";
import type { Change, ListQuery } from "../../../kernel/query.ts";

/**
 * How far a client has read: the time of the last change that it received, and how many changes of the same
 * millisecond came before that one. Clients keep both as one number. The feed is in the order of commits, so a late
 * commit comes after this position whatever its time is: no change is missed or sent twice.
 */
export interface FeedPosition {
  readonly at: number;
  readonly nth: number;
}

const perMs = 1_000;
/** The position in an empty book. */
const start: FeedPosition = { at: 0, nth: 1 };
/** A smaller number is in milliseconds, from a client that synced with another server before. */
const timestampMin = 1e14;

export function timestampOf({ at, nth }: FeedPosition): number {
  return at * perMs + Math.min(nth, perMs - 1);
}

/** Undefined when the number is not a timestamp of this server. */
export function positionOf(timestamp: number): FeedPosition | undefined {
  if (timestamp === timestampOf(start)) return start;
  if (timestamp < timestampMin) return undefined;
  return { at: Math.floor(timestamp / perMs), nth: timestamp % perMs };
}

/** The time of a timestamp, of this server or of another. */
export function momentOf(timestamp: number): number {
  return timestamp < timestampMin ? timestamp : Math.floor(timestamp / perMs);
}

/** The records that changed since a position. */
export interface ChangedSince {
  /** By id; `isNew` when the record was created since then. */
  readonly changed: ReadonlyMap<string, { readonly isNew: boolean }>;
  readonly position: FeedPosition;
}

/** Over so many changes, a client pulls everything instead. */
const rowsMax = 10_000;

/** The changes after a position; undefined when it is too far back, or its change was pruned. */
export async function changedSince(
  book: Book,
  position: FeedPosition,
): Promise<ChangedSince | undefined> {
  const from = position === start ? { after: undefined } : await before(book, position.at);
  if (from === undefined) return undefined;
  const changed = new Map<string, { isNew: boolean }>();
  let isPast = position === start;
  let last = position;
  let rows = 0;
  for await (const { change, nth } of feed(book, from.after)) {
    rows += 1;
    if (rows > rowsMax) return undefined;
    if (isPast) {
      last = { at: change.at, nth };
      const { id } = change;
      if (isVisible(change)) changed.set(id, { isNew: changed.get(id)?.isNew ?? isFirst(change) });
    }
    isPast ||= change.at === position.at && nth >= position.nth;
  }
  return isPast ? { changed, position: last } : undefined;
}

/** The current end of the feed. */
export async function endOf(book: Book): Promise<FeedPosition> {
  const { records } = await book.list({ order: "newest", limit: 1 });
  const [newest] = records;
  if (newest === undefined) return start;
  let last = start;
  const from = await before(book, newest.createdAt, Infinity);
  for await (const { change, nth } of feed(book, from?.after)) last = { at: change.at, nth };
  return last;
}

/** Clients do not see leases. */
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

/** The order of commits differs from the order of their times by less than this. */
const marginMs = 60_000;
const recordsMax = 1_000;

/**
 * A cursor before all changes of a moment. The feed cannot be entered by time, so this is the cursor of the creation
 * of the newest older record. Undefined when too many records were created since then.
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
