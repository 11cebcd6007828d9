/** As `Temporal` names them. */
export type Unit =
  | "milliseconds"
  | "seconds"
  | "minutes"
  | "hours"
  | "days"
  | "weeks"
  | "months"
  | "years";

/** Numerals make one number only with others of their set. */
type Numerals = "english" | "native" | "sino";

/** Words that connect the others. */
export type Mark =
  | "in" // "+", "in": a length follows
  | "later" // "from now", 뒤: a length went before
  | "ago" // 전: a length went before
  | "and"
  | "on"
  | "at"
  | "the"
  | "of"
  | "ordinal" // "th" of "25th"
  | "nth" // 번째 of 2번째
  | "other" // every second one
  | "hour" // "o'clock", 시
  | "month" // 월 of 12월
  | "coming" // "this friday", 이번 금요일
  | "past" // 지난 of 지난 금요일; the English "last" is also one of a month
  | "past the hour" // "past" of "half past nine"
  | "particle" // 에
  | "every" // "each", 매, 마다
  | "to" // "through", 부터: a last one follows
  | "until" // 까지: a last one went before
  | ":"
  | "-"
  | "/"
  | ".";

/** The meaning of a word, a numeral or a mark, in any language. */
export type Word =
  | { readonly is: "digits"; readonly value: number; readonly length: number }
  | {
      readonly is: "numeral";
      readonly value: number;
      readonly set: Numerals;
      /** Smaller ones may follow: "twenty" five, 열 다섯. */
      readonly joins: boolean;
      /** 일 is one, and also a day. */
      readonly unit?: Unit;
    }
  /** Of a month, if that is named or the word is `isAlone`; the last one is -1. "Second" is also a unit. */
  | { readonly is: "nth"; readonly nth: number; readonly unit?: Unit; readonly isAlone?: true }
  | { readonly is: "article" } // "a": one, but only of something counted
  | { readonly is: "half" }
  | { readonly is: "quarter" } // of an hour
  | { readonly is: "unit"; readonly unit: Unit }
  | { readonly is: "days"; readonly days: number } // 사흘
  | { readonly is: "now" }
  | { readonly is: "day"; readonly days: number }
  | { readonly is: "weekday"; readonly weekday: number }
  /** "weekdays", "mondays", 주말: every week. */
  | { readonly is: "weekdays"; readonly weekdays: readonly number[] }
  /** "daily", 매주, 격주: every so many. */
  | { readonly is: "every"; readonly unit: Unit; readonly count: number }
  /** Of a month, if that is named or the word is `isAlone`. */
  | { readonly is: "last day"; readonly isAlone?: true }
  /** `whole`: "next week" can stand without a weekday, "next" cannot. */
  | { readonly is: "week"; readonly weeks: number; readonly whole: boolean }
  | { readonly is: "weekend"; readonly weeks: number }
  | { readonly is: "month"; readonly month: number }
  | { readonly is: "months ahead"; readonly months: number }
  | { readonly is: "years ahead"; readonly years: number }
  | { readonly is: "part"; readonly part: Part }
  /** Not `sure`: people mean other hours too, so the answer says which one was taken. */
  | { readonly is: "clock"; readonly hour: number; readonly sure: boolean }
  | { readonly is: "mark"; readonly mark: Mark };

/** One entry of a language's table: each of these spellings means these words, in this order. */
export type Entry = readonly [spellings: string, ...means: Word[]];

export function mark(mark: Mark): Word {
  return { is: "mark", mark };
}

export function unit(unit: Unit): Word {
  return { is: "unit", unit };
}

export function nth(nth: number): Word {
  return { is: "nth", nth };
}

/** One of a month, whether a month is named or not. */
export function nthOfMonth(nth: number): Word {
  return { is: "nth", nth, isAlone: true };
}

export function weekend(weeks: number): Word {
  return { is: "weekend", weeks };
}

export function every(unit: Unit, count = 1): Word {
  return { is: "every", unit, count };
}

export function weekdays(...weekdays: number[]): Word {
  return { is: "weekdays", weekdays };
}

export function day(days: number): Word {
  return { is: "day", days };
}

export function part(part: Part): Word {
  return { is: "part", part };
}

export function clock(hour: number, sure: boolean): Word {
  return { is: "clock", hour, sure };
}

type Hours = readonly [from: number, to: number];

interface PartOfDay {
  /** The hour when none is given. */
  readonly bare: number;
  /** The hours it accepts, and what to add to them. Any other hour is refused. */
  readonly minus12?: Hours;
  readonly plus0: Hours;
  readonly plus12?: Hours;
  readonly plus24?: Hours;
}

/** The meaning of an hour in each part of the day. From 24 on it is in the day after. */
const parts = {
  dawn: { bare: 5, minus12: [12, 12], plus0: [0, 7] }, // 새벽
  morning: { bare: 8, plus0: [1, 11] }, // 아침
  am: { bare: 9, minus12: [12, 12], plus0: [0, 11] }, // 오전
  midday: { bare: 12, plus0: [10, 15], plus12: [1, 5] }, // 점심, 낮
  pm: { bare: 15, plus0: [12, 23], plus12: [1, 11] }, // 오후
  evening: { bare: 18, plus0: [16, 23], plus12: [4, 11] }, // 저녁
  night: { bare: 20, plus0: [18, 23], plus12: [6, 12], plus24: [0, 5] }, // 밤
} as const satisfies Record<string, PartOfDay>;

export type Part = keyof typeof parts;

/** The hour of the day; undefined when the part of the day does not have it. */
export function hourIn(part: Part, hour: number): number | undefined {
  const { minus12, plus0, plus12, plus24 }: PartOfDay = parts[part];
  for (const [hours, add] of [
    [minus12, -12],
    [plus0, 0],
    [plus12, 12],
    [plus24, 24],
  ] as const) {
    if (hours !== undefined && hour >= hours[0] && hour <= hours[1]) return hour + add;
  }
  return undefined;
}

export function bareHour(part: Part): number {
  return parts[part].bare;
}
