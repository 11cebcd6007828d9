import { datesOf } from "./calendar-dates.ts";
import { clockOf, otherHalf, type Clock } from "./clock.ts";
import type { Day } from "./day.ts";
import { isInDays, type Length } from "./length.ts";
import type { Phrase } from "./phrase.ts";
import { refusal, unreadable } from "./reader.ts";
import type { Time } from "./time-of-day.ts";

interface Resolved {
  readonly at: Temporal.ZonedDateTime;
  readonly assumed?: string | undefined;
  /** The time in the other half of the day, if the text could mean that one too. */
  readonly other?: Clock | undefined;
}

const morning: Clock = { hour: 9, minute: 0, second: 0, isAssumed: true };

/** The time that a phrase means at a given time in a zone. */
export function resolve(phrase: Phrase, now: Temporal.ZonedDateTime, typed: string): Resolved {
  const { after, day } = phrase;
  const typedClock = clockOf(phrase, typed);
  const isToday = day === undefined || (day.is === "from today" && day.days === 0);
  const clock = typedClock && isToday ? nextOfDay(typedClock, now) : typedClock;
  if (after !== undefined) {
    if (day !== undefined || (clock && !isInDays(after))) throw unreadable(typed);
    const at = later(now, after, typed);
    return clock === undefined ? { at } : answer(at.toPlainDate(), clock, now);
  }
  if (day !== undefined) return onDay(day, clock, now, typed);
  if (clock === undefined) throw unreadable(typed);
  const next = { ...clock, hour: clock.hour % 24 };
  const days = [0, 1, 2].map((days) => now.toPlainDate().add({ days }));
  // The coming midnight is one time; of a named day it could be either end.
  const isAssumed = clock.isAssumed && clock.hour !== 24;
  return answer(firstAhead(days, next, now), { ...next, isAssumed }, now);
}

function onDay(
  day: Day,
  said: Clock | undefined,
  now: Temporal.ZonedDateTime,
  typed: string,
): Resolved {
  if (day.is === "from today" && day.days === 0 && said === undefined) {
    throw refusal(typed, 'needs a time: write it as "today 18:00" or "오늘 오후 6시"');
  }
  const clock = said ?? morning;
  const date = firstAhead(datesOf(day, now.toPlainDate(), typed), clock, now);
  const weekday = day.is === "date" ? day.weekday : undefined;
  if (weekday !== undefined && weekday !== date.dayOfWeek) {
    throw refusal(typed, `has a weekday that ${date.toString()} is not: leave one of the two out`);
  }
  const resolved = answer(date, clock, now);
  return day.is === "week" || day.is === "weekend"
    ? { ...resolved, assumed: `${date.toString()} ${timeOf(clock)}` }
    : resolved;
}

/** Of the two hours of today that a text could mean, the one that is still ahead. */
function nextOfDay(clock: Clock, now: Temporal.ZonedDateTime): Clock {
  const other = otherHalf(clock);
  if (other === undefined) return clock;
  const isAhead = (each: Clock): boolean => isAfter(answer(now.toPlainDate(), each, now).at, now);
  return !isAhead(clock) && isAhead(other) ? other : clock;
}

function isAfter(a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime): boolean {
  return a.epochMilliseconds > b.epochMilliseconds;
}

function answer(date: Temporal.PlainDate, clock: Clock, now: Temporal.ZonedDateTime): Resolved {
  const { hour, minute, second } = clock;
  const at = date
    .add({ days: Math.floor(hour / 24) })
    .toPlainDateTime({ hour: hour % 24, minute, second })
    // A time in the clock's gap moves forward by the gap; of a repeated time, the first counts.
    .toZonedDateTime(now.timeZoneId, { disambiguation: "compatible" });
  return { at, assumed: clock.isAssumed ? timeOf(clock) : undefined, other: otherHalf(clock) };
}

function timeOf({ hour, minute }: Clock): string {
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}

function later(now: Temporal.ZonedDateTime, after: Length, typed: string): Temporal.ZonedDateTime {
  let at: Temporal.ZonedDateTime;
  try {
    at = now.add(after);
  } catch (cause) {
    throw outside(typed, cause);
  }
  if (at.year > 9_999) throw outside(typed);
  return at;
}

/** The error for a time that no store can keep. */
export function outside(typed: string, cause?: unknown): Error {
  return refusal(typed, "is not in the years 1970 to 9999: write a time within them", cause);
}

/** The first date whose time is still ahead; the last if none is. */
function firstAhead(
  dates: readonly Temporal.PlainDate[],
  clock: Clock,
  now: Temporal.ZonedDateTime,
): Temporal.PlainDate {
  const ahead = dates.find((date) => isAfter(answer(date, clock, now).at, now));
  return ahead ?? dates.at(-1) ?? now.toPlainDate();
}

/** The end of a range that a time is read for. */
export type Edge = "start" | "end";

/** Of several possible days, the first that has not ended is meant. */
const lastSecond: Time = { hour: 23, minute: 59, second: 59, form: "24 hours", sure: true };

/** The start or end of a day, week or weekend without a time of day; undefined for a phrase with a time. */
export function edgeOf(
  phrase: Phrase,
  edge: Edge,
  now: Temporal.ZonedDateTime,
  typed: string,
): Temporal.ZonedDateTime | undefined {
  const { day, time, part, after } = phrase;
  if (day === undefined || (time ?? part ?? after) !== undefined) return undefined;
  const zone = now.timeZoneId;
  const [first, days] = daysWithin(day, now, typed);
  if (edge === "start") return first.toZonedDateTime(zone);
  return first.add({ days }).toZonedDateTime(zone).subtract({ milliseconds: 1 });
}

/** The first day, and how many there are. */
function daysWithin(
  day: Day,
  now: Temporal.ZonedDateTime,
  typed: string,
): readonly [first: Temporal.PlainDate, days: number] {
  const [saturday] = day.is === "weekend" ? datesOf(day, now.toPlainDate(), typed) : [];
  if (saturday !== undefined) return [saturday, 2];
  const date = resolve({ day, time: lastSecond }, now, typed).at.toPlainDate();
  return [date, day.is === "week" ? 7 : 1];
}
