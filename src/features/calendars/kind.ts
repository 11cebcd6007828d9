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
    /** The number of removals that a person confirmed for the brake. */
    confirmed: count.exactOptional(),
    /** It was deleted: its entries are being removed, and then it ends. */
    isLeaving: z.literal(true).exactOptional(),
  }),
  outcome: z.strictObject({
    /** The `asked` that the last complete pass began after. */
    asked: count,
    /** The feed of the book was read up to here by the last complete pass. */
    cursor: z.string().nullable(),
    /** The service's own token for changes. */
    token: z.string().nullable(),
    syncedAt: moment.nullable(),
    /** Of the last complete pass. */
    counts: passCounts,
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
    /** Both sides changed at once: the content of the calendar that was not taken over. */
    conflict: entryContent.exactOptional(),
  }),
  states: { active: ["removed", "kept"] },
  label: "calendar entry",
});
export interface EntryKind extends KindOf<typeof entryKind> {}

/**
 * The id of a record's entry in a calendar: the same in every pass and on every node, so that no crash can make two.
 * It is valid as a Google event id (0-9 and a-v), a UID and a file name.
 */
export function entryId(calendar: string, record: string): string {
  const hash = createHash("sha256").update(`${calendar}\n${record}`).digest();
  return `db${BigInt(`0x${hash.toString("hex")}`)
    .toString(32)
    .padStart(52, "0")
    .slice(0, 40)}`;
}
