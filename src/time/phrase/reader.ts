import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Mark, Unit, Word } from "./word.ts";

/** Words, and how far they have been read. */
export interface Reader {
  readonly words: readonly Word[];
  at: number;
}

/** The next word, if it is of that sort. */
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

/** The unit that the next word is, without taking it. */
export function unitAt({ words, at }: Reader): Unit | undefined {
  const word = words[at];
  const isUnit = word?.is === "unit" || word?.is === "numeral" || word?.is === "nth";
  return isUnit ? word.unit : undefined;
}

/** What was read, or nothing, and then the reader stands where it stood. */
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
