import { randomBytes } from "node:crypto";
import { eventBody, merged, readEvent, type EventBody } from "./google-body.ts";
import { shownEvent } from "./google-event.ts";
import { occurrence } from "./google-occurrences.ts";
import {
  calendarOf,
  eventOf,
  store,
  type GoogleCalendar,
  type GoogleEvent,
  type GoogleWorld,
} from "./google-world.ts";

/** The owner of the account, who uses the calendar in a browser. */
export interface GooglePerson {
  /** Adds an event; answers its id. */
  add(event: EventBody, eventType?: string): string;
  /** Changes any event; null removes a field. */
  edit(id: string, change: object): void;
  /** Changes one occurrence of a recurring event, or deletes it. */
  editOccurrence(id: string, at: number, change: object | "delete"): void;
  remove(id: string): void;
  /** What is there and not deleted. */
  events(): readonly GoogleEvent[];
  /** The same, as the API shows it. */
  shown(): readonly object[];
}

export function googlePerson(world: GoogleWorld, calendarId: string): GooglePerson {
  const calendar = (): GoogleCalendar => calendarOf(world, calendarId);
  const events = (): readonly GoogleEvent[] =>
    [...calendar().events.values()].filter(({ status }) => status !== "cancelled");
  const write = (event: GoogleEvent): void => void store(world, calendar(), event);
  return {
    add(event, eventType) {
      const id = randomBytes(16).toString("hex").slice(0, 26);
      const given = { ...readEvent(event), id, status: event.status ?? ("confirmed" as const) };
      store(world, calendar(), eventType === undefined ? given : { ...given, eventType });
      return id;
    },
    edit(id, change) {
      write(changed(eventOf(calendar(), id), change));
    },
    editOccurrence(id, at, change) {
      const one = occurrence(calendar(), eventOf(calendar(), id), at);
      write(change === "delete" ? { ...one, status: "cancelled" } : changed(one, change));
    },
    remove(id) {
      write({ ...eventOf(calendar(), id), status: "cancelled" });
    },
    events,
    shown: () => events().map((event) => shownEvent(event, calendar())),
  };
}

function changed(event: GoogleEvent, change: object): GoogleEvent {
  const own = Object.keys(eventBody.omit({ id: true }).shape);
  const body = Object.fromEntries(Object.entries(event).filter(([name]) => own.includes(name)));
  return { ...event, ...readEvent(merged(body, change)), status: event.status, id: event.id };
}
