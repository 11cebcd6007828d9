import {
  civil,
  dayLength,
  dayNumber,
  daysInMonth,
  daysInYear,
  mod,
  nextMonth,
  weekdayOf,
  type Civil,
} from "./calendar.ts";
import { isCounted, timesAtPositions, steps, type DayTest } from "./day-filter.ts";
import type { Rule } from "./rrule.ts";
import { gridOf, listOf, stepsOf, type Times, type Wall } from "./wall.ts";

/** When a rule recurs, on the wall; `start` is in seconds since 1970-01-01 00:00 there. */
export function recurrenceWall(rule: Rule, start: number): Wall {
  const whole = completed(rule, start);
  const isOn = dayTest(whole);
  const skip = skipFrom(whole, Math.floor(start / dayLength));
  const timesOf = timesIn(rule, start);
  const pick = rule.positions.length === 0 ? undefined : timesAtPositions(rule, isOn);
  return {
    isHourly: isHourly(rule),
    timesOn(number) {
      const date = civil(number);
      const later = skip(number, date);
      if (later > number) return later;
      if (!isOn(number, date)) return number + 1;
      const times = timesOf(number);
      return pick === undefined ? times : pick(number, times);
    },
  };
}

function isHourly({ frequency, interval, hours }: Rule): boolean {
  if (hours.length > 0) return hours.length === 24;
  return frequency === "HOURLY" ? interval === 1 : frequency === "MINUTELY" && interval <= 60;
}

/** With the day of the start where the rule leaves it open. */
function completed(rule: Rule, start: number): Rule {
  const { frequency, weekdays, days, yearDays, weeks, months } = rule;
  const isOpen = weekdays.length + days.length + yearDays.length === 0;
  const first = Math.floor(start / dayLength);
  const { month, day } = civil(first);
  if (!isOpen) return rule;
  if (frequency === "WEEKLY" || weeks.length > 0) {
    return { ...rule, weekdays: [{ weekday: weekdayOf(first), nth: 0 }] };
  }
  if (frequency === "MONTHLY") return { ...rule, days: [day] };
  if (frequency !== "YEARLY") return rule;
  return { ...rule, days: [day], months: months.length === 0 ? [month] : months };
}

/** Whether a day is one of the rule's, in a year, month, week or day that is. */
function dayTest(rule: Rule): DayTest {
  const { months, days, yearDays, weeks, weekdays } = rule;
  const isOfYear = rule.frequency === "YEARLY" && months.length === 0;
  return (number, { year, month, day }) => {
    if (days.length > 0 && !isCounted(days, day, daysInMonth(year, month))) return false;
    const dayOfYear = number - dayNumber({ year, month: 1, day: 1 }) + 1;
    if (yearDays.length > 0 && !isCounted(yearDays, dayOfYear, daysInYear(year))) return false;
    if (weeks.length > 0 && !isInWeeks(rule, number, year)) return false;
    if (weekdays.length === 0) return true;
    return isOfYear
      ? isWeekday(rule, number, dayOfYear, daysInYear(year))
      : isWeekday(rule, number, day, daysInMonth(year, month));
  };
}

/** The day itself, or a later one: the first of the next year, month, week or day that is one of every so many. */
function skipFrom(rule: Rule, first: number): (number: number, date: Civil) => number {
  const { frequency, interval, weekStart, months } = rule;
  const start = civil(first);
  const weekOf = (number: number): number => Math.floor((number + 4 - weekStart) / 7);
  /** How many of them are still to come before its turn. */
  const wait = (passed: number): number => mod(-passed, interval);
  return (number, date) => {
    const { year, month } = date;
    if (frequency === "YEARLY" && wait(year - start.year) > 0) {
      return dayNumber({ year: year + wait(year - start.year), month: 1, day: 1 });
    }
    if (months.length > 0 && !months.includes(month)) return nextMonth(number, date);
    const monthsPassed = (year - start.year) * 12 + month - start.month;
    if (frequency === "MONTHLY" && wait(monthsPassed) > 0) return nextMonth(number, date);
    const weeks = frequency === "WEEKLY" ? wait(weekOf(number) - weekOf(first)) : 0;
    if (weeks > 0) return (weekOf(number) + weeks) * 7 - 4 + weekStart;
    return frequency === "DAILY" ? number + wait(number - first) : number;
  };
}

function isWeekday({ weekdays }: Rule, number: number, day: number, size: number): boolean {
  const weekday = weekdayOf(number);
  const [fromStart, fromEnd] = [Math.ceil(day / 7), -Math.ceil((size - day + 1) / 7)];
  return weekdays.some(
    (each) =>
      each.weekday === weekday &&
      (each.nth === 0 || each.nth === fromStart || each.nth === fromEnd),
  );
}

/** The first week of a year is the first with four days in it. */
function isInWeeks({ weeks, weekStart }: Rule, number: number, year: number): boolean {
  const firstOf = (year: number): number => {
    const fourth = dayNumber({ year, month: 1, day: 4 });
    return fourth - mod(weekdayOf(fourth) - weekStart, 7);
  };
  const itsYear = [year + 1, year].find((each) => number >= firstOf(each)) ?? year - 1;
  const week = Math.floor((number - firstOf(itsYear)) / 7) + 1;
  return isCounted(weeks, week, (firstOf(itsYear + 1) - firstOf(itsYear)) / 7);
}

function timesIn(rule: Rule, start: number): (day: number) => Times {
  const { frequency, interval } = rule;
  const seconds = orElse(rule.seconds, mod(start, 60));
  const [firstHour, firstMinute] = [Math.floor(start / 3_600), Math.floor(start / 60)];
  if (frequency === "MINUTELY") {
    // Days on which the first minute is the same have the same times.
    const known = new Map<number, Times>();
    return (day) => {
      const first = mod(firstMinute - day * 1_440, interval);
      const times = known.get(first) ?? minutesFrom(rule, first, seconds);
      known.set(first, times);
      return times;
    };
  }
  const minutes = orElse(rule.minutes, mod(firstMinute, 60));
  if (frequency !== "HOURLY") {
    const times = gridOf(orElse(rule.hours, mod(firstHour, 24)), minutes, seconds);
    return () => times;
  }
  return (day) => {
    const hours = steps(mod(firstHour - day * 24, interval), interval, 24);
    return gridOf(allowed(hours, rule.hours), minutes, seconds);
  };
}

function minutesFrom(
  { interval, hours, minutes }: Rule,
  from: number,
  seconds: readonly number[],
): Times {
  const [second = 0, ...more] = seconds;
  // As often as every minute: counted, not listed.
  if (hours.length + minutes.length + more.length === 0) {
    return stepsOf(from * 60 + second, interval * 60);
  }
  const ofDay = steps(from, interval, 1_440).filter(
    (each) =>
      (hours.length === 0 || hours.includes(Math.floor(each / 60))) &&
      (minutes.length === 0 || minutes.includes(each % 60)),
  );
  return listOf(ofDay.flatMap((minute) => seconds.map((second) => minute * 60 + second)));
}

function orElse(values: readonly number[], value: number): readonly number[] {
  return values.length === 0 ? [value] : values;
}

function allowed(values: readonly number[], only: readonly number[]): readonly number[] {
  return only.length === 0 ? values : values.filter((value) => only.includes(value));
}
