import ICAL from "ical.js";
import { isZone } from "../../../time/zone.ts";

/** A date or time in a file: what clocks showed, and where. */
export interface FileTime {
  readonly time: ICAL.Time;
  /** As the file names it; undefined: UTC, or no zone at all. */
  readonly tzid: string | undefined;
}

export function timeIn(component: ICAL.Component, name: string): FileTime | undefined {
  const property = component.getFirstProperty(name);
  const time: unknown = property?.getFirstValue();
  if (!(time instanceof ICAL.Time)) return undefined;
  const tzid: unknown = property?.getParameter("tzid");
  return { time, tzid: typeof tzid === "string" ? tzid : undefined };
}

/** The zone that a file names: by its name in the IANA database, if that can be found out. */
export function zoneNamed(tzid: string | undefined): string | undefined {
  if (tzid === undefined) return undefined;
  if (isZone(tzid)) return tzid;
  // Such as /freeassociation.sourceforge.net/Europe/Berlin or /mozilla.org/20070129_1/America/Argentina/Salta.
  const parts = tzid.split("/");
  const endings = [3, 2].map((count) => parts.slice(-count).join("/"));
  return endings.find((name) => name.includes("/") && isZone(name));
}

/** Epoch milliseconds. A time without a zone, and a date, is one of `zone`. */
export function instantOf({ time, tzid }: FileTime, zone: string): number {
  const { year, month, day, isDate } = time;
  if (isUtcTime(time)) return time.toUnixTime() * 1_000;
  const named = zoneNamed(tzid);
  // The file's own definition of a zone that only its writer knows.
  if (named === undefined && isDefined(time)) return time.toUnixTime() * 1_000;
  const { hour, minute, second } = time;
  const clock = isDate ? {} : { hour, minute, second: Math.min(second, 59) };
  const local = Temporal.PlainDateTime.from({ year, month, day, ...clock });
  return local.toZonedDateTime(named ?? zone).epochMilliseconds;
}

function isUtcTime(time: ICAL.Time): boolean {
  return time.zone === ICAL.Timezone.utcTimezone;
}

function isDefined(time: ICAL.Time): boolean {
  return time.zone !== undefined && time.zone !== ICAL.Timezone.localTimezone;
}
