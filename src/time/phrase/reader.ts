import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Mark, Unit, Word } from "./word.ts";

/** Words, and how far they have been read. */
export interface Reader {
  readonly words: readonly Word[];
  at: number;
}

/** Takes the next word if it is of that type. */
export function take<Is extends Word["is"]>(
  reader: Reader,
  is: Is,
): Extract<Word, { is: Is }> | undefined {
  const word = reader.words[reader.at];
  if (word?.is !== is) return undefined;
  reader.at += 1;
  // The compiler does not narrow by a type parameter.
  return word as Extract<Word, { is: Is }>;
}

export function takeMark(reader: Reader, mark: Mark): boolean {
  const word = reader.words[reader.at];
  const isThere = word?.is === "mark" && word.mark === mark;
  if (isThere) reader.at += 1;
  return isThere;
}

export function takeUnit(reader: Reader): Unit | undefined {
  const unit = unitAt(reader);
  if (unit !== undefined) reader.at += 1;
  return unit;
}

/** Four digits: with fewer it could be an hour or a day. */
export function takeYear(reader: Reader): number | undefined {
  const digits = take(reader, "digits");
  return digits?.length === 4 ? digits.value : undefined;
}

/** The unit of the next word, without taking it. */
export function unitAt({ words, at }: Reader): Unit | undefined {
  const word = words[at];
  const isUnit = word?.is === "unit" || word?.is === "numeral" || word?.is === "nth";
  return isUnit ? word.unit : undefined;
}

/** The result of `read`; when that is undefined, the reader goes back to where it was. */
export function attempt<Found>(
  reader: Reader,
  read: (reader: Reader) => Found | undefined,
): Found | undefined {
  const start = reader.at;
  const found = read(reader);
  if (found === undefined) reader.at = start;
  return found;
}

/** The error for a time that cannot be read; `advice` says what to do. */
export function refusal(typed: string, advice: string, cause?: unknown): DaybookError {
  return new DaybookError("invalid", `${quote(typed)} ${advice}.`, { cause });
}

export const hint =
  'write it as "+30m", "tomorrow 9am", "next monday 10:00", "내일 오후 3시", "30분 뒤" or "2026-12-25 09:00"';

export function unreadable(typed: string, cause?: unknown): DaybookError {
  return refusal(typed, `is not a time I can read: ${hint}`, cause);
}

/** Countries write a day and its month in different orders. */
export function unsureDate(typed: string): DaybookError {
  return refusal(
    typed,
    'is not a date I can be sure of: write it as "25 dec", "12월 25일" or "2026-12-25"',
  );
}

type Numeral = Extract<Word, { is: "numeral" }>;

interface Count {
  readonly value: number;
  /** How many digits it was written with: 0 in words. */
  readonly digits: number;
}

/** 30, "twenty five", 스물넷, 이십오. */
export function takeCount(reader: Reader): Count | undefined {
  const digits = take(reader, "digits");
  if (digits !== undefined) return { value: digits.value, digits: digits.length };
  const first = take(reader, "numeral");
  if (first === undefined) return undefined;
  let numeral: Numeral = first;
  for (;;) {
    const next = reader.words[reader.at];
    const joined: Numeral | undefined = next?.is === "numeral" ? join(numeral, next) : undefined;
    if (joined === undefined || isDay(reader)) return { value: numeral.value, digits: 0 };
    numeral = joined;
    reader.at += 1;
  }
}

/** Two numerals as one, if they make one: 이 and 십, 이십 and 오, "twenty" and "five". */
function join(first: Numeral, next: Numeral): Numeral | undefined {
  const { value, set } = first;
  if (next.set !== set) return undefined;
  if (set === "sino" && next.value === 10 && value > 1 && value < 10) {
    return { ...next, value: value * 10 };
  }
  if (!first.joins || next.value === 0 || next.value > 9) return undefined;
  return { ...next, value: value + next.value };
}

/** 십일 뒤 is in ten days, 십일 시간 뒤 in eleven hours: 일 is one only if something is counted with it. */
function isDay({ words, at }: Reader): boolean {
  if (unitAt({ words, at }) === undefined) return false;
  const after = words[at + 1];
  const isCounted = after?.is === "mark" && (after.mark === "hour" || after.mark === "month");
  return !isCounted && unitAt({ words, at: at + 1 }) === undefined;
}
