import { timeMs, type EventTime } from "./google-body.ts";
import { etagOf, type GoogleCalendar, type GoogleEvent } from "./google-world.ts";

/** A moment as the API writes it: in whole seconds, at the offset of the zone. */
export function timeText(at: number, zoneName: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zoneName)
    .toString({ timeZoneName: "never", smallestUnit: "second" })
    .replace(/\+00:00$/, "Z");
}

/** An event as the API shows it. Of a deleted one it promises nothing but the id. */
export function shownEvent(event: GoogleEvent, calendar: GoogleCalendar): object {
  const { id, status, change, createdAt, updatedAt, start, end, ...rest } = event;
  const head = { kind: "calendar#event", etag: etagOf({ change }), id, status };
  const { recurringEventId, originalStartTime, summary, description, ...body } = rest;
  const ofSeries = recurringEventId && { recurringEventId, originalStartTime };
  if (status === "cancelled") return { ...head, ...ofSeries };
  return {
    ...head,
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(id).toString("base64url")}`,
    created: new Date(createdAt).toISOString(),
    updated: new Date(updatedAt).toISOString(),
    ...(summary && { summary }), // an empty text is not shown
    ...(description && { description }),
    creator: { email: "mina@example.org", self: true },
    organizer: { email: calendar.id, displayName: calendar.summary, self: true },
    start: shownTime(start, calendar),
    end: shownTime(end, calendar),
    iCalUID: `${recurringEventId ?? id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: "default",
    ...body,
    ...ofSeries,
  };
}

function shownTime(given: EventTime, { timeZone: calendarZone }: GoogleCalendar): EventTime {
  if (given.date !== undefined) return { date: given.date };
  const dateTime = timeText(timeMs(given, calendarZone), calendarZone);
  return { dateTime, timeZone: given.timeZone ?? calendarZone };
}
