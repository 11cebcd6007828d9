import {
  civil,
  dayNumber,
  daysInMonth,
  daysInYear,
  mod,
  weekdayOf,
  type Civil,
} from "./calendar.ts";
import type { Rule } from "./rrule.ts";
import { listOf, type Times } from "./wall.ts";

export type DayTest = (number: number, date: Civil) => boolean;

/** Of all times in a day's year, month, week or day, those at the rule's positions that are on it. */
export function timesAtPositions(
  rule: Rule,
  isOn: DayTest,
): (number: number, times: Times) => Times {
  let days: readonly number[] = [];
  let [from, to] = [0, 0];
  const isIn = (number: number): boolean => {
    const date = civil(number);
    return (rule.months.length === 0 || rule.months.includes(date.month)) && isOn(number, date);
  };
  return (number, times) => {
    if (number < from || number >= to) {
      [from, to] = periodOf(rule, number);
      days = steps(from, 1, to).filter(isIn);
    }
    const [before, size] = [days.indexOf(number) * times.size, days.length * times.size];
    const chosen: number[] = [];
    let second = times.first(0);
    for (let i = 1; second !== undefined; i += 1) {
      if (isCounted(rule.positions, before + i, size)) chosen.push(second);
      second = times.first(second + 1);
    }
    return listOf(chosen);
  };
}

function periodOf({ frequency, weekStart }: Rule, number: number): readonly [number, number] {
  const { year, month } = civil(number);
  if (frequency === "YEARLY") {
    const first = dayNumber({ year, month: 1, day: 1 });
    return [first, first + daysInYear(year)];
  }
  if (frequency === "MONTHLY") {
    const first = dayNumber({ year, month, day: 1 });
    return [first, first + daysInMonth(year, month)];
  }
  if (frequency !== "WEEKLY") return [number, number + 1];
  const first = number - mod(weekdayOf(number) - weekStart, 7);
  return [first, first + 7];
}

/** One of these, counted from the start, or below zero from the end. */
export function isCounted(values: readonly number[], value: number, size: number): boolean {
  return values.includes(value) || values.includes(value - size - 1);
}

export function steps(from: number, step: number, to: number): number[] {
  const values: number[] = [];
  for (let value = from; value < to; value += step) values.push(value);
  return values;
}
