import type { EventBody } from "./google-body.ts";
import { GoogleRefusal } from "./google-errors.ts";

/** One account at Google, with its calendars. */
export interface GoogleWorld {
  readonly now: () => number;
  readonly calendars: Map<string, GoogleCalendar>;
  /** Counts every change of an event. */
  changes: number;
  /** Tokens of an earlier epoch are forgotten. */
  epoch: number;
  /** The rest of lists that were not read to their end, by the token of the next page. */
  readonly pages: Map<string, GooglePage>;
}

export interface GooglePage {
  /** The parameters of the list. */
  readonly asked: string;
  readonly from: number;
  /** The last change when the list began. */
  readonly change: number;
  readonly found: readonly GoogleEvent[];
}

export interface GoogleCalendar {
  readonly id: string;
  readonly summary: string;
  readonly timeZone: string;
  readonly accessRole: "owner" | "writer" | "reader";
  readonly primary?: true;
  readonly events: Map<string, GoogleEvent>;
}

/** An event as it is stored; a deleted one is cancelled. */
export interface GoogleEvent extends EventBody {
  readonly id: string;
  readonly status: "confirmed" | "tentative" | "cancelled";
  /** The change of the world that it was last written by. */
  readonly change: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Of an occurrence of a recurring event that was changed by itself. */
  readonly recurringEventId?: string;
  readonly originalStartTime?: EventBody["start"];
  readonly eventType?: string;
}

export function calendarOf({ calendars }: GoogleWorld, id: string): GoogleCalendar {
  const found =
    id === "primary" ? [...calendars.values()].find(({ primary }) => primary) : calendars.get(id);
  if (found === undefined) throw new GoogleRefusal(404, "notFound", "Not Found");
  return found;
}

export function eventOf({ events }: GoogleCalendar, id: string): GoogleEvent {
  const found = events.get(id);
  if (found === undefined) throw new GoogleRefusal(404, "notFound", "Not Found");
  return found;
}

/** Stores a new version of an event. */
export function store(
  world: GoogleWorld,
  calendar: GoogleCalendar,
  event: Omit<GoogleEvent, "change" | "createdAt" | "updatedAt">,
): GoogleEvent {
  world.changes += 1;
  const createdAt = calendar.events.get(event.id)?.createdAt ?? world.now();
  const stored = { ...event, change: world.changes, createdAt, updatedAt: world.now() };
  calendar.events.set(event.id, stored);
  return stored;
}

export function addCalendar(
  world: GoogleWorld,
  given: Omit<GoogleCalendar, "events">,
): GoogleCalendar {
  const calendar: GoogleCalendar = { ...given, events: new Map() };
  world.calendars.set(calendar.id, calendar);
  return calendar;
}

export function etagOf({ change }: Pick<GoogleEvent, "change">): string {
  return `"${3_500_000_000_000_000 + change * 2_000}"`;
}
