import { hasCode } from "../platform/errors.ts";
import { readWhen } from "./cadence.ts";
import { pastError } from "./future.ts";
import { parseTime, readTyped, type TimeContext } from "./times.ts";

/** A text without its time, and the time. */
export interface Split {
  /** As it can be read again. */
  readonly when: string;
  readonly text: string;
}

/** No time; an ambiguous one, with the reason; or one in the past, with the sentence about it. */
export interface NoTime {
  readonly reason?: string | undefined;
  readonly past?: string | undefined;
}

/** A phrase that is a time, an ambiguous time with the reason, a past one, or no time. */
type Read =
  | { readonly when: string }
  | { readonly reason: string }
  | { readonly past: string }
  | undefined;
type Reads = (phrase: string) => Read;

interface End extends NoTime {
  readonly side: "front" | "back";
  readonly words: number;
  readonly phrase: string;
  readonly when?: string;
  readonly text: string;
}

/** No typed time is longer. */
const wordsMax = 12;

/**
 * Finds the time of "tomorrow 9am call Bob", "call Bob tomorrow 9am" and "tomorrow call Bob at 9am":
 * the longest beginning or end that can be read, or both if they are one time together. A time in
 * the past, as in "tomorrow 9am send the notes of yesterday", is what the text is about.
 */
export function splitTime(text: string, look: TimeContext): Split | NoTime {
  const reads: Reads = (phrase) => time(phrase, look);
  const ends = [endOf(text, "front", reads), endOf(text, "back", reads)];
  const [front, back] = ends.map((end) => (end?.past === undefined ? end : undefined));
  if (front !== undefined && back !== undefined) {
    return together(text, [front, back], look) ?? better(front, back, look);
  }
  const lengths: Reads = (phrase) => {
    const length = time(`+${phrase}`, look);
    return length !== undefined && "when" in length ? length : undefined;
  };
  const end = front ?? back ?? endOf(text, "front", lengths) ?? endOf(text, "back", lengths);
  if (end !== undefined) return splitOf(end);
  const past = ends.find((each) => each !== undefined);
  return past === undefined ? {} : { past: past.past };
}

/** Finds what comes again in "weekday 9am read the news" or "뉴스 요약 매일 9시". */
export function splitEvery(text: string, look: TimeContext): Split | NoTime {
  const reads: Reads = (phrase) => {
    const read = [phrase, `every ${phrase}`, `매일 ${phrase}`].map((each) => repeat(each, look));
    return read.find((each) => each !== undefined && "when" in each) ?? read.find(Boolean);
  };
  const end = endOf(text, "front", reads) ?? endOf(text, "back", reads);
  return end === undefined ? {} : splitOf(end);
}

/** A moment, which may have passed, or a length from now. */
export function readTime(text: string, look: TimeContext): string | undefined {
  for (const each of [text, `+${text}`]) {
    const read = time(each, look);
    if (read !== undefined && !("reason" in read)) return each;
  }
  return undefined;
}

/** The longest end of a text that says when, if something is left of the text. */
function endOf(text: string, side: "front" | "back", reads: Reads): End | undefined {
  const words = [...text.matchAll(/\S+/g)];
  for (let count = Math.min(words.length - 1, wordsMax); count > 0; count -= 1) {
    const isFront = side === "front";
    const at = isFront ? endAt(words[count - 1]) : (words[words.length - count]?.index ?? 0);
    const [first, last] = [text.slice(0, at).trim(), text.slice(at).trim()];
    const [phrase, rest] = isFront ? [first, last] : [last, first];
    const read = reads(phrase);
    if (read !== undefined) return { side, words: count, phrase, text: rest, ...read };
  }
  return undefined;
}

function endAt(word: RegExpExecArray | undefined): number {
  return word === undefined ? 0 : word.index + word[0].length;
}

/** A day at one end and a time at the other. A word such as "lunch" is more likely what it is about. */
function together(text: string, [front, back]: [End, End], look: TimeContext): Split | undefined {
  const words = [...text.matchAll(/\S+/g)];
  const [from, to] = [words[front.words], words[words.length - back.words - 1]];
  if (from === undefined || to === undefined || from.index > to.index) return undefined;
  const when = `${front.phrase} ${back.phrase}`;
  const isHalf = [front, back].some((end) => isGuess(end, look));
  const isTime = /\d|^at /i.test(back.phrase);
  const read = isHalf && isTime ? time(when, look) : undefined;
  if (read === undefined || !("when" in read)) return undefined;
  return { when, text: text.slice(from.index, endAt(to)) };
}

/** Of two ends: the one that says all of it, or the longer. */
function better(front: End, back: End, look: TimeContext): Split | NoTime {
  const ends = [front, back];
  const sure = ends.filter((end) => !isGuess(end, look));
  if (sure.length === 1 && sure[0] !== undefined) return splitOf(sure[0]);
  const unsure = ends.find((end) => end.when === undefined);
  return splitOf(unsure ?? (back.words > front.words ? back : front));
}

function splitOf({ when, reason, text }: End): Split | NoTime {
  return when === undefined ? { reason } : { when, text };
}

/** A part of the time was assumed. */
function isGuess({ when }: End, look: TimeContext): boolean {
  return when === undefined || parseTime(when, look).assumed !== undefined;
}

function time(phrase: string, look: TimeContext): Read {
  return read(() => {
    const { time, isPast } = readTyped(phrase, { ...look, isInProse: true, isTyped: true });
    return isPast ? { past: pastError(phrase, time.at, look).message } : { when: phrase };
  });
}

function repeat(phrase: string, look: TimeContext): Read {
  return read(() =>
    readWhen(phrase, look).cadence.type === "once" ? undefined : { when: phrase },
  );
}

/** Errors for a text that is no time; any other error is about an ambiguous time. */
const noTime =
  /" is (?:not a (?:time|schedule) I can read|a length, not a time|.* ago: give a later)|" comes again and again|over \d+ characters/;

function read(phrase: () => Read): Read {
  try {
    return phrase();
  } catch (error) {
    if (!hasCode(error, "invalid", "too_large")) throw error;
    return noTime.test(error.message) ? undefined : { reason: error.message };
  }
}
