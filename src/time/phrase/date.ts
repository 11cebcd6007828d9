import { takeNthWeekday, type NthWeekday } from "./nth.ts";
import { takeNumericDate } from "./numeric-date.ts";
import { takeCount, attempt, take, takeMark, takeUnit, takeYear, type Reader } from "./reader.ts";

/** A date as it was typed. Open parts mean the next one that fits. */
export interface DatePhrase extends MonthPhrase {
  readonly is: "date";
  /** Of the month; its last one is `lastDay`. */
  readonly day: number | NthWeekday;
  /** Typed beside the date: it must match. */
  readonly weekday?: number;
  /** Two numbers that are a date in either order. */
  readonly isEitherOrder?: true;
}

interface MonthPhrase {
  readonly year?: number;
  readonly yearsAhead?: number;
  readonly month?: number;
  readonly monthsAhead?: number;
}

type DayOfMonth = DatePhrase["day"];

export const lastDay = -1;

export function takeDate(reader: Reader): DatePhrase | undefined {
  const numeric = attempt(reader, takeNumericDate);
  if (numeric !== undefined) return { is: "date", ...numeric };
  return (
    attempt(reader, takeKoreanDate) ??
    attempt(reader, takeMonthFirst) ??
    attempt(reader, takeNamedDate) ??
    attempt(reader, takeDayFirst)
  );
}

/** 2026년 12월 25일, 내년 3월 1일, 다음달 3일, 25일, 12월 말, 이번 달의 마지막 금요일. */
function takeKoreanDate(reader: Reader): DatePhrase | undefined {
  const year = takeKoreanYear(reader);
  const month = takeKoreanMonth(reader);
  if (year !== undefined && month?.month === undefined) return undefined;
  takeMark(reader, "of");
  const day = attempt(reader, takeKoreanDay);
  return day === undefined ? undefined : { is: "date", ...year, ...month, day };
}

function takeKoreanYear(reader: Reader): MonthPhrase | undefined {
  const ahead = take(reader, "years ahead");
  if (ahead !== undefined) return { yearsAhead: ahead.years };
  return attempt(reader, (reader) => {
    const year = takeYear(reader);
    return year !== undefined && takeUnit(reader) === "years" ? { year } : undefined;
  });
}

function takeKoreanMonth(reader: Reader): MonthPhrase | undefined {
  const ahead = take(reader, "months ahead");
  if (ahead !== undefined) return { monthsAhead: ahead.months };
  return attempt(reader, (reader) => {
    const month = takeCount(reader)?.value;
    return month !== undefined && takeMark(reader, "month") ? { month } : undefined;
  });
}

/** 25일, 말일, 월말, 첫째 주 월요일. */
function takeKoreanDay(reader: Reader): DayOfMonth | undefined {
  const day = attempt(reader, (reader) => {
    const count = takeCount(reader)?.value;
    // 일, and not "days": "2 days 9am" is no date.
    return take(reader, "numeral")?.unit === "days" ? count : undefined;
  });
  if (day !== undefined) return day;
  takeMark(reader, "month");
  const last = take(reader, "last day");
  if (last !== undefined) return last.isAlone ? lastDay : undefined;
  const nth = takeNthWeekday(reader);
  return nth?.isAlone ? { nth: nth.nth, weekday: nth.weekday } : undefined;
}

/** "dec 25", "December 25th, 2026". */
function takeMonthFirst(reader: Reader): DatePhrase | undefined {
  const month = take(reader, "month")?.month;
  if (month === undefined) return undefined;
  takeMark(reader, "the");
  const day = takeShortNumber(reader);
  if (day === undefined) return undefined;
  takeMark(reader, "ordinal");
  return { is: "date", ...yearIfSaid(reader), month, day };
}

/** "the last day of the month", "end of next month", "the first monday of december 2026". */
function takeNamedDate(reader: Reader): DatePhrase | undefined {
  takeMark(reader, "the");
  const day = take(reader, "last day") ? lastDay : takeNthOfMonth(reader);
  const month = day === undefined ? undefined : takeOfMonth(reader);
  return day === undefined || month === undefined ? undefined : { is: "date", ...month, day };
}

function takeNthOfMonth(reader: Reader): NthWeekday | undefined {
  const found = attempt(reader, takeNthWeekday);
  return found && { nth: found.nth, weekday: found.weekday };
}

/** "of the month", "of next month", "of december 2026". */
function takeOfMonth(reader: Reader): MonthPhrase | undefined {
  if (!takeMark(reader, "of")) return undefined;
  const named = takeNamedMonth(reader);
  if (named !== undefined) return named;
  takeMark(reader, "the");
  return takeUnit(reader) === "months" ? {} : undefined;
}

function takeNamedMonth(reader: Reader): MonthPhrase | undefined {
  const ahead = take(reader, "months ahead");
  if (ahead !== undefined) return { monthsAhead: ahead.months };
  const month = take(reader, "month")?.month;
  return month === undefined ? undefined : { ...yearIfSaid(reader), month };
}

/** "25 dec 2026", "the 25th of December", "the 3rd of next month", "the 25th". */
function takeDayFirst(reader: Reader): DatePhrase | undefined {
  takeMark(reader, "the");
  const day = takeShortNumber(reader);
  if (day === undefined) return undefined;
  const isOrdinal = takeMark(reader, "ordinal");
  const month = takeNamedMonth(reader) ?? attempt(reader, takeOfMonth);
  return isOrdinal || month !== undefined ? { is: "date", ...month, day } : undefined;
}

function yearIfSaid(reader: Reader): { year?: number } {
  const year = attempt(reader, takeYear);
  return year === undefined ? {} : { year };
}

function takeShortNumber(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits !== undefined && digits.length <= 2 ? digits.value : undefined;
}
