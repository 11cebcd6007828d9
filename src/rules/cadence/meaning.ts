import type { Language, Look } from "../times.ts";
import { clockOf, type Clock } from "../times/clock.ts";
import type { SaidDate } from "../times/day.ts";
import { refusal } from "../times/reader.ts";
import { msOf } from "./length.ts";
import { unreadable, type Repeat } from "./repeat.ts";
import { weekdayCodes } from "./rrule.ts";
import { cronSeries, seriesAfter } from "./series.ts";
import type { Cadence } from "./shape.ts";

/** A cadence, and what was not said and therefore taken. */
export interface Meant {
  readonly cadence: Cadence;
  readonly assumed?: string;
}

type Unit = "days" | "weeks" | "months" | "years";

/** The days on which it happens, as fields of a cron line and as parts of a rule. */
interface Days {
  readonly fields: string;
  readonly parts: string;
  readonly assumed?: string;
}

const morning: Clock = { hour: 9, minute: 0, second: 0, isAssumed: true };
const frequencies = { days: "DAILY", weeks: "WEEKLY", months: "MONTHLY", years: "YEARLY" } as const;

/** The cadence that was meant: an interval in hours, a cron line by the calendar, a rule for every other week. */
export function meaningOf(repeat: Repeat, look: Look, typed: string): Meant {
  const [unit, count] = everyOf(repeat, typed);
  if (unit === "time") {
    const { weekdays, dates, time, part } = repeat;
    if ((weekdays ?? dates ?? time ?? part) !== undefined) {
      throw refusal(
        typed,
        'is every so long, but not always: write a cron line such as "0 */2 * * 1-5"',
      );
    }
    return { cadence: { type: "interval", everyMs: count, anchor: look.now } };
  }
  const clock = clockOf(repeat, typed) ?? morning;
  const days = daysOf(unit, repeat, Math.floor(clock.hour / 24), typed);
  const said = sayAssumed(days, clock, look.language);
  return {
    cadence: cadenceOf({ unit, count, days, clock }, look, typed),
    ...(said === undefined ? {} : { assumed: said }),
  };
}

/** What it is counted in, and how many of it. */
function everyOf(
  { every, weekdays, dates }: Repeat,
  typed: string,
): readonly [unit: Unit | "time", count: number] {
  if (every === undefined) {
    if (weekdays !== undefined) return ["weeks", 1];
    return [dates === undefined ? "days" : unitOf(dates), 1];
  }
  const units = (["days", "weeks", "months", "years"] as const).filter(
    (unit) => every[unit] !== undefined,
  );
  const [unit] = units;
  if (unit !== undefined && Object.keys(every).length === 1) {
    const count = every[unit] ?? 1;
    if (count < 1 || count > 1_000) throw refusal(typed, "is never or too rare: write 1 to 1000");
    return [unit === "days" && count === 1 && weekdays !== undefined ? "weeks" : unit, count];
  }
  const everyMs = msOf(every);
  if (everyMs === undefined || everyMs === 0) throw unreadable(typed);
  return ["time", everyMs];
}

function unitOf(dates: NonNullable<Repeat["dates"]>): Unit {
  const isYearly = dates.some((date) => date !== "last day" && date.month !== undefined);
  return isYearly ? "years" : "months";
}

function cadenceOf(
  { unit, count, days, clock }: { unit: Unit; count: number; days: Days; clock: Clock },
  look: Look,
  typed: string,
): Cadence {
  const { hour, minute, second } = clock;
  const time = `${second === 0 ? "" : `${second} `}${minute} ${hour % 24}`;
  const expression = `${time} ${days.fields}`;
  const { zone, now } = look;
  if (count === 1) return { type: "cron", expression, zone };
  // The first one from now on is where the counting begins.
  const [start] = seriesAfter(cronSeries(expression, zone), now, 1);
  if (start === undefined) throw refusal(typed, "has a day that no calendar has: correct it");
  const rule = `FREQ=${frequencies[unit]};INTERVAL=${count}${days.parts}`;
  return { type: "rrule", rule, start, zone };
}

function daysOf(unit: Unit, repeat: Repeat, daysLater: number, typed: string): Days {
  const { weekdays, dates } = repeat;
  const isMixed = weekdays !== undefined && dates !== undefined;
  if (isMixed || (weekdays !== undefined && unit !== "weeks")) throw unreadable(typed);
  if (dates !== undefined && (unit === "days" || unit === "weeks")) throw unreadable(typed);
  if (unit === "days") return { fields: "* * *", parts: "" };
  if (unit === "weeks") return onWeekdays(weekdays, daysLater);
  if (daysLater > 0) throw refusal(typed, 'is at the end of a day: write the time as "00:00"');
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

function onDates(dates: Repeat["dates"], typed: string): Days {
  const days = (dates ?? [{ is: "date", day: 1 } as const]).map((date) => {
    if (date === "last day") return "L";
    if (date.month !== undefined || isOneDay(date)) throw unreadable(typed);
    return String(date.day);
  });
  const numbers = days.map((day) => (day === "L" ? "-1" : day)).join();
  return {
    fields: `${days.join()} * *`,
    parts: `;BYMONTHDAY=${numbers}`,
    ...(dates === undefined ? { assumed: "day" } : {}),
  };
}

function onDate(dates: Repeat["dates"], typed: string): Days {
  const [date, ...more] = dates ?? [];
  if (date === undefined || date === "last day" || date.month === undefined) {
    throw refusal(
      typed,
      'needs a day of the year: write it as "every year on 25 dec" or "매년 12월 25일"',
    );
  }
  if (more.length > 0 || isOneDay(date)) throw unreadable(typed);
  const { day, month } = date;
  return { fields: `${day} ${month} *`, parts: `;BYMONTH=${month};BYMONTHDAY=${day}` };
}

/** It names one day alone, which does not come again. */
function isOneDay({ year, yearsAhead, monthsAhead, weekday }: SaidDate): boolean {
  return (year ?? yearsAhead ?? monthsAhead ?? weekday) !== undefined;
}

function sayAssumed({ assumed }: Days, clock: Clock, language: Language): string | undefined {
  if (assumed === undefined && !clock.isAssumed) return undefined;
  const time = [clock.hour % 24, clock.minute]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  if (assumed === undefined) return time;
  if (assumed === "weekday") return `${language === "ko" ? "월요일" : "Monday"} ${time}`;
  return `${language === "ko" ? "1일" : "the 1st,"} ${time}`;
}
