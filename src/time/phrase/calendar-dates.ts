import { lastDay, type DatePhrase } from "./date.ts";
import type { Day } from "./day.ts";
import { refusal } from "./reader.ts";

/** Every date it may mean, the nearest first. */
export function datesOf(day: Day, today: Temporal.PlainDate, typed: string): Temporal.PlainDate[] {
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const inWeek = (week: number, weekday: number): Temporal.PlainDate =>
    monday.add({ days: week * 7 + weekday - 1 });
  switch (day.is) {
    case "from today":
      return [today.add({ days: day.days })];
    case "date":
      return calendarDates(day, today, typed);
    case "week":
      return [inWeek(day.week, 1)];
    case "weekend":
      return [inWeek(day.week, 6), inWeek(day.week, 7)];
    case "weekday": {
      const { weekday, week, isLast } = day;
      if (isLast) return [today.subtract({ days: ((today.dayOfWeek - weekday + 6) % 7) + 1 })];
      if (week !== undefined) return [inWeek(week, weekday)];
      const next = today.add({ days: (weekday - today.dayOfWeek + 7) % 7 });
      return [next, next.add({ weeks: 1 })];
    }
  }
}

/** Leap days are at most eight years apart; a day or a fifth weekday is missing in at most three months in a row. */
const yearsMax = 8;
const monthsMax = 4;

function calendarDates(
  said: DatePhrase,
  today: Temporal.PlainDate,
  typed: string,
): Temporal.PlainDate[] {
  const { isEitherOrder, ...one } = said;
  const { month, day } = one;
  if (isEitherOrder && month !== undefined && typeof day === "number") {
    const orders = [one, { ...one, month: day, day: month }];
    throw eitherDate(orders.map((each) => nextDate(each, today, typed)).toSorted(), typed);
  }
  const dates = monthsOf(said, today).flatMap((month) => {
    try {
      return [dateIn(month, day)];
    } catch {
      return [];
    }
  });
  if (dates.length === 0) throw refusal(typed, "has a day that no calendar has: correct it");
  return dates;
}

/** The error for two numbers that are a date in either order. */
function eitherDate([first = "", second = ""]: readonly string[], typed: string): Error {
  return refusal(typed, `could be ${first} or ${second}: write the one that you mean`);
}

function nextDate(said: DatePhrase, today: Temporal.PlainDate, typed: string): string {
  const dates = calendarDates(said, today, typed);
  const next = dates.find((date) => Temporal.PlainDate.compare(date, today) >= 0) ?? dates.at(-1);
  return String(next);
}

interface Month {
  readonly year: number;
  readonly month: number;
}

/** The day of a month. Throws a RangeError when it has none such. */
function dateIn({ year, month }: Month, day: DatePhrase["day"]): Temporal.PlainDate {
  const on = (day: number): Temporal.PlainDate =>
    Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  const first = on(1);
  if (day === lastDay) return on(first.daysInMonth);
  if (typeof day === "number") return on(day);
  const { nth, weekday } = day;
  const firstOfThem = 1 + ((weekday - first.dayOfWeek + 7) % 7);
  const count = Math.floor((first.daysInMonth - firstOfThem) / 7);
  return on(firstOfThem + 7 * (nth === -1 ? count : nth - 1));
}

function monthsOf(said: DatePhrase, today: Temporal.PlainDate): readonly Month[] {
  const { year, yearsAhead, month, monthsAhead } = said;
  if (month === undefined) {
    const first = today.with({ day: 1 });
    const ahead = monthsAhead === undefined ? [...Array(monthsMax + 1).keys()] : [monthsAhead];
    return ahead.map((months) => first.add({ months }));
  }
  const fixed = yearsAhead === undefined ? year : today.year + yearsAhead;
  if (fixed !== undefined) return [{ year: fixed, month }];
  return Array.from({ length: yearsMax + 1 }, (_, years) => ({ year: today.year + years, month }));
}
