import ICAL from "ical.js";
import * as z from "zod";
import { json } from "../../../kernel/schemas.ts";
import { inZone, isZone } from "../../../time/zone.ts";
import type { EntryContent } from "../content.ts";
import type { Span } from "../service.ts";
import { busySpans } from "./busy.ts";
import { type FileTime, instantOf, timeIn, zoneNamed } from "./file-time.ts";
import { type JComponent, wholeSecond } from "./jcal.ts";
import { entryIdIn } from "./uid.ts";
import { tzidOf, vtimezone } from "./vtimezone.ts";

/** The event in a file of a calendar. */
export interface ReadEvent {
  /** Null: it is not ours. */
  readonly id: string | null;
  readonly content: EntryContent;
  /** Of somebody else's event: the times that it takes. */
  readonly busy: readonly Span[];
}

export interface ReadOptions {
  /** For times without a zone. */
  readonly zone: string;
  readonly now: number;
}

const dayMinutes = 1_440;

/** Undefined: there is no event in the text that can be read. */
export function readEvent(text: string, options: ReadOptions): ReadEvent | undefined {
  try {
    return eventOf(eventsIn(text, options.now), options);
  } catch {
    return undefined; // ical.js reads values on use, so any of them may be wrong only now
  }
}

function eventOf(
  events: readonly ICAL.Component[],
  { zone, now }: ReadOptions,
): ReadEvent | undefined {
  const main = events.find((each) => !each.hasProperty("recurrence-id")) ?? events[0];
  if (main === undefined) return undefined;
  const content = contentOf(main, zone);
  if (content === undefined) return undefined;
  const id = entryIdIn(textOf(main, "uid") ?? "");
  const busy = id === null ? busySpans(main, events, { zone: content.zone, now }) : [];
  return { id, content, busy };
}

function eventsIn(text: string, now: number): readonly ICAL.Component[] {
  const parsed = ICAL.parse(text) as JComponent | JComponent[];
  const file = Array.isArray(parsed[0]) ? parsed[0] : (parsed as JComponent);
  return new ICAL.Component(withZones(file, now)).getAllSubcomponents("vevent");
}

/** Adds the zones that the file uses and does not define: many servers leave them out. */
function withZones([name, properties, components]: JComponent, now: number): JComponent {
  const of = (wanted: string) => components.filter(([each]) => each === wanted);
  const defined = new Set(of("vtimezone").flatMap(([, all]) => all.map(([, , , value]) => value)));
  const used = of("vevent").flatMap(([, all]) => all.map(([, { tzid }]) => tzid));
  const missing = new Set(used.filter((tzid) => tzid !== undefined && !defined.has(tzid)));
  const added = [...missing].flatMap((tzid) => {
    const zone = zoneNamed(tzid);
    if (zone === undefined || tzid === undefined) return [];
    const [, , observances] = vtimezone(zone, 0, now);
    return [["vtimezone", [["tzid", {}, "text", tzid]], observances] satisfies JComponent];
  });
  return [name, properties, [...components, ...added]];
}

function contentOf(event: ICAL.Component, fallback: string): EntryContent | undefined {
  const start = timeIn(event, "dtstart");
  if (start === undefined) return undefined;
  const own = ownOf(event);
  const zone = zoneOf(start, own.zone) ?? fallback;
  const recurrence = recurrenceOf(event, own.recurrence);
  return {
    title: textOf(event, "summary") ?? "",
    description: textOf(event, "description") ?? "",
    zone,
    ...(start.time.isDate
      ? dayOf(event, start, { ...own, zone })
      : timeOf(event, start, { ...own, zone })),
    ...(recurrence !== undefined && { recurrence }),
    ...(own.isDone && { isDone: true }),
    ...(own.fields !== undefined && { fields: own.fields }),
  };
}

function zoneOf({ tzid }: FileTime, own: string | undefined): string | undefined {
  return own !== undefined && tzidOf(own) === tzid ? own : (zoneNamed(tzid) ?? own);
}

