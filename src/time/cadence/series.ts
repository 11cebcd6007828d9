import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { inZone } from "../zone.ts";
import { cronWall, readCron } from "./cron.ts";
import { recurrenceWall } from "./recurrence.ts";
import { readRule, type Rule } from "./rrule.ts";
import { type Wall, countTimes, nextTime } from "./wall.ts";

/** A rule that fires by the clocks of a zone. Times are in whole seconds since 1970 in UTC. */
export interface Series {
  readonly wall: Wall;
  readonly zone: string;
  /** Nothing fires before this time. */
  readonly from: number;
  /** Nothing fires at or after this time. */
  readonly to: number;
  /** The most fires. */
  readonly count: number;
}

/** The end of the year 9999. */
const latest = 253_402_300_800;

export function cronSeries(expression: string, zone: string): Series {
  const wall = cronWall(readCron(expression));
  return { wall, zone, from: 0, to: latest, count: Infinity };
}

export function ruleSeries(text: string, startMs: number, zone: string): Series {
  const rule = readRule(text);
  const from = Math.ceil(startMs / 1_000);
  return {
    wall: recurrenceWall(rule, from + offsetOf(inZone(from * 1_000, zone))),
    zone,
    from,
    to: Math.min(endOf(rule, text, zone), latest),
    count: rule.count ?? Infinity,
  };
}

/** UNTIL is the last moment that may fire; a date alone stands for all of that day. */
function endOf({ until }: Rule, text: string, zone: string): number {
  if (until === undefined) return Infinity;
  try {
    if (until.endsWith("Z")) return Temporal.Instant.from(until).epochMilliseconds / 1_000 + 1;
    const isDate = until.length === 8;
    const last = Temporal.PlainDateTime.from(until).add({ days: isDate ? 1 : 0 });
    return last.toZonedDateTime(zone).epochMilliseconds / 1_000 + (isDate ? 0 : 1);
  } catch (cause) {
    const advice = "has an UNTIL that no calendar has: correct it";
    throw new DaybookError("invalid", `The recurrence rule ${quote(text)} ${advice}.`, { cause });
  }
}

/** The first fires strictly after a time, in milliseconds. */
export function seriesAfter(series: Series, afterMs: number, limit: number): number[] {
  const { wall, zone, to } = series;
  const from = Math.max(Math.floor(afterMs / 1_000) + 1, series.from);
  if (from >= to) return [];
  const moments = momentsFrom(wall, zone, from, Math.min(limit, countLeft(series, from)));
  return moments.filter((moment) => moment < to).map((moment) => moment * 1_000);
}

/** The newest fires in (after, until], and how many come before these. Counted by days, not one by one. */
export function seriesBetween(
  series: Series,
  afterMs: number,
  untilMs: number,
  limit: number,
): { fires: number[]; earlier: number } {
  const { wall, zone } = series;
  const from = Math.max(Math.floor(afterMs / 1_000) + 1, series.from);
  const to = Math.min(Math.floor(untilMs / 1_000) + 1, series.to);
  if (from >= to) return { fires: [], earlier: 0 };
  const left = countLeft(series, from);
  const all = Math.min(countMoments(wall, zone, from, to), left);
  const shown = Math.min(all, limit);
  const earlier = all - shown;
  const start = momentAfter(series, from, to, earlier);
  const moments = momentsFrom(wall, zone, start, shown);
  return { fires: moments.map((moment) => moment * 1_000), earlier };
}

function countLeft({ wall, zone, from, count }: Series, moment: number): number {
  if (count === Infinity) return Infinity;
  return Math.max(0, count - countMoments(wall, zone, from, moment));
}

/** A moment before which so many fire, from a moment on. */
function momentAfter({ wall, zone }: Series, from: number, to: number, count: number): number {
  if (count === 0) return from;
  let [base, low, high, passed] = [from, from, to, 0];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const from = passed + countMoments(wall, zone, base, middle);
    if (from > count) high = middle;
    else [base, low, passed] = [middle, middle, from];
  }
  return low;
}

/** A time between two changes of a zone's clocks. In seconds: moments since 1970 in UTC, and what to add. */
interface Stretch {
  readonly begins: number;
  readonly ends: number;
  readonly offset: number;
  /** The offset right before it. */
  readonly offsetBefore: number;
  readonly next: Temporal.ZonedDateTime | null;
}

/** Longer than any change of any clock: what the clocks did before that no longer matters. */
const settled = 2 * 86_400;

/**
 * The moments of a rule at or after one, in order. The clocks on the wall are changed like this:
 * what they leap over happens in the first moment after the leap, once; what they show twice happens
 * the first time. A rule for every hour follows what they show instead, so it stays as even as they are.
 */
function momentsFrom(wall: Wall, zone: string, from: number, limit: number): number[] {
  const found: number[] = [];
  let stretch: Stretch | undefined = stretchAround(zone, from);
  while (stretch !== undefined && found.length < limit) {
    const { begins, ends, offset }: Stretch = stretch;
    const { leapt, first } = opening(wall, stretch);
    if (leapt && begins >= from) found.push(begins);
    let next: number | undefined = nextTime(wall, Math.max(first, from + offset));
    while (next !== undefined && next < ends + offset && found.length < limit) {
      found.push(next - offset);
      next = nextTime(wall, next + 1);
    }
    if (next === undefined) return found.slice(0, limit);
    const isFar: boolean =
      ends - Math.max(begins, from) > settled && next - offset - ends > 2 * settled;
    stretch = isFar ? stretchAround(zone, next - offset) : following(stretch);
  }
  return found.slice(0, limit);
}

/** How many moments a rule has from one, to before another. */
function countMoments(wall: Wall, zone: string, from: number, to: number): number {
  let count = 0;
  let stretch: Stretch | undefined = stretchAround(zone, from);
  while (stretch !== undefined && stretch.begins < to) {
    const { begins, ends, offset } = stretch;
    const { leapt, first } = opening(wall, stretch);
    if (leapt && begins >= from) count += 1;
    count += countTimes(wall, Math.max(first, from + offset), Math.min(ends, to) + offset);
    stretch = following(stretch);
  }
  return count;
}

/** Where on the wall a stretch begins for a rule, and whether it makes up for what was leapt over. */
function opening(
  wall: Wall,
  { begins, offset, offsetBefore }: Stretch,
): { leapt: boolean; first: number } {
  const [expected, shown] = [begins + offsetBefore, begins + offset];
  if (wall.isHourly || expected === shown) return { leapt: false, first: shown };
  if (expected > shown) return { leapt: false, first: expected };
  const leapt = countTimes(wall, expected, shown) > 0;
  return { leapt, first: leapt ? shown + 1 : shown };
}

function stretchAround(zone: string, moment: number): Stretch {
  const from = inZone((moment - settled) * 1_000, zone);
  return stretchFrom(from, offsetOf(from));
}

function following({ next, offset }: Stretch): Stretch | undefined {
  return next === null ? undefined : stretchFrom(next, offset);
}

function stretchFrom(from: Temporal.ZonedDateTime, offsetBefore: number): Stretch {
  const next = from.getTimeZoneTransition("next");
  return {
    begins: from.epochMilliseconds / 1_000,
    ends: next === null ? Infinity : next.epochMilliseconds / 1_000,
    offset: offsetOf(from),
    offsetBefore,
    next,
  };
}

/** What its clocks show besides UTC, in seconds. */
function offsetOf(from: Temporal.ZonedDateTime): number {
  return from.offsetNanoseconds / 1_000_000_000;
}
