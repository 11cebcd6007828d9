import { lastDay, type DatePhrase } from "../phrase/date.ts";
import type { NthWeekday } from "../phrase/nth.ts";
import { refusal, unsureDate } from "../phrase/reader.ts";
import { daysInMonth } from "./calendar.ts";
import { unreadable, type Repeat } from "./repeat.ts";
import { weekdayCodes } from "./rrule.ts";

/** The days on which something happens, as fields of a cron line and as parts of a rule. */
export interface Days {
  readonly fields: string;
  readonly parts: string;
  /** The part that was assumed. */
  readonly assumed?: "weekday" | "day";
}

export type CalendarUnit = "days" | "weeks" | "months" | "years";

/** One that has 29 February. */
const leapYear = 2028;

/** The days of a repetition; `daysLater`: the time is in the day after. */
export function daysOf(unit: CalendarUnit, repeat: Repeat, daysLater: number, typed: string): Days {
  const { weekdays, nth, dates } = repeat;
  const said = [weekdays, nth, dates].filter((each) => each !== undefined);
  if (said.length > 1 || (weekdays !== undefined && unit !== "weeks")) throw unreadable(typed);
  if (nth !== undefined && unit !== "months") throw unreadable(typed);
  if (dates !== undefined && (unit === "days" || unit === "weeks")) throw unreadable(typed);
  if (unit === "days") return { fields: "* * *", parts: "" };
  if (unit === "weeks") return onWeekdays(weekdays, daysLater);
  if (daysLater > 0) throw refusal(typed, 'is at the end of a day: write the time as "00:00"');
  if (nth !== undefined) return onNth(nth);
  return unit === "months" ? onDates(dates, typed) : onDate(dates, typed);
}

function onWeekdays(said: readonly number[] | undefined, daysLater: number): Days {
  const weekdays = (said ?? [1]).map((each) => ((each - 1 + daysLater) % 7) + 1);
  const sorted = weekdays.map((each) => each % 7).sort((a, b) => a - b);
  const isWorkweek = sorted.join() === "1,2,3,4,5";
  const codes = weekdays.map((each) => weekdayCodes[each - 1]).join();
  return {
    fields: `* * ${isWorkweek ? "1-5" : sorted.join()}`,
    parts: `;BYDAY=${codes}`,
    ...(said === undefined ? { assumed: "weekday" } : {}),
  };
}

function onNth(said: readonly NthWeekday[]): Days {
  const field = said.map(({ nth, weekday }) => `${weekday % 7}${nth === -1 ? "L" : `#${nth}`}`);
  const codes = said.map(({ nth, weekday }) => `${nth}${weekdayCodes[weekday - 1]}`);
  return { fields: `* * ${field.join()}`, parts: `;BYDAY=${codes.join()}` };
}

function onDates(dates: Repeat["dates"], typed: string): Days {
  const days = (dates ?? [{ is: "date", day: 1 } as const]).map((date) => {
    const { day, month } = date;
    if (month !== undefined || isOneDay(date) || typeof day !== "number") throw unreadable(typed);
    if (day !== lastDay && (day < 1 || day > 31)) {
      throw refusal(typed, "has a day that no month has: write 1 to 31");
    }
    return day;
  });
  return {
    fields: `${days.map(fieldOf).join()} * *`,
    parts: `;BYMONTHDAY=${days.join()}`,
    ...(dates === undefined ? { assumed: "day" } : {}),
  };
}

function onDate(dates: Repeat["dates"], typed: string): Days {
  const [date, ...more] = dates ?? [];
  if (date?.month === undefined) {
    throw refusal(
      typed,
      'needs a day of the year: write it as "every year on 25 dec" or "매년 12월 25일"',
    );
  }
  if (date.isEitherOrder) throw unsureDate(typed);
  const { day, month } = date;
  if (more.length > 0 || isOneDay(date) || typeof day !== "number") throw unreadable(typed);
  const isInMonth = day === lastDay || (day >= 1 && day <= daysInMonth(leapYear, month));
  if (month < 1 || month > 12 || !isInMonth) {
    throw refusal(typed, "has a day that no calendar has: correct it");
  }
  return { fields: `${fieldOf(day)} ${month} *`, parts: `;BYMONTH=${month};BYMONTHDAY=${day}` };
}

/** A cron line writes the last day as L, a rule as -1. */
function fieldOf(day: number): string {
  return day === lastDay ? "L" : String(day);
}

/** A single day, which never repeats. */
function isOneDay({ year, yearsAhead, monthsAhead, weekday }: DatePhrase): boolean {
  return (year ?? yearsAhead ?? monthsAhead ?? weekday) !== undefined;
}