type Times = Pick<EntryContent, "at" | "minutes" | "allDay">;
type Known = Pick<Own, "at" | "minutes"> & { readonly zone: string };

function timeOf(event: ICAL.Component, start: FileTime, { at, zone, minutes }: Known): Times {
  const from = instantOf(start, zone);
  const to = endOf(event, start, zone);
  return {
    at: at !== undefined && isStill(at, from, { event, zone }) ? at : from,
    minutes: to === undefined ? (minutes ?? 1) : Math.max(1, Math.round((to - from) / 60_000)),
  };
}

/** Whether nobody moved the event from its own time. Files have whole seconds, and a rule has only local times. */
function isStill(
  at: number,
  from: number,
  { event, zone }: { readonly event: ICAL.Component; readonly zone: string },
): boolean {
  const whole = wholeSecond(at);
  if (from === whole) return true;
  const local = inZone(whole, zone).toPlainDateTime();
  return event.hasProperty("rrule") && local.toZonedDateTime(zone).epochMilliseconds === from;
}

/** A whole day keeps the time of day that it had, also on another date. */
function dayOf(event: ICAL.Component, start: FileTime, { at, zone, minutes }: Known): Times {
  const { year, month, day } = start.time;
  const from = instantOf(start, zone);
  const to = endOf(event, start, zone);
  const days = to === undefined ? 1 : Math.max(1, Math.round((to - from) / 86_400_000));
  const isKept = minutes !== undefined && Math.ceil(minutes / dayMinutes) === days;
  return {
    at: onDate(Temporal.PlainDate.from({ year, month, day }), at, zone),
    minutes: isKept ? minutes : days * dayMinutes,
    allDay: true,
  };
}

function onDate(date: Temporal.PlainDate, at: number | undefined, timeZone: string): number {
  if (at === undefined) return date.toZonedDateTime({ timeZone }).epochMilliseconds;
  const own = inZone(at, timeZone);
  if (own.toPlainDate().equals(date)) return at;
  return date.toZonedDateTime({ timeZone, plainTime: own.toPlainTime() }).epochMilliseconds;
}

function endOf(event: ICAL.Component, start: FileTime, zone: string): number | undefined {
  const end = timeIn(event, "dtend");
  if (end !== undefined) return instantOf(end, zone);
  const duration: unknown = event.getFirstPropertyValue("duration");
  if (!(duration instanceof ICAL.Duration)) return undefined;
  return instantOf(start, zone) + duration.toSeconds() * 1_000;
}

/** The rule as it was written, as long as it still means the same. */
function recurrenceOf(event: ICAL.Component, own: string | undefined): string | undefined {
  const rule: unknown = event.getFirstPropertyValue("rrule");
  if (!(rule instanceof ICAL.Recur)) return undefined;
  const found = rule.toString();
  return own !== undefined && ICAL.Recur.fromString(own).toString() === found ? own : found;
}

const fieldsForm = z.record(z.string(), json);

interface Own {
  readonly at: number | undefined;
  readonly zone: string | undefined;
  readonly minutes: number | undefined;
  readonly recurrence: string | undefined;
  readonly isDone: boolean;
  readonly fields: EntryContent["fields"];
}

/** Our own properties, which any other program may have lost or changed. */
function ownOf(event: ICAL.Component): Own {
  const own = (name: string): string | undefined => textOf(event, `x-daybook-${name}`);
  const zone = own("zone");
  const minutes = Number(own("minutes"));
  return {
    at: instantIn(own("at")),
    zone: zone !== undefined && isZone(zone) ? zone : undefined,
    minutes: Number.isSafeInteger(minutes) && minutes > 0 ? minutes : undefined,
    recurrence: own("recurrence"),
    isDone: own("done") === "TRUE",
    fields: fieldsIn(own("fields")),
  };
}

function instantIn(text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function fieldsIn(text: string | undefined): EntryContent["fields"] {
  try {
    return text === undefined ? undefined : fieldsForm.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function textOf(event: ICAL.Component, name: string): string | undefined {
  const value: unknown = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value : undefined;
}
