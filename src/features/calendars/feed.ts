import { createHash } from "node:crypto";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Installation } from "../../kernel/operation.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { notificationKind } from "../notifications/index.ts";
import { isFeedSecret, readFeedToken } from "./feed-address.ts";
import { iCalendar } from "./icalendar.ts";
import type { CalendarEvent } from "./icalendar/write.ts";
import { type CalendarKind, calendarKind, entryId } from "./kind.ts";
import { styleOf } from "./pass.ts";
import { type Style, wishFor } from "./projection.ts";
import { readDesired } from "./reading.ts";

type Reader = Pick<Installation, "ledger" | "readProfile" | "now">;

interface FeedText {
  readonly text: string;
  /** The same as long as the text is. */
  readonly etag: string;
}

/** The calendar that a secret address shows; undefined: there is none at it. */
export async function feedAt(
  { ledger, readProfile, now }: Reader,
  token: string,
): Promise<FeedText | undefined> {
  const read = readFeedToken(token);
  if (read === undefined) return undefined;
  const book = ledger.of(read.owner, "feed");
  const record = await book.get(read.id);
  if (!is(calendarKind, record) || !isOpenTo(record, read.secret)) return undefined;
  const style = styleOf(record, await readProfile(read.owner), false);
  const events = await eventsOf(book, record, { style, now: now() });
  const { feedFile } = await iCalendar();
  const text = feedFile({ name: record.body.name, events, refreshMinutes });
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"` };
}

function isOpenTo(
  { body, endedAt, cancelling }: LedgerRecord<CalendarKind>,
  secret: string,
): boolean {
  const { account } = body;
  const isThere = endedAt === null && !cancelling && account.type === "ics";
  return isThere && isFeedSecret(secret, account.secretHash);
}

/** How often programs should read it again. Many read it when they like. */
const refreshMinutes = 15;
/** A feed is sent whole, so it has an end: the entries that come first. */
const eventsMax = 5_000;
/** Entries of ended records stay for so long, and at most so many. */
const endedMs = 30 * 86_400_000;
const endedMax = 500;

/** The entries of the book, in an order of their own: the text changes only when one of them does. */
async function eventsOf(
  book: Book,
  calendar: LedgerRecord<CalendarKind>,
  { style, now }: { readonly style: Style; readonly now: number },
): Promise<readonly CalendarEvent[]> {
  const { items } = await readDesired(book, calendar, style);
  const live = [...items.values()].flatMap(({ source }) => source ?? []);
  const ended = style.ended === "keep" ? await endedIn(book, now - endedMs) : [];
  const events = [...live, ...ended].flatMap((source) => {
    const wish = wishFor(source, style);
    if (!("content" in wish)) return [];
    const { id, revision, updatedAt } = source;
    const entry = entryId(calendar.id, id);
    return [{ id: entry, content: wish.content, revision, changedAt: updatedAt }];
  });
  const soonest = events.toSorted((a, b) => a.content.at - b.content.at).slice(0, eventsMax);
  return soonest.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function endedIn(book: Book, since: number): Promise<readonly AnyRecord[]> {
  const query = { kind: notificationKind, live: false, order: "newest" } as const;
  const found = await Array.fromAsync(recordsIn(book, query, endedMax));
  return found.filter(({ endedAt }) => endedAt !== null && endedAt >= since);
}
