import ICAL from "ical.js";
import { inZone } from "../../../time/zone.ts";
import type { EntryContent } from "../content.ts";
import { entryText } from "./entry-text.ts";
import { folded } from "./fold.ts";
import { type JComponent, type JProperty, plainText, text, utc, wholeSecond } from "./jcal.ts";
import { uidOf } from "./uid.ts";
import { isUtc, tzidOf, vtimezone } from "./vtimezone.ts";

/** One entry to write. */
export interface CalendarEvent {
  readonly id: string;
  readonly content: EntryContent;
  /** Counts the versions of the entry. */
  readonly revision: number;
  readonly changedAt: number;
}

/** A calendar that programs subscribe to. */
export interface Feed {
  readonly name: string;
  readonly events: readonly CalendarEvent[];
  /** How often it should be read again. */
  readonly refreshMinutes: number;
}

const dayMinutes = 1_440;
const yearMs = 366 * 24 * 60 * 60_000;

/** One event as a file of its own. */
export function eventFile(event: CalendarEvent): string {
  return fileOf([event.content], [], [vevent(event, ownProperties(event.content))]);
}

export function feedFile({ name, events, refreshMinutes }: Feed): string {
  const title = entryText(name);
  const refresh = `PT${refreshMinutes}M`;
  const properties: JProperty[] = [
    text("method", "PUBLISH"),
    plainText("name", title),
    plainText("x-wr-calname", title),
    ["refresh-interval", {}, "duration", refresh],
    ["x-published-ttl", {}, "unknown", refresh],
  ];
  const contents = events.map(({ content }) => content);
  return fileOf(
    contents,
    properties,
    events.map((event) => vevent(event, [])),
  );
}

function fileOf(
  contents: readonly EntryContent[],
  properties: readonly JProperty[],
  events: readonly JComponent[],
): string {
  const head = [
    text("version", "2.0"),
    text("prodid", "-//Daybook//Daybook//EN"),
    text("calscale", "GREGORIAN"),
  ];
  const calendar: JComponent = [
    "vcalendar",
    [...head, ...properties],
    [...zonesOf(contents), ...events],
  ];
  return folded(ICAL.stringify(calendar));
}

/** The definitions of the zones, over the times at which they are used. */
function zonesOf(contents: readonly EntryContent[]): JComponent[] {
  const used = Map.groupBy(contents, ({ zone }) => tzidOf(zone));
  return [...used.values()].flatMap((all) => {
    const [{ zone } = { zone: "UTC" }] = all;
    if (isUtc(zone)) return [];
    const from = all.reduce((least, { at }) => Math.min(least, at), Infinity);
    const to = all.reduce((most, content) => Math.max(most, lastTimeOf(content)), 0);
    return [vtimezone(zone, from, to)];
  });
}

function lastTimeOf({ at, minutes, recurrence }: EntryContent): number {
  return at + minutes * 60_000 + (recurrence === undefined ? 0 : 10 * yearMs);
}

function vevent(
  { id, content, revision, changedAt }: CalendarEvent,
  own: readonly JProperty[],
): JComponent {
  const { title, description, recurrence } = content;
  const properties = [
    text("uid", uidOf(id)),
    utc("dtstamp", changedAt),
    utc("last-modified", changedAt),
    ["sequence", {}, "integer", revision] satisfies JProperty,
    ...timesOf(content),
    text("summary", entryText(title)),
    text("status", "CONFIRMED"),
    // A reminder takes no time: whoever looks for a free hour may have this one.
    text("transp", "TRANSPARENT"),
  ];
  if (description !== "") properties.push(text("description", entryText(description)));
  if (recurrence !== undefined) {
    properties.push(["rrule", {}, "recur", ICAL.Recur.fromString(recurrence).toJSON()]);
  }
  return ["vevent", [...properties, ...own], content.isDone === true ? [] : [alarm(content)]];
}

function timesOf(content: EntryContent): JProperty[] {
  const { at, zone, minutes, allDay } = content;
  if (allDay === true) {
    const day = inZone(at, zone).toPlainDate();
    const days = Math.ceil(minutes / dayMinutes);
    return [
      ["dtstart", {}, "date", day.toString()],
      ["dtend", {}, "date", day.add({ days }).toString()],
    ];
  }
  const start = timeOf("dtstart", wholeSecond(at), content);
  // A local end would make the entry longer on days on which clocks change.
  if (content.recurrence !== undefined) {
    return [start, ["duration", {}, "duration", `PT${minutes}M`]];
  }
  return [start, timeOf("dtend", wholeSecond(at) + minutes * 60_000, content)];
}

/** A time as the clocks of the zone show it. Of an hour that they show twice, the second exists only in UTC. */
function timeOf(name: string, at: number, { zone, recurrence }: EntryContent): JProperty {
  const local = inZone(at, zone).toPlainDateTime();
  const isLocal = recurrence !== undefined || local.toZonedDateTime(zone).epochMilliseconds === at;
  if (isUtc(zone) || !isLocal) return utc(name, at);
  const value = local.toString({ smallestUnit: "second" });
  return [name, { tzid: tzidOf(zone) }, "date-time", value];
}

/** What iCalendar has no property for, so that the entry is read back as it was written. */
function ownProperties(content: EntryContent): JProperty[] {
  const { at, zone, minutes, recurrence, isDone, fields } = content;
  const own: Readonly<Record<string, string | undefined>> = {
    at: Temporal.Instant.fromEpochMilliseconds(at).toString(),
    zone,
    minutes: `${minutes}`,
    recurrence,
    done: isDone === true ? "TRUE" : undefined,
    fields: fields === undefined ? undefined : JSON.stringify(fields),
  };
  return Object.entries(own).flatMap(([name, value]) =>
    value === undefined ? [] : [text(`x-daybook-${name}`, value)],
  );
}

/** Rings at the start; on a day without a time, at the time of day that the entry has. */
function alarm({ title, at, zone, allDay }: EntryContent): JComponent {
  const local = inZone(at, zone);
  const minutes = allDay === true ? local.hour * 60 + local.minute : 0;
  return [
    "valarm",
    [
      text("action", "DISPLAY"),
      text("description", entryText(title)),
      ["trigger", {}, "duration", `PT${minutes}M`],
    ],
    [],
  ];
}
