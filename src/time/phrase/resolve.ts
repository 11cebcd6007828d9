import { clockOf, otherHalf, type Clock } from "./clock.ts";
import type { Day, DatePhrase } from "./day.ts";
import { isInDays, type Length } from "./length.ts";
import type { Phrase, Time } from "./phrase.ts";
import { refusal, unreadable } from "./reader.ts";

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
  return day.is === "week"
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

/** Every date it may mean, the nearest first. */
function datesOf(day: Day, today: Temporal.PlainDate, typed: string): Temporal.PlainDate[] {
  if (day.is === "from today") return [today.add({ days: day.days })];
  if (day.is === "date") return calendarDates(day, today, typed);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  if (day.is === "week") return [monday.add({ weeks: day.week })];
  const { weekday, week, isLast } = day;
  if (isLast) return [today.subtract({ days: ((today.dayOfWeek - weekday + 6) % 7) + 1 })];
  if (week !== undefined) return [monday.add({ days: week * 7 + weekday - 1 })];
  const next = today.add({ days: (weekday - today.dayOfWeek + 7) % 7 });
  return [next, next.add({ weeks: 1 })];
}

/** Leap days are at most eight years apart; of two months in a row one has 31 days. */
const yearsMax = 8;
const monthsMax = 2;

function calendarDates(
  said: DatePhrase,
  today: Temporal.PlainDate,
  typed: string,
): Temporal.PlainDate[] {
  const { day } = said;
  const dates = monthsOf(said, today).flatMap(({ year, month }) => {
    try {
      return [Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" })];
    } catch {
      return [];
    }
  });
  if (dates.length === 0) throw refusal(typed, "has a day that no calendar has: correct it");
  return dates;
}

function monthsOf(
  said: DatePhrase,
  today: Temporal.PlainDate,
): readonly { year: number; month: number }[] {
  const { year, yearsAhead, month, monthsAhead } = said;
  if (month === undefined) {
    const first = today.with({ day: 1 });
    const ahead = monthsAhead === undefined ? [0, 1, monthsMax] : [monthsAhead];
    return ahead.map((months) => first.add({ months }));
  }
  const fixed = yearsAhead === undefined ? year : today.year + yearsAhead;
  if (fixed !== undefined) return [{ year: fixed, month }];
  return Array.from({ length: yearsMax + 1 }, (_, years) => ({ year: today.year + years, month }));
}

/** The end of a range that a time is read for. */
export type Edge = "start" | "end";

/** Of several possible days, the first that has not ended is meant. */
const lastSecond: Time = { hour: 23, minute: 59, second: 59, form: "24 hours", sure: true };

/** The start or end of a day or week without a time of day; undefined for a phrase with a time. */
export function edgeOf(
  phrase: Phrase,
  edge: Edge,
  now: Temporal.ZonedDateTime,
  typed: string,
): Temporal.ZonedDateTime | undefined {
  const { day, time, part, after } = phrase;
  if (day === undefined || (time ?? part ?? after) !== undefined) return undefined;
  const date = resolve({ day, time: lastSecond }, now, typed).at.toPlainDate();
  const zone = now.timeZoneId;
  if (edge === "start") return date.toZonedDateTime(zone);
  const days = day.is === "week" ? 7 : 1;
  return date.add({ days }).toZonedDateTime(zone).subtract({ milliseconds: 1 });
}
