import {
  takeCount,
  attempt,
  take,
  takeMark,
  takeUnit,
  unitAt,
  type Reader,
} from "../phrase/reader.ts";

/** One weekday of a month: its second Friday is 2 and 5, its last is -1 and 5. */
export interface NthWeekday {
  readonly nth: number;
  /** Monday is 1. */
  readonly weekday: number;
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
    const nth = attempt(reader, takeNth);
    if (nth === undefined) break;
    which.push(nth);
  }
  // 둘째 주 일요일 is how people say 둘째 일요일.
  if (unitAt(reader) === "weeks") takeUnit(reader);
  const weekday = take(reader, "weekday")?.weekday;
  return which.length === 0 || weekday === undefined
    ? undefined
    : which.map((nth) => ({ nth, weekday }));
}

/** "second", "the 2nd", 둘째, 2번째, "last". */
function takeNth(reader: Reader): number | undefined {
  takeMark(reader, "and");
  takeMark(reader, "the");
  const word = take(reader, "nth");
  if (word !== undefined) return word.nth;
  const count = takeCount(reader)?.value ?? 0;
  const isNth = takeMark(reader, "ordinal") || takeMark(reader, "nth");
  return isNth && count > 0 && count <= nthMax ? count : undefined;
}
