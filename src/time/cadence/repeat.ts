import type { DaybookError } from "../../platform/errors.ts";
import { lastDay, takeDate, type DatePhrase } from "../phrase/date.ts";
import { takeLength, type Length } from "../phrase/length.ts";
import { takeNthWeekdays, type NthWeekday } from "../phrase/nth.ts";
import { isRepeating, suggestion } from "../phrase/phrase.ts";
import { attempt, refusal, take, takeMark, takeUnit, type Reader } from "../phrase/reader.ts";
import { scan } from "../phrase/scan.ts";
import { takeTime, type Time } from "../phrase/time-of-day.ts";
import type { Part, Word } from "../phrase/word.ts";

/** The parts of a repetition, each at most once, in any order. */
export interface Repeat {
  readonly every?: Length;
  readonly weekdays?: readonly number[];
  readonly nth?: readonly NthWeekday[];
  readonly dates?: readonly DatePhrase[];
  readonly time?: Time;
  readonly part?: Part;
}

const hint =
  'write it as "every weekday 9am", "every 2h", "every month on the 1st", "매주 월요일 10시", "30분마다", "0 9 * * 1-5" or a time such as "tomorrow 9am"';

/** The error for a schedule that cannot be read. */
export function unreadable(typed: string, rest = ""): DaybookError {
  return refusal(typed, `is not a schedule I can read: ${suggestion(rest, hint)}`);
}

/** Reads a text about a repetition; undefined when it is about something else. */
export function readRepeat(typed: string): Repeat | undefined {
  const { words, rest } = scan(spelledOut(typed));
  if (rest !== "" || words.length === 0) throw unreadable(typed, rest);
  if (!words.some(saysAgain)) return undefined;
  const reader: Reader = { words, at: 0 };
  let repeat: Repeat = {};
  while (reader.at < words.length) {
    if (takeMark(reader, "particle") || takeMark(reader, "until")) continue;
    const piece = attempt(reader, takePiece);
    const isTwice = Object.keys(piece ?? {}).some((name) => Object.hasOwn(repeat, name));
    if (piece === undefined || isTwice) throw unreadable(typed);
    repeat = { ...repeat, ...piece };
  }
  if (Object.keys(repeat).length === 0) throw unreadable(typed);
  return repeat;
}

const names = "mon|tue|wed|thu|fri|sat|sun";
const ranges = new RegExp(`\\b((?:${names})[a-z]{0,6}) ?- ?(?=${names})`, "gi");
const koreanRanges =
  /(?<![\d매])([월화수목금토일])(?:요일|욜)? ?[~-] ?([월화수목금토일])(?:요일|욜)?/g;
const letters = /(매주|격주) ?((?:[월화수목금토일][ ,·]{0,2}){1,7})(?![요욜])/;

/** 월수금, 화목 and 월, 수 alone. 금일 is today, 일월 a month, and 수일 some days. */
const lettersAlone =
  /(?<=^| )(?<!매주 |격주 )([월화수목금토일](?:[,·] ?[월화수목금토일]){1,6}|[월화수목금토일]{3,7}|월[화수목금토]|화[수목금토]|수[목금토]|목[금토]|금토|토일)(?=$|[ ,\d]|마다|에)/;

/** "mon-fri" and 월-금 are no two words, and 매주 월수금 names three weekdays. Bounded: it cannot run long. */
function spelledOut(typed: string): string {
  return typed
    .replaceAll(ranges, "$1 to ")
    .replaceAll(koreanRanges, "$1요일~$2요일 ")
    .replace(lettersAlone, (days) => `매주 ${days}`)
    .replace(letters, (_, every: string, days: string) =>
      [every, ...Array.from(days.replaceAll(/[ ,·]/g, ""), (day) => `${day}요일`), ""].join(" "),
    );
}

function saysAgain(word: Word): boolean {
  return isRepeating(word) || (word.is === "mark" && word.mark === "to");
}

