import { present } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import { clockOf, otherHalf, type Clock } from "../phrase/clock.ts";
import type { NthWeekday } from "../phrase/nth.ts";
import { refusal } from "../phrase/reader.ts";
import { wording, type Guess } from "../phrase/wording.ts";
import type { TimeContext } from "../times.ts";
import type { Cadence } from "./cadence.ts";
import { daysOf, type CalendarUnit, type Days } from "./days.ts";
import { msOf } from "./length.ts";
import { unreadable, type Repeat } from "./repeat.ts";
import { cronSeries, seriesAfter } from "./series.ts";

/** A cadence, and what was assumed of it. */
export interface ParsedCadence extends Guess {
  readonly cadence: Cadence;
}

const morning: Clock = { hour: 9, minute: 0, second: 0, isAssumed: true };
const frequencies = { days: "DAILY", weeks: "WEEKLY", months: "MONTHLY", years: "YEARLY" } as const;

/** The cadence that was meant: an interval in hours, a cron line by the calendar, a rule for every other week. */
export function interpretRepeat(
  repeat: Repeat,
  context: TimeContext,
  typed: string,
): ParsedCadence {
  const [unit, count] = everyOf(repeat, typed);
  if (unit === "time") {
    const { weekdays, nth, dates, time, part } = repeat;
    if ((weekdays ?? nth ?? dates ?? time ?? part) !== undefined) {
      throw refusal(
        typed,
        'is every so long, but not always: write a cron line such as "0 */2 * * 1-5"',
      );
    }
    return { cadence: { type: "interval", everyMs: count, anchor: context.now } };
  }
  const clock = clockOf(repeat, typed) ?? morning;
  const days = daysOf(unit, repeat, Math.floor(clock.hour / 24), typed);
  const other = otherHalf(clock);
  return present({
    cadence: cadenceOf({ unit, count, days, clock }, context, typed),
    assumed: renderAssumed(days, clock, context.language),
    instead: other && wording[context.language].clock(other),
  });
}

/** The unit and the count. */
function everyOf(repeat: Repeat, typed: string): readonly [CalendarUnit | "time", number] {
  const { every, weekdays } = repeat;
  if (every === undefined) return [unitOf(repeat, typed), 1];
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

/** The first or last of something is one of a month; "every third friday" can be two things. */
function ofMonths(assumed: readonly NthWeekday[], typed: string): "months" {
  if (assumed.every(({ nth }) => nth === 1 || nth === -1)) return "months";
  throw refusal(
    typed,
    'could be every so many weeks or one of every month: write "every 3 weeks on friday", "third friday of every month" or "매월 셋째 금요일"',
  );
}

/** A cadence by its days. */
function unitOf({ weekdays, nth, dates }: Repeat, typed: string): CalendarUnit {
  if (weekdays !== undefined) return "weeks";
  if (nth !== undefined) return ofMonths(nth, typed);
  if (dates === undefined) return "days";
  return dates.some(({ month }) => month !== undefined) ? "years" : "months";
}

function cadenceOf(
  { unit, count, days, clock }: { unit: CalendarUnit; count: number; days: Days; clock: Clock },
  context: TimeContext,
  typed: string,
): Cadence {
  const { hour, minute, second } = clock;
  const time = `${second === 0 ? "" : `${second} `}${minute} ${hour % 24}`;
  const expression = `${time} ${days.fields}`;
  const { zone, now } = context;
  if (count === 1) return { type: "cron", expression, zone };
  // Counting begins with the first one from now on.
  const [start] = seriesAfter(cronSeries(expression, zone), now, 1);
  if (start === undefined) throw refusal(typed, "has a day that no calendar has: correct it");
  const rule = `FREQ=${frequencies[unit]};INTERVAL=${count}${days.parts}`;
  return { type: "rrule", rule, start, zone };
}

function renderAssumed({ assumed }: Days, clock: Clock, language: Language): string | undefined {
  if (assumed === undefined && !clock.isAssumed) return undefined;
  const time = [clock.hour % 24, clock.minute]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  if (assumed === undefined) return time;
  if (assumed === "weekday") return `${language === "ko" ? "월요일" : "Monday"} ${time}`;
  return `${language === "ko" ? "1일" : "the 1st,"} ${time}`;
}
