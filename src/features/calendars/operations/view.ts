import * as z from "zod";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { type CalendarKind, passCounts } from "../kind.ts";
import { noCounts } from "../verdict.ts";

export const countsView = passCounts;

export const calendarView = z.object({
  id: z.string(),
  kind: z.enum(["ics", "caldav", "google"]),
  name: z.string(),
  state: z
    .enum(["active", "leaving", "deleted"])
    .describe("leaving: it was deleted, and its entries are being removed"),
  place: z.string().nullable().describe("the calendar at its service; null: a feed"),
  shows: z.array(z.string()).describe("what it shows besides notifications"),
  ended: z.enum(["remove", "keep"]).describe("what becomes of entries of ended records"),
  edits: z.boolean().describe("true: changes in the calendar change the book"),
  busy: z.boolean().describe("true: other people's events in it hold messages back"),
  zone: z.string().nullable().describe("the zone of its entries; null: the owner's"),
  minutes: z.number().describe("how long an entry is"),
  synced_at: z
    .string()
    .nullable()
    .describe("the last complete pass that had something to do; null: none yet"),
  counts: countsView.describe("what that pass did"),
  failures: z.number().describe("passes in a row that failed"),
  reason: z.string().nullable().describe("why the last pass failed"),
  brake: z
    .object({ removals: z.number(), entries: z.number() })
    .nullable()
    .describe("so many removals wait until a person confirms them; null: none"),
  created_at: z.string(),
  revision: z.number(),
});
export type CalendarView = z.output<typeof calendarView>;

/** Never a secret, and no address with one. */
export function shownCalendar(record: LedgerRecord<CalendarKind>): CalendarView {
  const { id, body, outcome, endedAt, createdAt, revision } = record;
  const isLeaving = body.leaving !== undefined || record.cancelling;
  return {
    id,
    kind: body.account.type,
    name: body.name,
    state: endedAt !== null ? "deleted" : isLeaving ? "leaving" : "active",
    place: placeOf(body.account),
    shows: [...body.shows],
    ended: body.ended,
    edits: body.editsFlowBack,
    busy: body.isBusy,
    zone: body.entries.zone ?? null,
    minutes: body.entries.minutes,
    synced_at: isoOr(outcome?.syncedAt),
    counts: outcome?.counts ?? noCounts,
    failures: outcome?.failures ?? 0,
    reason: outcome?.reason ?? null,
    brake: outcome?.brake ?? null,
    created_at: isoOf(createdAt),
    revision,
  };
}

function placeOf(account: CalendarKind["body"]["account"]): string | null {
  switch (account.type) {
    case "ics":
      return null;
    case "caldav":
      return account.collection;
    case "google":
      return account.calendarId;
  }
}
