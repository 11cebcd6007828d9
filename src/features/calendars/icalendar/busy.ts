import ICAL from "ical.js";
import { busyAheadMs, type Span } from "../service.ts";
import { instantOf, timeIn } from "./file-time.ts";

interface BusyOptions {
  /** For times without a zone. */
  readonly zone: string;
  readonly now: number;
}

/** A rule that yields more than this before now is not followed to its end. */
const occurrencesMax = 20_000;

/** The times that an event takes from now on, as far as busy times are listed. Whole days take none. */
export function busySpans(
  main: ICAL.Component,
  all: readonly ICAL.Component[],
  { zone, now }: BusyOptions,
): readonly Span[] {
  const others = all.filter((each) => each !== main && each.hasProperty("recurrence-id"));
  const spans = [
    ...(isBusy(main) || others.some(isBusy) ? occurrences(main, others, { zone, now }) : []),
    ...others.filter(isBusy).flatMap((each) => spanOf(each, zone) ?? []),
  ].filter(({ from, to }) => to > now && from < now + busyAheadMs && to > from);
  const once = new Map(spans.map((span) => [`${span.from}-${span.to}`, span]));
  return [...once.values()].toSorted((a, b) => a.from - b.from);
}

function isBusy(event: ICAL.Component): boolean {
  const has = (name: string, value: string): boolean =>
    event.getFirstPropertyValue(name)?.toString().toUpperCase() === value;
  const isDay = timeIn(event, "dtstart")?.time.isDate ?? true;
  return !isDay && !has("transp", "TRANSPARENT") && !has("status", "CANCELLED");
}

function spanOf(event: ICAL.Component, zone: string): Span | undefined {
  const start = timeIn(event, "dtstart");
  if (start === undefined) return undefined;
  const { endDate } = new ICAL.Event(event);
  const tzid = timeIn(event, "dtend")?.tzid ?? start.tzid;
  return { from: instantOf(start, zone), to: instantOf({ time: endDate, tzid }, zone) };
}

function occurrences(
  main: ICAL.Component,
  others: readonly ICAL.Component[],
  { zone, now }: BusyOptions,
): readonly Span[] {
  const spans: Span[] = [];
  const event = new ICAL.Event(main, { exceptions: [...others], strictExceptions: false });
  const iterator = event.iterator();
  try {
    for (let count = 0; count < occurrencesMax; count += 1) {
      const next = iterator.next() as ICAL.Time | undefined;
      if (next === undefined) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      const tzid = timeIn(item.component, "dtstart")?.tzid;
      const span = {
        from: instantOf({ time: startDate, tzid }, zone),
        to: instantOf({ time: endDate, tzid: tzid }, zone),
      };
      if (span.from >= now + busyAheadMs) break;
      if (isBusy(item.component) && span.to > now) spans.push(span);
    }
  } catch {
    // An impossible rule: what was found until then is busy.
  }
  return spans;
}
