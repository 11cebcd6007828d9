import { RRuleTemporal } from "rrule-temporal";
import { timeMs } from "./google-body.ts";
import { timeText } from "./google-event.ts";
import type { GoogleCalendar, GoogleEvent } from "./google-world.ts";

/** The occurrences of a recurring event in a window: those that were changed or deleted by themselves are in the calendar. */
export function occurrencesOf(
  calendar: GoogleCalendar,
  event: GoogleEvent,
  window: { from: number; to: number },
): readonly GoogleEvent[] {
  const lengthMs = timeMs(event.end, calendar.timeZone) - timeMs(event.start, calendar.timeZone);
  return startsOf(calendar, event, { from: window.from - lengthMs, to: window.to })
    .filter((at) => !calendar.events.has(occurrenceId(event, at)))
    .map((at) => occurrence(calendar, event, at));
}

/** The id of the occurrence that begins at a moment, if nobody moved it. */
function occurrenceId({ id, start }: Pick<GoogleEvent, "id" | "start">, at: number): string {
  const compact = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${id}_${start.date === undefined ? compact : compact.slice(0, 8)}`;
}

/** One occurrence, as if it stood alone. */
export function occurrence(calendar: GoogleCalendar, event: GoogleEvent, at: number): GoogleEvent {
  const { recurrence: _recurrence, ...rest } = event;
  const lengthMs = timeMs(event.end, calendar.timeZone) - timeMs(event.start, calendar.timeZone);
  const timeAt = (moment: number): GoogleEvent["start"] =>
    event.start.date === undefined
      ? { dateTime: timeText(moment, calendar.timeZone), timeZone: event.start.timeZone ?? "UTC" }
      : { date: new Date(moment).toISOString().slice(0, 10) };
  return {
    ...rest,
    id: occurrenceId(event, at),
    start: timeAt(at),
    end: timeAt(at + lengthMs),
    recurringEventId: event.id,
    originalStartTime: timeAt(at),
  };
}

function startsOf(
  { timeZone }: GoogleCalendar,
  { start, recurrence = [] }: GoogleEvent,
  { from, to }: { from: number; to: number },
): readonly number[] {
  const isDay = start.date !== undefined;
  const zone = isDay ? "UTC" : (start.timeZone ?? timeZone);
  const first = timeMs(start, zone);
  const local = Temporal.Instant.fromEpochMilliseconds(first)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: "second" })
    .replaceAll(/[-:]/g, "");
  const rule = new RRuleTemporal({
    rruleString: [`DTSTART;TZID=${zone}:${local}`, ...recurrence].join("\n"),
  });
  return rule
    .between(new Date(from), new Date(to - 1), true)
    .map(({ epochMilliseconds }) => epochMilliseconds);
}
