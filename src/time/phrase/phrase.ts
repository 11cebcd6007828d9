import type { DaybookError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { isOfPast, takeDay, type Day } from "./day.ts";
import { negative, takeLength, type Length } from "./length.ts";
import {
  attempt,
  hint,
  refusal,
  take,
  takeMark,
  unreadable,
  unsureDate,
  type Reader,
} from "./reader.ts";
import { scan, spellings } from "./scan.ts";
import { takeTime, type Time } from "./time-of-day.ts";
import type { Part, Word } from "./word.ts";

/** The parts of a time, each at most once, in any order. */
export interface Phrase {
  /** From now; below zero it is ago. */
  readonly after?: Length;
  readonly day?: Day;
  readonly time?: Time;
  readonly part?: Part;
}

/** Reads the complete text, or refuses it: an unread rest could have changed the meaning. */
export function readPhrase(typed: string): Phrase {
  const { words, rest } = scan(typed);
  if (rest !== "") throw refusal(typed, `is not a time I can read: ${suggestion(rest, hint)}`);
  const reader: Reader = { words, at: 0 };
  refuseLength(typed, words);
  let phrase: Phrase = {};
  while (reader.at < words.length) {
    const piece = takePiece(reader);
    const isTwice = Object.keys(piece ?? {}).some((name) => Object.hasOwn(phrase, name));
    if (piece === undefined || isTwice) throw problemOf(words, typed);
    phrase = { ...phrase, ...piece };
    takeMark(reader, "particle");
  }
  if (words.length === 0) throw unreadable(typed);
  return inThatWeek(phrase);
}

/** 2주 뒤 월요일, "monday in 2 weeks": the Monday of that week. */
function inThatWeek(phrase: Phrase): Phrase {
  const { after, day, ...rest } = phrase;
  const isWeeks = after?.weeks !== undefined && Object.keys(after).length === 1;
  if (!isWeeks || day?.is !== "weekday" || day.week !== undefined || day.isLast) return phrase;
  return { ...rest, day: { ...day, week: after.weeks } };
}

/** What to write, after the word that was probably meant. */
export function suggestion(rest: string, advice: string): string {
  const word = /^[a-z]{3,20}/.exec(rest)?.[0];
  const known = word === undefined ? undefined : nearest(word, spellings);
  return known === undefined || known.length < 3 ? advice : `did you mean "${known}"? Or ${advice}`;
}

/** The text is only a length: "1h", 사흘. 25일 is also a date, and neither for sure. */
export function isLength(typed: string): boolean {
  const { words, rest } = scan(typed);
  return rest === "" && isAllOf(words, takeLength) && !isAllOf(words, takeDay);
}

function isAllOf(words: readonly Word[], read: (reader: Reader) => unknown): boolean {
  const reader: Reader = { words, at: 0 };
  return read(reader) !== undefined && reader.at === words.length;
}

function refuseLength(typed: string, words: readonly Word[]): void {
  if (!isAllOf(words, takeLength)) return;
  if (isAllOf(words, takeDay)) {
    throw refusal(typed, `could be a length or a date: write "${typed} 뒤" or "${typed} 오전 9시"`);
  }
  const isKorean = /[가-힣]/.test(typed);
  const [later, ago] = isKorean ? [`${typed} 뒤`, `${typed} 전`] : [`in ${typed}`, `${typed} ago`];
  throw refusal(typed, `is a length, not a time: write "${later}" or "${ago}"`);
}

/** It names the past, whatever the time is: "3 days ago", "yesterday", 지난 월요일. */
export function namesPast({ after = {}, day }: Phrase): boolean {
  return Object.values(after).some((count) => count < 0) || (day !== undefined && isOfPast(day));
}

/** Why words are no time: 월요일마다 is many, "12.25" could be a time, and "9-17" hours. */
function problemOf(words: readonly Word[], typed: string): DaybookError {
  if (words.some(isRepeating)) {
    return refusal(
      typed,
      'comes again and again: write one time, such as "tomorrow 9am" or "내일 오전 9시", or create a schedule',
    );
  }
  const isTwoNumbers = words.some((word, i) => {
    const [first, second, after] = [words[i - 1], words[i + 1], words[i + 2]];
    const isBetween = word.is === "mark" && ["/", "-", "."].includes(word.mark);
    const isDate = first?.is === "digits" && second?.is === "digits" && after?.is !== "unit";
    return isBetween && isDate;
  });
  return isTwoNumbers ? unsureDate(typed) : unreadable(typed);
}

/** It is about every one of something. */
export function isRepeating(word: Word): boolean {
  return (
    word.is === "every" || word.is === "weekdays" || (word.is === "mark" && word.mark === "every")
  );
}

function takePiece(reader: Reader): Phrase | undefined {
  const after = attempt(reader, takeAfter);
  if (after !== undefined) return { after };
  const day = takeDay(reader);
  if (day !== undefined) return { day };
  const time = attempt(reader, takeTime);
  if (time !== undefined) return { time };
  const part = take(reader, "part")?.part;
  return part === undefined ? undefined : { part };
}

/** "in 2 h", "2 hours from now", 두 시간 뒤, "3 days ago", "now". */
function takeAfter(reader: Reader): Length | undefined {
  if (take(reader, "now") !== undefined) return { seconds: 0 };
  if (takeMark(reader, "in")) return takeLength(reader);
  const length = takeLength(reader);
  if (takeMark(reader, "later")) return length;
  return length !== undefined && takeMark(reader, "ago") ? negative(length) : undefined;
}
