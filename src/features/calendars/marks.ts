import { bookOf, recordOf } from "../../kernel/book.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Context } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { BusyTime, CalendarMark } from "../notifications/index.ts";
import { type CalendarKind, calendarKind, entryId, type EntryKind, entryKind } from "./kind.ts";

type Calendar = LedgerRecord<CalendarKind>;

async function calendarsIn(book: ReturnType<Ledger["of"]>): Promise<readonly Calendar[]> {
  return Array.fromAsync(recordsIn(book, { kind: calendarKind, live: true }));
}

/** Finds the entry of a notification. The owner's calendars are read once for all rows of an answer. */
export function marks(): (context: Context, id: string) => Promise<CalendarMark | null> {
  const calendars = new WeakMap<Context, Promise<readonly Calendar[]>>();
  return async (context, id) => {
    const read = calendars.get(context) ?? calendarsIn(bookOf(context));
    calendars.set(context, read);
    for (const calendar of await read) {
      const { account, name } = calendar.body;
      if (account.type === "ics") continue;
      const entry = await recordOf(bookOf(context), entryKind, entryId(calendar.id, id));
      if (entry === undefined) continue;
      return { name, isGoogle: account.type === "google", ...shownEntry(entry) };
    }
    return null;
  };
}

function shownEntry({
  state,
  outcome,
}: LedgerRecord<EntryKind>): Pick<CalendarMark, "event_id" | "state" | "url"> {
  const { location = null, error = null } = outcome ?? {};
  const live = error !== null ? "failed" : location === null ? "waiting" : "synced";
  return {
    event_id: location?.remoteId ?? null,
    state: state === "active" ? live : state,
    url: location?.url ?? null,
  };
}

/** The busy times of an owner in all calendars that count, by their start. */
export function busyTimesIn(ledger: Ledger): (owner: string) => Promise<readonly BusyTime[]> {
  return async (owner) => {
    const calendars = await calendarsIn(ledger.of(owner, owner));
    return calendars
      .flatMap(({ body, outcome }) => (body.isBusy ? (outcome?.busy ?? []) : []))
      .toSorted((a, b) => a.from - b.from);
  };
}
