import { nearest } from "../../platform/nearest.ts";
import { isOfPast, takeDay, type Day } from "./day.ts";
import { negative, takeLength, type Length } from "./length.ts";
import {
  takeCount,
  attempt,
  hint,
  refusal,
  take,
  takeMark,
  takeUnit,
  type Reader,
} from "./reader.ts";
import { scan, spellings } from "./scan.ts";
import type { Part, Word } from "./word.ts";

/** The parts of a time, each at most once, in any order. */
export interface Phrase {
  /** From now; below zero it is ago. */
  readonly after?: Length;
  readonly day?: Day;
  readonly time?: Time;
  readonly part?: Part;
}

export interface Time {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** The form it was typed in, which tells the clock. */
  readonly form: "word" | "24 hours" | "12 or 24 hours";
  /** A number alone, which is an hour only beside something that makes it one. */
  readonly isBare?: true;
  /** False: a word that people use for other hours too. */
  readonly sure: boolean;
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
    if (piece === undefined || isTwice) throw refusal(typed, adviceOn(words));
    phrase = { ...phrase, ...piece };
    takeMark(reader, "particle");
  }
  if (words.length === 0) throw refusal(typed, adviceOn(words));
  return phrase;
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

/** "12/25" is another day, or none, in other countries. */
function adviceOn(words: readonly Word[]): string {
  const isTwoNumbers = words.some((word, i) => {
    const [first, second, after] = [words[i - 1], words[i + 1], words[i + 2]];
    const isBetween = word.is === "mark" && ["/", "-", "."].includes(word.mark);
    const isDate = first?.is === "digits" && second?.is === "digits" && after?.is !== "unit";
    return isBetween && isDate;
  });
  return isTwoNumbers
    ? 'is not a date I can be sure of: write it as "25 dec", "12월 25일" or "2026-12-25"'
    : `is not a time I can read: ${hint}`;
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

/** "09:30", "3:15:20", "at 9", "9 o'clock", 3시 반, 열한 시 이십 분, "noon"; "9" of "9 am". */
export function takeTime(reader: Reader): Time | undefined {
  const isAt = takeMark(reader, "at");
  const word = take(reader, "clock");
  if (word !== undefined) {
    return { hour: word.hour, minute: 0, second: 0, form: "word", sure: word.sure };
  }
  const count = takeCount(reader);
  if (count === undefined || count.digits > 2) return undefined;
  const hour = count.value;
  const isOn24 = count.digits === 2 || hour === 0 || hour > 9;
  const form = isOn24 ? "24 hours" : "12 or 24 hours";
  const time = { hour, minute: 0, second: 0, form, sure: true } as const;
  if (takeMark(reader, ":")) {
    const minute = takeTwoDigits(reader);
    const second = takeMark(reader, ":") ? takeTwoDigits(reader) : 0;
    return minute === undefined || second === undefined ? undefined : { ...time, minute, second };
  }
  if (takeMark(reader, "hour")) return { ...time, ...takeKoreanMinutes(reader) };
  return isAt ? time : { ...time, isBare: true };
}

function takeTwoDigits(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits?.length === 2 ? digits.value : undefined;
}

/** 30분, 30분 15초, 반, or nothing. */
function takeKoreanMinutes(reader: Reader): Partial<Time> {
  if (take(reader, "half") !== undefined) return { minute: 30 };
  const counted = (unit: "minutes" | "seconds"): number | undefined =>
    attempt(reader, (reader) => {
      const count = takeCount(reader)?.value;
      return takeUnit(reader) === unit ? count : undefined;
    });
  const minute = counted("minutes");
  return minute === undefined ? {} : { minute, second: counted("seconds") ?? 0 };
}
