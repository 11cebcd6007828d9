import { takeCount, attempt, take, takeMark, takeUnit, type Reader } from "./reader.ts";

/** A day as it was typed. Open parts mean the next day that fits. */
export type Day =
  | { readonly is: "from today"; readonly days: number }
  | {
      readonly is: "weekday";
      readonly weekday: number;
      readonly week?: number;
      /** The one before today. */
      readonly isLast?: true;
    }
  | { readonly is: "week"; readonly week: number }
  | DatePhrase;

export interface DatePhrase {
  readonly is: "date";
  readonly year?: number;
  readonly yearsAhead?: number;
  readonly month?: number;
  readonly monthsAhead?: number;
  readonly day: number;
  /** Typed beside the date: it must match. */
  readonly weekday?: number;
}

export function takeDay(reader: Reader): Day | undefined {
  return attempt(reader, (reader) => {
    takeMark(reader, "on");
    const days = take(reader, "day")?.days;
    if (days !== undefined) return { is: "from today", days };
    const date = attempt(reader, takeDate);
    if (date !== undefined) return { ...date, ...take(reader, "weekday"), is: "date" };
    return takeWeekday(reader);
  });
}

/** It names the past, whatever the time is. */
export function isOfPast(day: Day): boolean {
  switch (day.is) {
    case "from today":
      return day.days < 0;
    case "weekday":
      return day.isLast === true || (day.week ?? 0) < 0;
    case "week":
      return day.week < 0;
    case "date":
      return (day.yearsAhead ?? 0) < 0 || (day.monthsAhead ?? 0) < 0;
  }
}

/** "friday", "next monday", "monday next week", "next week", 다음주 월요일, "Fri 25 Dec". */
function takeWeekday(reader: Reader): Day | undefined {
  const last = attempt(reader, takeLastWeekday);
  if (last !== undefined) return { is: "weekday", weekday: last, isLast: true };
  const week = takeMark(reader, "coming") ? undefined : take(reader, "week");
  if (week !== undefined) takeMark(reader, "on");
  const weekday = take(reader, "weekday")?.weekday;
  if (week !== undefined) {
    if (weekday !== undefined) return { is: "weekday", weekday, week: week.weeks };
    return week.whole && week.weeks !== 0 ? { is: "week", week: week.weeks } : undefined;
  }
  if (weekday === undefined) return undefined;
  const date = attempt(reader, takeDate);
  if (date !== undefined) return { ...date, weekday };
  const after = attempt(reader, (reader) => {
    const week = take(reader, "week");
    return week?.whole === true ? week.weeks : undefined;
  });
  return { is: "weekday", weekday, ...(after === undefined ? {} : { week: after }) };
}

/** "last monday", 지난 월요일. */
function takeLastWeekday(reader: Reader): number | undefined {
  const isLast = takeMark(reader, "past") || take(reader, "nth")?.nth === -1;
  return isLast ? take(reader, "weekday")?.weekday : undefined;
}

export function takeDate(reader: Reader): DatePhrase | undefined {
  return (
    attempt(reader, takeNumericDate) ??
    attempt(reader, takeKoreanDate) ??
    attempt(reader, takeMonthFirst) ??
    attempt(reader, takeDayFirst)
  );
}

/** 2026-12-25, 2026/12/25, 2026.12.25, "2026. 12. 25." */
function takeNumericDate(reader: Reader): DatePhrase | undefined {
  const year = takeYear(reader);
  const mark = (["-", "/", "."] as const).find((mark) => takeMark(reader, mark));
  if (mark === undefined) return undefined;
  const month = take(reader, "digits")?.value;
  if (!takeMark(reader, mark)) return undefined;
  const day = take(reader, "digits")?.value;
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (mark === ".") takeMark(reader, ".");
  return { is: "date", year, month, day };
}

/** 2026년 12월 25일, 내년 3월 1일, 다음달 3일, 25일. */
function takeKoreanDate(reader: Reader): DatePhrase | undefined {
  const year = takeKoreanYear(reader);
  const month = takeKoreanMonth(reader);
  const day = takeCount(reader)?.value;
  // 일, and not "days": "2 days 9am" is no date.
  if (day === undefined || take(reader, "numeral")?.unit !== "days") return undefined;
  if (year !== undefined && month?.month === undefined) return undefined;
  return { is: "date", ...year, ...month, day };
}

function takeKoreanYear(reader: Reader): Pick<DatePhrase, "year" | "yearsAhead"> | undefined {
  const ahead = take(reader, "years ahead");
  if (ahead !== undefined) return { yearsAhead: ahead.years };
  return attempt(reader, (reader) => {
    const year = takeYear(reader);
    return year !== undefined && takeUnit(reader) === "years" ? { year } : undefined;
  });
}

function takeKoreanMonth(reader: Reader): Pick<DatePhrase, "month" | "monthsAhead"> | undefined {
  const ahead = take(reader, "months ahead");
  if (ahead !== undefined) return { monthsAhead: ahead.months };
  return attempt(reader, (reader) => {
    const month = takeCount(reader)?.value;
    return month !== undefined && takeMark(reader, "month") ? { month } : undefined;
  });
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

/** "25 dec 2026", "the 25th of December", "the 3rd of next month", "the 25th". */
function takeDayFirst(reader: Reader): DatePhrase | undefined {
  takeMark(reader, "the");
  const day = takeShortNumber(reader);
  if (day === undefined) return undefined;
  const isOrdinal = takeMark(reader, "ordinal");
  takeMark(reader, "of");
  const ahead = take(reader, "months ahead");
  if (ahead !== undefined) return { is: "date", monthsAhead: ahead.months, day };
  const month = take(reader, "month")?.month;
  if (month === undefined) return isOrdinal ? { is: "date", day } : undefined;
  return { is: "date", ...yearIfSaid(reader), month, day };
}

function yearIfSaid(reader: Reader): { year?: number } {
  const year = attempt(reader, takeYear);
  return year === undefined ? {} : { year };
}

/** Four digits: with fewer it could be an hour or a day. */
function takeYear(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits?.length === 4 ? digits.value : undefined;
}

function takeShortNumber(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits !== undefined && digits.length <= 2 ? digits.value : undefined;
}
