import { takeDate, type DatePhrase } from "./date.ts";
import { attempt, take, takeMark, type Reader } from "./reader.ts";

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
  /** The first of its days that is ahead: a weekend has two. */
  | { readonly is: "week" | "weekend"; readonly week: number }
  | DatePhrase;

export function takeDay(reader: Reader): Day | undefined {
  return attempt(reader, (reader) => {
    takeMark(reader, "on");
    const days = take(reader, "day")?.days;
    if (days !== undefined) return { is: "from today", days };
    const date = attempt(reader, takeDate);
    if (date !== undefined) return { ...date, ...take(reader, "weekday"), is: "date" };
    const weekend = take(reader, "weekend");
    if (weekend !== undefined) return { is: "weekend", week: weekend.weeks };
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
    case "weekend":
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

/** "last monday", 지난 월요일. 마지막 월요일 is the last one of a month. */
function takeLastWeekday(reader: Reader): number | undefined {
  const isPast = takeMark(reader, "past");
  const nth = isPast ? undefined : take(reader, "nth");
  const isLast = isPast || (nth?.nth === -1 && nth.isAlone !== true);
  return isLast ? take(reader, "weekday")?.weekday : undefined;
}
