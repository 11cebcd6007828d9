import { takeCount, attempt, take, takeMark, takeUnit, unitAt, type Reader } from "./reader.ts";

/** One weekday of a month: its second Friday is 2 and 5, its last is -1 and 5. */
export interface NthWeekday {
  readonly nth: number;
  /** Monday is 1. */
  readonly weekday: number;
}

interface Nth {
  readonly nth: number;
  /** It is one of a month even if no month is named. */
  readonly isAlone: boolean;
}

/** No weekday occurs six times in a month. */
const nthMax = 5;

/** "first monday", "the 1st and 3rd monday and last friday", 둘째, 넷째 주 일요일. */
export function takeNthWeekdays(reader: Reader): readonly NthWeekday[] | undefined {
  takeMark(reader, "on");
  takeMark(reader, "every");
  const found: NthWeekday[] = [];
  for (;;) {
    const some = attempt(reader, takeOfOne);
    if (some === undefined) return found.length === 0 ? undefined : found;
    found.push(...some);
  }
}

function takeOfOne(reader: Reader): readonly NthWeekday[] | undefined {
  const which: number[] = [];
  for (;;) {
    takeMark(reader, "and");
    takeMark(reader, "the");
    const one = attempt(reader, takeNth);
    if (one === undefined) break;
    which.push(one.nth);
  }
  const weekday = takeWeekdayOf(reader);
  return which.length === 0 || weekday === undefined
    ? undefined
    : which.map((nth) => ({ nth, weekday }));
}

/** "first monday", 둘째 주 금요일. */
export function takeNthWeekday(reader: Reader): (NthWeekday & Nth) | undefined {
  const one = attempt(reader, takeNth);
  const weekday = one && takeWeekdayOf(reader);
  return one && weekday !== undefined ? { ...one, weekday } : undefined;
}

/** 둘째 주 일요일 is how people say 둘째 일요일. */
function takeWeekdayOf(reader: Reader): number | undefined {
  if (unitAt(reader) === "weeks") takeUnit(reader);
  return take(reader, "weekday")?.weekday;
}

/** "second", "2nd", 둘째, 2번째, "last". */
function takeNth(reader: Reader): Nth | undefined {
  const word = take(reader, "nth");
  if (word !== undefined) return { nth: word.nth, isAlone: word.isAlone === true };
  const nth = takeCount(reader)?.value ?? 0;
  const isKorean = takeMark(reader, "nth");
  const isNth = isKorean || takeMark(reader, "ordinal");
  return isNth && nth > 0 && nth <= nthMax ? { nth, isAlone: isKorean } : undefined;
}
