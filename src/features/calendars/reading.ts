import { recordOf } from "../../kernel/book.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { type CalendarKind, type EntryKind, entryId, entryKind, isEntryOf } from "./kind.ts";
import type { Facts, Sight } from "./plan.ts";
import { type Style, shownKinds, type Wish, wishFor } from "./projection.ts";
import type { RemoteChanges, RemoteEntry } from "./service.ts";

export type Calendar = Pick<LedgerRecord<CalendarKind>, "id" | "body" | "outcome">;

/** One entry, and all that is known about it. */
export interface Item extends Facts {
  readonly id: string;
  readonly record: string;
  readonly recordKind: string;
  /** The record as it was read; undefined: it does not exist any more, or is not known. */
  readonly source: AnyRecord | undefined;
}

/** What the book wants in a calendar, and what we know of its entries. */
export interface Desired {
  readonly items: ReadonlyMap<string, Omit<Item, "sight">>;
  /** Entries that were written and, as far as we know, are there. */
  readonly count: number;
}

const left: Wish = { is: "gone", because: "left" };

/** Reads the book: the live records that the calendar shows, and the records of its entries. */
export async function readDesired(
  book: Book,
  { id: calendar, body }: Calendar,
  style: Style,
): Promise<Desired> {
  const items = new Map<string, Omit<Item, "sight">>();
  const entries = await Array.fromAsync(
    recordsIn(book, { kind: entryKind, parent: calendar, live: true }),
  );
  const before = new Map(entries.map((entry) => [entry.id, entry]));
  const add = (source: AnyRecord | undefined, wish: Wish, found: { id: string; kind: string }) => {
    const id = entryId(calendar, found.id);
    const entry = before.get(id);
    before.delete(id);
    if (wish.is === "gone" && entry === undefined) return;
    const outcome = entry === undefined ? null : outcomeOf(entry);
    items.set(id, { id, record: found.id, recordKind: found.kind, source, entry: outcome, wish });
  };
  if (body.leaving === undefined) {
    for (const kind of shownKinds(style.shows)) {
      for await (const record of recordsIn(book, { kind, live: true })) {
        add(record, wishFor(record, style), record);
      }
    }
  }
  // The others have ended since, or everything is left.
  for (const entry of before.values()) {
    const { record: id, recordKind: kind } = entry.body;
    const source = body.leaving === undefined ? await book.get(id) : undefined;
    add(source, body.leaving === undefined ? wishFor(source, style) : left, { id, kind });
  }
  const count = entries.filter(({ outcome }) => outcome?.location != null).length;
  return { items, count };
}

export const nothingKnown: EntryKind["outcome"] = {
  location: null,
  content: null,
  revision: 0,
  syncedAt: null,
  failures: 0,
  retryAt: null,
  error: null,
};

function outcomeOf({ outcome }: LedgerRecord<EntryKind>): EntryKind["outcome"] {
  return outcome ?? nothingKnown;
}

/** The items with what the service says of each, and other people's entries. */
export interface Sighted {
  readonly items: readonly Item[];
  readonly foreign: readonly RemoteEntry[];
}

interface SightOptions {
  readonly book: Book;
  readonly calendar: Calendar;
  /** Whether a deletion that the service reports is believed at once. */
  readonly isDeletionCertain: boolean;
}

/** Joins the book and the changes of the service. */
export async function sighted(
  { items }: Desired,
  changes: RemoteChanges,
  { book, calendar, isDeletionCertain }: SightOptions,
): Promise<Sighted> {
  const ours = new Map<string, RemoteEntry>();
  const foreign: RemoteEntry[] = [];
  for (const entry of changes.entries) {
    if (isEntryOf(calendar.id, entry.id)) ours.set(entry.id, entry);
    else foreign.push(entry);
  }
  const sightOf = (id: string): Sight => {
    const entry = ours.get(id);
    if (entry === undefined) {
      return changes.isComplete ? { seen: "gone", isCertain: false } : { seen: "unlisted" };
    }
    const isDeleted = entry.content === null && entry.problem === undefined;
    return isDeleted ? { seen: "gone", isCertain: isDeletionCertain } : { seen: "there", entry };
  };
  const known = [...items.values()].map((item) => ({ ...item, sight: sightOf(item.id) }));
  const unknown = [...ours.keys()].filter((id) => !items.has(id));
  const orphans: Item[] = [];
  for (const id of unknown) {
    const sight = sightOf(id);
    if (sight.seen !== "there") continue;
    if (!(await isOrphan(id, sight.entry, { book, calendar }))) continue;
    const because = calendar.body.leaving === undefined ? "orphan" : "left";
    const wish: Wish = { is: "gone", because };
    orphans.push({ id, record: "", recordKind: "", source: undefined, entry: null, wish, sight });
  }
  return { items: [...known, ...orphans], foreign };
}

/** Ours, but no record wants it: a write that was cut off, or an entry of a book that was reset. */
async function isOrphan(
  id: string,
  { content }: RemoteEntry,
  { book, calendar }: Pick<SightOptions, "book" | "calendar">,
): Promise<boolean> {
  if (calendar.body.leaving === "remove") return true;
  if (calendar.body.leaving === "keep" || content?.isDone === true) return false;
  return (await recordOf(book, entryKind, id))?.state !== "kept";
}

const feedPage = 500;
const shown: ReadonlySet<string> = new Set(["notification", "nag", "schedule"]);

/** Reads the feed of the book to its end, and says whether any record changed that the calendar may show. */
export async function readFeed(
  book: Book,
  after: string,
): Promise<{ cursor: string; changes: number; isRelevant: boolean }> {
  let cursor = after;
  let isRelevant = false;
  for (let count = 0; ;) {
    const page = await book.changes({ after: cursor, limit: feedPage });
    ({ cursor } = page);
    count += page.changes.length;
    isRelevant ||= page.changes.some(({ kind }) => shown.has(kind));
    if (page.changes.length < feedPage) return { cursor, changes: count, isRelevant };
  }
}

/** Where the feed begins for a calendar that was never read. */
export async function firstCursor(book: Book, calendar: string): Promise<string> {
  return (await book.changes({ id: calendar, limit: 1 })).cursor;
}
