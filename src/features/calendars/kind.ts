import { createHash } from "node:crypto";
import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { account, entryOptions } from "./account.ts";
import { entryContent } from "./content.ts";

/** How many entries one pass created, updated and deleted, and how many it found right. */
export const passCounts = z.strictObject({
  created: count,
  updated: count,
  deleted: count,
  unchanged: count,
  failed: count,
});
export type PassCounts = z.output<typeof passCounts>;

/** A calendar in which a book is shown: for each waiting record that it shows, exactly one entry exists. */
export const calendarKind = defineKind({
  name: "calendar",
  levelTriggered: true,
  /** A feed that is only read needs no work. */
  wakeTimeOptional: true,
  body: z.strictObject({
    name: z.string(),
    account,
    /** What it shows besides notifications. */
    shows: z.array(z.enum(["nags", "schedules", "todos"])).readonly(),
    /** What becomes of the entry of a delivered or cancelled record. */
    ended: z.enum(["remove", "keep"]),
    /** Changes made in the calendar change the book. */
    editsFlowBack: z.boolean(),
    /** Other people's events in it are busy time, in which nothing is sent that is not urgent. */
    isBusy: z.boolean(),
    entries: entryOptions,
    /** Counts the requests for a pass, so that a caller can wait for its own. */
    asked: count,
    /** So many removals were confirmed for the brake, by the request with this number: for one pass. */
    confirmed: z.strictObject({ removals: count, asked: count }).exactOptional(),
    /** It was deleted: its entries are removed, or kept there without us, and then it ends. */
    leaving: z.enum(["remove", "keep"]).exactOptional(),
  }),
  outcome: z.strictObject({
    /** The `asked` that the last complete pass began after. */
    asked: count,
    /** The feed of the book was read up to here. */
    cursor: z.string().nullable(),
    /** The service's own token: all changes before it were acted on. */
    token: z.string().nullable(),
    /** When everything in the calendar was listed last. */
    listedAt: moment.nullable(),
    /** Of the last complete pass that had something to do. */
    syncedAt: moment.nullable(),
    /** Of the last complete pass. */
    counts: passCounts,
    /** Of the pass that is not complete yet. */
    soFar: passCounts.nullable(),
    failures: count,
    reason: z.string().nullable(),
    /** The brake is on: so many removals of so many entries wait for a person. */
    brake: z.strictObject({ removals: count, entries: count }).nullable(),
    /** Busy times of other people's events, for the next days, in order. */
    busy: z
      .array(z.strictObject({ from: moment, to: moment, by: z.string() }).readonly())
      .readonly(),
  }),
  states: { active: [] },
});
export interface CalendarKind extends KindOf<typeof calendarKind> {}

/** The entry of one record in one calendar: its parent is the calendar. */
export const entryKind = defineKind({
  name: "calendar_entry",
  wakeTimeOptional: true,
  body: z.strictObject({ record: z.string(), recordKind: z.string() }),
  outcome: z.strictObject({
    /** What the service has, as we know it; null: nothing was written yet, or the answer was lost. */
    location: z
      .strictObject({ remoteId: z.string(), etag: z.string(), url: z.string().exactOptional() })
      .nullable(),
    /** What we wrote last, or agreed to: the base that a change in the calendar is compared with. */
    content: entryContent.nullable(),
    /** Of the book's record, when that was written. */
    revision: count,
    syncedAt: moment.nullable(),
    failures: count,
    retryAt: moment.nullable(),
    error: z.string().nullable(),
    /** It was missing from a complete list. A second list confirms that before the record is cancelled. */
    missingSince: moment.exactOptional(),
    /** Both sides changed at once: the content of the calendar that was not taken over. */
    conflict: entryContent.exactOptional(),
  }),
  states: { active: ["removed", "kept"] },
  label: "calendar entry",
});
export interface EntryKind extends KindOf<typeof entryKind> {}

/**
 * The id of a record's entry in a calendar: the same in every pass and on every node, so that no crash can make two.
 * Its beginning names the calendar, so that no other book's entries are taken for ours. It is valid as a Google event
 * id (0-9 and a-v), a UID and a file name.
 */
export function entryId(calendar: string, record: string): string {
  return `${entryPrefix(calendar)}${letters(`${calendar}\n${record}`, 28)}`;
}

/** Whether an entry was made by this calendar. */
export function isEntryOf(calendar: string, id: string | null): id is string {
  return id?.startsWith(entryPrefix(calendar)) === true;
}

function entryPrefix(calendar: string): string {
  return `db${letters(calendar, 12)}`;
}

function letters(text: string, count: number): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return BigInt(`0x${hash}`).toString(32).padStart(52, "0").slice(-count);
}
