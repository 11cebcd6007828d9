import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";

type Frequency = (typeof frequencies)[number];

interface DayOfWeek {
  /** Monday is 1. */
  readonly weekday: number;
  /** Which one in the month or year; from its end below zero; every one: 0. */
  readonly nth: number;
}

/** A recurrence rule, part by part; a list that was not given is empty. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count?: number;
  /** As it was written: 20261231, 20261231T090000 or 20261231T090000Z. */
  readonly until?: string;
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly weekdays: readonly DayOfWeek[];
  readonly days: readonly number[];
  readonly yearDays: readonly number[];
  readonly weeks: readonly number[];
  readonly months: readonly number[];
  readonly positions: readonly number[];
  readonly weekStart: number;
}

const charsMax = 500;
const frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"] as const;
export const weekdayCodes: readonly string[] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const names =
  "FREQ INTERVAL COUNT UNTIL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST".split(
    " ",
  );

type Parts = ReadonlyMap<string, string>;

/** Reads the text of an RRULE as RFC 5545 has it, without DTSTART. */
export function readRule(text: string): Rule {
  const parts = partsOf(text);
  const number = (name: string, max: number): number | undefined => {
    const value = parts.get(name);
    return value === undefined ? undefined : readNumber(text, name, value, [1, max]);
  };
  const list = (name: string, range: Range): number[] => readNumbers(text, name, parts, range);
  const [count, until] = [number("COUNT", 1_000_000), parts.get("UNTIL")];
  const rule: Rule = {
    frequency: readFrequency(text, parts.get("FREQ")),
    interval: number("INTERVAL", 10_000) ?? 1,
    ...(count === undefined ? {} : { count }),
    ...(until === undefined ? {} : { until: readUntil(text, until) }),
    seconds: list("BYSECOND", [0, 59]),
    minutes: list("BYMINUTE", [0, 59]),
    hours: list("BYHOUR", [0, 23]),
    weekdays: (parts.get("BYDAY")?.split(",") ?? []).map((code) => readDayOfWeek(text, code)),
    days: list("BYMONTHDAY", [-31, 31]),
    yearDays: list("BYYEARDAY", [-366, 366]),
    weeks: list("BYWEEKNO", [-53, 53]),
    months: list("BYMONTH", [1, 12]),
    positions: list("BYSETPOS", [-366, 366]),
    weekStart: readWeekStart(text, parts.get("WKST") ?? "MO"),
  };
  const problem = problemOf(rule, parts);
  if (problem !== undefined) throw refusal(text, problem);
  return rule;
}

function partsOf(text: string): Parts {
  if (text.length > charsMax) {
    throw new DaybookError(
      "too_large",
      `The recurrence rule is over ${charsMax} characters: shorten it.`,
    );
  }
  const typed = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .replace(/;$/, "");
  if (/DTSTART|\n/.test(typed)) {
    throw refusal(text, "is more than a rule: give the start as start, and no other lines");
  }
  const parts = new Map<string, string>();
  for (const part of typed.split(";")) {
    const [name = "", value = "", ...rest] = part.split("=");
    if (!names.includes(name) || value === "" || rest.length > 0) {
      throw refusal(text, `has ${quote(part)}: write parts such as FREQ=WEEKLY;BYDAY=MO,FR`);
    }
    if (parts.has(name)) throw refusal(text, `has ${name} twice: leave one out`);
    parts.set(name, value);
  }
  return parts;
}

function readFrequency(text: string, value: string | undefined): Frequency {
  const frequency = frequencies.find((each) => each === value);
  if (frequency !== undefined) return frequency;
  const known = frequencies.join(", ");
  if (value === undefined) throw refusal(text, `has no FREQ: write ${known}`);
  throw refusal(text, `has FREQ=${value}: write ${known}`);
}

type Range = readonly [min: number, max: number];

function readNumber(text: string, name: string, value: string, [min, max]: Range): number {
  const number = /^[+-]?[0-9]{1,7}$/.test(value) ? Number(value) : Number.NaN;
  // Where one may count from the end, none is the zeroth.
  if (number >= min && number <= max && (min >= 0 || number !== 0)) return number;
  const range = min < 0 ? `1 to ${max}, or -1 to ${min} from the end` : `${min} to ${max}`;
  throw refusal(text, `has ${quote(value)} in ${name}: write ${range}`);
}

function readNumbers(text: string, name: string, parts: Parts, range: Range): number[] {
  const values = parts.get(name)?.split(",") ?? [];
  const numbers = new Set(values.map((value) => readNumber(text, name, value, range)));
  return [...numbers].sort((a, b) => a - b);
}

function readDayOfWeek(text: string, value: string): DayOfWeek {
  const [, nth = "", code = ""] = /^([+-]?[0-9]{1,2})?([A-Z]{2})$/.exec(value) ?? [];
  const weekday = weekdayCodes.indexOf(code) + 1;
  if (weekday === 0) {
    throw refusal(
      text,
      `has ${quote(value)} in BYDAY: write MO, TU, WE, TH, FR, SA, SU, 1MO or -1FR`,
    );
  }
  return { weekday, nth: nth === "" ? 0 : readNumber(text, "BYDAY", nth, [-53, 53]) };
}

function readWeekStart(text: string, value: string): number {
  const weekday = weekdayCodes.indexOf(value) + 1;
  if (weekday === 0) throw refusal(text, `has WKST=${value}: write a weekday such as MO`);
  return weekday;
}

function readUntil(text: string, value: string): string {
  if (/^[0-9]{8}(?:T[0-9]{6}Z?)?$/.test(value)) return value;
  throw refusal(text, `has UNTIL=${value}: write it as 20261231 or 20261231T235959Z`);
}

/** Combinations that the standard does not allow, or that make no sense. */
function problemOf(rule: Rule, parts: Parts): string | undefined {
  const { frequency, weekdays, weeks, days, yearDays, positions } = rule;
  const nthMax = Math.max(0, ...weekdays.map(({ nth }) => Math.abs(nth)));
  const isYearly = frequency === "YEARLY";
  const isSmall = frequency === "HOURLY" || frequency === "MINUTELY";
  const isBy = [...parts.keys()].some((name) => name.startsWith("BY") && name !== "BYSETPOS");
  const checks: readonly (readonly [isWrong: boolean, advice: string])[] = [
    [parts.has("COUNT") && parts.has("UNTIL"), "has COUNT and UNTIL: leave one out"],
    [
      nthMax > 0 && (!["MONTHLY", "YEARLY"].includes(frequency) || weeks.length > 0),
      "numbers its weekdays, which only a month or a year can: write FREQ=MONTHLY",
    ],
    [
      nthMax > 5 && (!isYearly || rule.months.length > 0),
      "has a BYDAY that no month has: write 1 to 5, or -1 to -5 from the end",
    ],
    [days.length > 0 && frequency === "WEEKLY", "has BYMONTHDAY in a week: write FREQ=MONTHLY"],
    [yearDays.length > 0 && !isYearly && !isSmall, "has BYYEARDAY: write FREQ=YEARLY for it"],
    [weeks.length > 0 && !isYearly, "has BYWEEKNO: write FREQ=YEARLY for it"],
    [positions.length > 0 && !isBy, "has BYSETPOS alone: write what it picks from, such as BYDAY"],
    [positions.length > 0 && isSmall, "picks with BYSETPOS from an hour: write what it picks"],
  ];
  return checks.find(([isWrong]) => isWrong)?.[1];
}

function refusal(text: string, advice: string): DaybookError {
  return new DaybookError("invalid", `The recurrence rule ${quote(text)} ${advice}.`);
}
