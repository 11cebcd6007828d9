import { merged, readEvent, type EventBody } from "./google-body.ts";
import { GoogleComplaint, GoogleRefusal } from "./google-errors.ts";
import { shownEvent } from "./google-event.ts";
import {
  calendarOf,
  etagOf,
  eventOf,
  store,
  type GoogleCalendar,
  type GoogleEvent,
  type GoogleWorld,
} from "./google-world.ts";

/** A request about one event. */
export interface EventCall {
  readonly calendar: string;
  readonly id: string;
  readonly body: unknown;
  readonly ifMatch: string | undefined;
}

/** `events.insert`: the client chooses the id, which is used up even when the event is deleted. */
export function insertEvent(world: GoogleWorld, { calendar: name, body }: EventCall): object {
  const calendar = writable(world, name);
  const event = readEvent(body);
  const { id } = event;
  if (id === undefined) throw new GoogleComplaint("an event without an id of its own");
  if (event.status === "cancelled") throw new GoogleComplaint("a new event that is cancelled");
  if (calendar.events.has(id)) {
    throw new GoogleRefusal(409, "duplicate", "The requested identifier already exists.");
  }
  return shownEvent(
    store(world, calendar, { ...event, id, status: event.status ?? "confirmed" }),
    calendar,
  );
}

/** `events.get`: deleted events too. */
export function getEvent(world: GoogleWorld, { calendar: name, id }: EventCall): object {
  const calendar = calendarOf(world, name);
  return shownEvent(eventOf(calendar, id), calendar);
}

/** `events.update`: the whole event; with the status `confirmed`, a deleted one exists again. */
export function updateEvent(world: GoogleWorld, call: EventCall): object {
  return change(world, call, () => readEvent(call.body));
}

/** `events.patch`: null removes a field; a list replaces a list. */
export function patchEvent(world: GoogleWorld, call: EventCall): object {
  return change(world, call, (event) => readEvent(merged(bodyOf(event), call.body)));
}

function change(
  world: GoogleWorld,
  { calendar: name, id, ifMatch }: EventCall,
  next: (event: GoogleEvent) => EventBody,
): object {
  const calendar = writable(world, name);
  const event = eventOf(calendar, id);
  checkVersion(event, ifMatch);
  const body = next(event);
  if (body.id !== undefined && body.id !== id) throw new GoogleComplaint("the id of another event");
  if (event.status === "cancelled" && body.status !== "confirmed") {
    throw new GoogleComplaint("a change of a deleted event that does not restore it");
  }
  const { recurringEventId, originalStartTime } = event;
  const ofSeries = recurringEventId && { recurringEventId, originalStartTime };
  const stored = { ...body, id, status: body.status ?? "confirmed", ...ofSeries };
  return shownEvent(store(world, calendar, stored), calendar);
}

/** `events.delete`: the event is kept as cancelled, and cannot be deleted again. */
export function deleteEvent(
  world: GoogleWorld,
  { calendar: name, id, ifMatch }: EventCall,
): undefined {
  const calendar = writable(world, name);
  const event = eventOf(calendar, id);
  if (event.status === "cancelled") {
    throw new GoogleRefusal(410, "deleted", "Resource has been deleted");
  }
  checkVersion(event, ifMatch);
  store(world, calendar, { ...event, status: "cancelled" });
}

function writable(world: GoogleWorld, name: string): GoogleCalendar {
  const calendar = calendarOf(world, name);
  if (calendar.accessRole !== "reader") return calendar;
  const message = "You need to have writer access to this calendar.";
  throw new GoogleRefusal(403, "requiredAccessLevel", message);
}

function checkVersion(event: GoogleEvent, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === "*" || ifMatch === etagOf(event)) return;
  const at = { locationType: "header", location: "If-Match" };
  throw new GoogleRefusal(412, "conditionNotMet", "Precondition Failed", at);
}

/** What a client wrote, without what the service added. */
function bodyOf({
  id: _id,
  change: _change,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  recurringEventId: _recurringEventId,
  originalStartTime: _originalStartTime,
  eventType: _eventType,
  ...body
}: GoogleEvent): EventBody {
  return body;
}
