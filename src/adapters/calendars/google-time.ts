import type { EntryContent } from "../../features/calendars/index.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { inZone, isZone } from "../../time/zone.ts";
import type { GoogleEvent, GoogleTime } from "./google-event.ts";

const minuteMs = 60_000;
const dayMinutes = 1_440;

/** When an entry begins and ends, as Google takes it: a null removes the other form in a patch. */
export function timesOf(content: EntryContent): { start: object; end: object } {
  const { at, zone, minutes, allDay } = content;
  if (allDay === true) {
    const day = inZone(at, zone).toPlainDate();
    const end = day.add({ days: Math.ceil(minutes / dayMinutes) }); // not included
    const timeOf = (date: Temporal.PlainDate): object => ({
      date: date.toString(),
      dateTime: null,
      timeZone: null,
    });
    return { start: timeOf(day), end: timeOf(end) };
  }
  const timeAt = (moment: number): object => ({
    date: null,
    dateTime: inZone(moment, zone).toString({
      timeZoneName: "never",
      smallestUnit: "second",
    }),
    timeZone: googleZone(zone),
  });
  return { start: timeAt(at), end: timeAt(at + minutes * minuteMs) };
}

/** Google knows zones by their names: an offset of whole hours has one, with the sign turned. */
function googleZone(zone: string): string {
  const [, sign, hours] = /^([+-])(\d\d):?(?:00)?$/.exec(zone) ?? [];
  if (sign === undefined) return /^[+-]/.test(zone) ? "UTC" : zone;
  return Number(hours) === 0 ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
}

/** What Google has no field for, so that an entry is read back as it was written. */
export function timeText({ at, minutes, zone }: EntryContent): string {
  return `${isoOf(at)} ${minutes} ${zone}`;
}

interface OwnTime {
  readonly at: number;
  readonly minutes: number;
  readonly zone: string;
}

function ownTime(event: GoogleEvent): OwnTime | undefined {
  const text = event.extendedProperties?.private?.["daybookTime"] ?? "";
  const [at = "", minutes, zone = ""] = text.split(" ");
  const own = { at: momentOf({ dateTime: at }, "UTC"), minutes: Number(minutes), zone };
  return own.at !== undefined && own.minutes > 0 && isZone(zone)
    ? { ...own, at: own.at }
    : undefined;
}

type Times = Pick<EntryContent, "at" | "minutes" | "zone" | "allDay">;

/** The times of an event, with what Google has no field for. Undefined: it has none that can be read. */
export function readTimes(event: GoogleEvent, zoneOfCalendar: string): Times | undefined {
  const own = ownTime(event);
  const named = event.start?.timeZone ?? zoneOfCalendar;
  const isOurs = own !== undefined && (googleZone(own.zone) === named || !event.start?.timeZone);
  const zone = isOurs ? own.zone : isZone(named) ? named : "UTC";
  const span = spanOf(event, zone);
  if (span === undefined) return undefined;
  const { from, to } = span;
  if (event.start?.date !== undefined) return dayTimes(event.start.date, { ...span, zone, own });
  const minutes = Math.max(1, Math.round((to - from) / minuteMs));
  return { at: from, minutes, zone };
}

/** A whole day keeps the time of day that it had, also on another date. */
function dayTimes(
  date: string,
  { from, to, zone, own }: Span & { readonly zone: string; readonly own: OwnTime | undefined },
): Times {
  const time = own && { plainTime: inZone(own.at, zone).toPlainTime() };
  const days = Math.max(1, Math.round((to - from) / (dayMinutes * minuteMs)));
  const isKept = own !== undefined && Math.ceil(own.minutes / dayMinutes) === days;
  const at = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, ...time });
  return {
    at: at.epochMilliseconds,
    minutes: isKept ? own.minutes : days * dayMinutes,
    zone,
    allDay: true,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When an event begins and ends; whole days are those of the zone. */
export function spanOf({ start, end }: GoogleEvent, zone: string): Span | undefined {
  const from = momentOf(start, zone);
  const to = momentOf(end, zone) ?? from;
  return from === undefined || to === undefined ? undefined : { from, to };
}

function momentOf({ date, dateTime }: GoogleTime = {}, timeZone: string): number | undefined {
  try {
    if (dateTime !== undefined) return Temporal.Instant.from(dateTime).epochMilliseconds;
    if (date === undefined) return undefined;
    return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).epochMilliseconds;
  } catch {
    return undefined; // no time that can be read
  }
}
