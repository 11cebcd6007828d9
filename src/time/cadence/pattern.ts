import type { NthWeekday } from "../phrase/nth.ts";
import type { Cron } from "./cron.ts";
import type { Rule } from "./rrule.ts";

/** The parts of a sentence about a calendar cadence, in any language. */
export type Pattern =
  | OnDays
  | { readonly is: "minutes"; readonly count: number }
  | { readonly is: "hours"; readonly count: number; readonly minute: number };

export interface OnDays {
  readonly is: "days";
  readonly unit: "days" | "weeks" | "months" | "years";
  readonly count: number;
  /** Monday is 1. */
  readonly weekdays: readonly number[];
  /** Of the month; the last one is -1. */
  readonly days: readonly number[];
  /** Weekdays of the month. */
  readonly nth?: readonly NthWeekday[];
  readonly month?: number;
  /** As 09:00, in order. */
  readonly times: readonly string[];
}

const timesMax = 4;
const daysMax = 5;

/** Undefined when people have no common sentence for it. */
export function patternOfCron(cron: Cron): Pattern | undefined {
  const often = isEveryDay(cron) ? oftenOf(cron) : undefined;
  if (often !== undefined) return often;
  const times = timesOf(cron.hours, cron.minutes, cron.seconds);
  const days = cron.nth.length > 0 ? nthOfCron(cron) : daysOfCron(cron);
  return times && days && { is: "days", count: 1, times, ...days };
}

type Days = Pick<OnDays, "unit" | "weekdays" | "days" | "nth" | "month">;

/** Numbered weekdays alone, of every month. */
function nthOfCron(cron: Cron): Days | undefined {
  const isAlone = cron.isAnyDay && cron.days.length === 31 && cron.weekdays.length === 0;
  if (!isAlone || cron.months.length < 12) return undefined;
  const nth = cron.nth.map(([weekday, nth]) => ({ nth, weekday: weekday || 7 }));
  return { unit: "months", weekdays: [], days: [], nth };
}

function daysOfCron(cron: Cron): Days | undefined {
  if (isEveryDay(cron)) return { unit: "days", weekdays: [], days: [] };
  const isAnyMonth = cron.months.length === 12;
  if (cron.isAnyDay && cron.days.length === 31) {
    return isAnyMonth ? { unit: "weeks", weekdays: fromMonday(cron), days: [] } : undefined;
  }
  if (!cron.isAnyWeekday || cron.weekdays.length < 7) return undefined;
  return onDays([...cron.days, ...(cron.isLastDay ? [-1] : [])], isAnyMonth ? [] : cron.months);
}

/** Some days of every month, or one of one month. */
function onDays(days: readonly number[], months: readonly number[]): Days | undefined {
  const [month, ...more] = months;
  if (days.length > daysMax || days.some((day) => day < -1)) return undefined;
  if (month === undefined) return { unit: "months", weekdays: [], days };
  return days.length > 1 || more.length > 0
    ? undefined
    : { unit: "years", weekdays: [], days, month };
}

function isEveryDay({ days, weekdays, months }: Cron): boolean {
  return days.length === 31 && weekdays.length === 7 && months.length === 12;
}

/** The weekdays with Monday first, which is 1; Sunday is 7. */
export function fromMonday({ weekdays }: Cron): readonly number[] {
  return weekdays.map((each) => (each === 0 ? 7 : each)).sort((a, b) => a - b);
}

/** "every 5 minutes", "every 2 hours": only what comes evenly over midnight too. */
function oftenOf({ hours, minutes, seconds }: Cron): Pattern | undefined {
  if (seconds.join() !== "0") return undefined;
  const everyMinutes = evenStep(minutes, 60);
  if (hours.length === 24 && everyMinutes !== undefined && everyMinutes < 60) {
    return { is: "minutes", count: everyMinutes };
  }
  const everyHours = evenStep(hours, 24);
  const [minute = 0, ...more] = minutes;
  if (more.length > 0 || everyHours === undefined || everyHours > 12) return undefined;
  return { is: "hours", count: everyHours, minute };
}

/** The step between values that begin with zero and cover all of so many evenly. */
export function evenStep(values: readonly number[], size: number): number | undefined {
  const step = size / values.length;
  return values.every((value, i) => value === i * step) ? step : undefined;
}

/** `start` is where the rule starts, on the clocks of its zone. */
export function patternOfRule(rule: Rule, start: Temporal.ZonedDateTime): OnDays | undefined {
  const times = timesOf(
    orElse(rule.hours, start.hour),
    orElse(rule.minutes, start.minute),
    orElse(rule.seconds, start.second),
  );
  const isRare = rule.yearDays.length + rule.weeks.length + rule.positions.length > 0;
  if (isRare) return undefined;
  const isNumbered = rule.weekdays.some(({ nth }) => nth !== 0);
  const days = isNumbered ? nthOfRule(rule) : daysOfRule(rule, start);
  return times && days && { is: "days", count: rule.interval, times, ...days };
}

function nthOfRule({ frequency, weekdays, days, months }: Rule): Days | undefined {
  const isAlone = frequency === "MONTHLY" && days.length + months.length === 0;
  if (!isAlone || weekdays.some(({ nth }) => nth === 0 || nth < -1)) return undefined;
  return { unit: "months", weekdays: [], days: [], nth: weekdays };
}

function daysOfRule(rule: Rule, start: Temporal.ZonedDateTime): Days | undefined {
  const { frequency, months } = rule;
  const weekdays = rule.weekdays.map(({ weekday }) => weekday).sort((a, b) => a - b);
  const days = orElse(rule.days, start.day);
  if (frequency === "YEARLY" && weekdays.length === 0) {
    return onDays(days, orElse(months, start.month));
  }
  if (months.length > 0) return undefined;
  if (frequency === "WEEKLY") {
    return { unit: "weeks", weekdays: orElse(weekdays, start.dayOfWeek), days: [] };
  }
  if (weekdays.length > 0) return undefined;
  if (frequency === "MONTHLY") return onDays(days, []);
  const isEveryDay = frequency === "DAILY" && rule.days.length === 0;
  return isEveryDay ? { unit: "days", weekdays: [], days: [] } : undefined;
}

function orElse(values: readonly number[], value: number): readonly number[] {
  return values.length === 0 ? [value] : values;
}

/** A few times, each as it is written; undefined for more. */
export function timesOf(
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
): string[] | undefined {
  if (hours.length * minutes.length * seconds.length > timesMax) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map(
        (second) => `${two(hour)}:${two(minute)}${second === 0 ? "" : `:${two(second)}`}`,
      ),
    ),
  );
}