function takePiece(reader: Reader): Repeat | undefined {
  const other = attempt(reader, takeOther);
  if (other !== undefined) return other;
  const nth = attempt(reader, takeNthWeekdays);
  if (nth !== undefined) return { nth };
  const every = attempt(reader, takeEvery);
  if (every !== undefined) return { every };
  // "Every monday", "every 25th", "every morning": what follows says how often.
  if (takeMark(reader, "every")) return {};
  const weekdays = attempt(reader, takeWeekdays);
  if (weekdays !== undefined) return { weekdays };
  const dates = attempt(reader, takeDates);
  if (dates !== undefined) return { dates };
  const time = attempt(reader, takeTime);
  if (time !== undefined) return { time };
  const part = take(reader, "part")?.part;
  return part === undefined ? undefined : { part };
}

/** "every other friday", "every second week"; but "every second friday of the month" is one of it. */
function takeOther(reader: Reader): Repeat | undefined {
  takeMark(reader, "on");
  if (!takeMark(reader, "every") || !takeSecond(reader)) return undefined;
  const unit = takeUnit(reader);
  if (unit !== undefined) return { every: { [unit]: 2 } };
  const weekdays = takeWeekdays(reader);
  // Every other one of five weekdays would not be the same ones each time.
  if (weekdays === undefined || weekdays.length === 5) return undefined;
  return takeMark(reader, "of") ? undefined : { every: { weeks: 2 }, weekdays };
}

function takeSecond(reader: Reader): boolean {
  if (takeMark(reader, "other")) return true;
  const digits = take(reader, "digits");
  if (digits !== undefined) return digits.value === 2 && takeMark(reader, "ordinal");
  return take(reader, "nth")?.nth === 2;
}

/** "daily", "every 2 h", "each week", 2시간마다, 매 30분, 매주; "of the month". */
function takeEvery(reader: Reader): Length | undefined {
  const word = take(reader, "every");
  if (word !== undefined) return { [word.unit]: word.count };
  if (takeMark(reader, "of")) {
    takeMark(reader, "the");
    takeMark(reader, "every");
    return takeUnit(reader) === "months" ? { months: 1 } : undefined;
  }
  const isBefore = takeMark(reader, "every");
  const length = takeLength(reader);
  if (isBefore && length === undefined) {
    const unit = takeUnit(reader);
    return unit && { [unit]: 1 };
  }
  return takeMark(reader, "every") || isBefore ? length : undefined;
}

/** "on monday and friday", "mon to fri", "weekends", 월요일부터 금요일까지. */
function takeWeekdays(reader: Reader): readonly number[] | undefined {
  takeMark(reader, "on");
  const found = new Set<number>();
  for (;;) {
    const some = attempt(reader, takeSome);
    if (some === undefined) break;
    for (const weekday of some) found.add(weekday);
  }
  return found.size === 0 ? undefined : [...found].sort((a, b) => a - b);
}

function takeSome(reader: Reader): readonly number[] | undefined {
  takeMark(reader, "and");
  const several = take(reader, "weekdays");
  if (several !== undefined) return several.weekdays;
  const from = take(reader, "weekday")?.weekday;
  if (from === undefined || !(takeMark(reader, "to") || takeMark(reader, "-"))) {
    return from === undefined ? undefined : [from];
  }
  const to = take(reader, "weekday")?.weekday;
  takeMark(reader, "until");
  if (to === undefined) return undefined;
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => ((from - 1 + i) % 7) + 1);
}

/** "on the 1st and 15th", 1일, "the last day", 12월 25일. */
function takeDates(reader: Reader): Repeat["dates"] {
  takeMark(reader, "on");
  const dates: DatePhrase[] = [];
  for (;;) {
    const date = attempt(reader, (reader) => {
      takeMark(reader, "and");
      return attempt(reader, takeDate) ?? attempt(reader, takeLastDay);
    });
    if (date === undefined) break;
    dates.push(date);
  }
  return dates.length === 0 ? undefined : dates;
}

/** "the last day", of every month. */
function takeLastDay(reader: Reader): DatePhrase | undefined {
  takeMark(reader, "the");
  return take(reader, "last day") && { is: "date", day: lastDay };
}
