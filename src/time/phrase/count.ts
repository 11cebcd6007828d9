import { take, unitAt, type Reader } from "./reader.ts";
import type { Word } from "./word.ts";

type Numeral = Extract<Word, { is: "numeral" }>;

export interface Count {
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
