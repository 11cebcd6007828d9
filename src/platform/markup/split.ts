import { joined, visible, type Rich, type Run } from "./runs.ts";

/** The limits of one part. */
export interface RichLimits {
  readonly sizeMax: number;
  /** What a part counts for as it is sent: at least one for each of its UTF-16 units. */
  size(part: Rich): number;
}

/**
 * A text in parts that fit as they are sent; together they are the whole text. A part ends with a
 * paragraph, a line or a word if one of these ends in its second half, else between two characters
 * as people see them, and never inside a surrogate pair. Marks go on in the next part. Where marks
 * alone would fill half a part, they are dropped.
 */
export function splitRich(rich: Rich, limits: RichLimits): readonly Rich[] {
  const runs = joined(rich).map((run) => {
    const start = [{ text: firstCharacter(run.text), marks: run.marks }];
    const isHeavy = run.marks.length > 0 && limits.size(start) > limits.sizeMax / 2;
    return isHeavy ? { text: run.text, marks: [] } : run;
  });
  const parts: Rich[] = [];
  let place: Place = { run: 0, unit: 0 };
  let units = limits.sizeMax;
  while (place.run < runs.length) {
    const rest = from(runs, place, limits.sizeMax + lookAhead);
    const end = endOfPart(rest, limits, units);
    // A text mostly goes on as it was: the next part is looked for near the size of this one.
    units = end * 2;
    parts.push(prefix(rest, end));
    place = after(runs, place, end);
  }
  return parts;
}

/** A unit of a run. */
interface Place {
  readonly run: number;
  readonly unit: number;
}

/** More than the longest character that people type, so that one at the cut is complete. */
const lookAhead = 64;
const characters = new Intl.Segmenter("und", { granularity: "grapheme" });

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

/** From a place on, so many units if there are as many. */
function from(runs: Rich, { run, unit }: Place, units: number): Rich {
  const slice: Run[] = [];
  let left = units;
  for (let at = run; at < runs.length && left > 0; at += 1) {
    const { text = "", marks = [] } = runs[at] ?? {};
    const start = at === run ? unit : 0;
    const taken = text.slice(start, start + left);
    slice.push({ text: taken, marks });
    left -= taken.length;
  }
  return slice;
}

/** The place so many units further on. */
function after(runs: Rich, { run, unit }: Place, units: number): Place {
  let [at, left] = [run, unit + units];
  for (;;) {
    const length = runs[at]?.text.length ?? Infinity;
    if (left < length) return { run: at, unit: left };
    left -= length;
    at += 1;
  }
}

/** The first so many units. */
function prefix(rich: Rich, units: number): Rich {
  const part: Run[] = [];
  let left = units;
  for (const { text, marks } of rich) {
    if (left <= 0) break;
    part.push({ text: text.slice(0, left), marks });
    left -= text.length;
  }
  return part;
}

function endOfPart(rest: Rich, { sizeMax, size }: RichLimits, expected: number): number {
  const text = visible(rest);
  const sizeOf = (units: number): number => size(prefix(rest, units));
  const longest = longestPrefix(text, { sizeMax, expected, sizeOf });
  if (longest === text.length) return longest;
  const fits = (end: number): boolean => sizeOf(end) <= sizeMax;
  const end = [
    text.lastIndexOf("\n\n", longest - 2) + 2,
    text.lastIndexOf("\n", longest - 1) + 1,
    lastSpace(text, longest) + 1,
  ].find((end) => end > longest / 2 && end <= longest && fits(end));
  if (end !== undefined) return end;
  // A character that is longer than a part has to be cut.
  const start = characters.segment(text).containing(longest)?.index || longest;
  return fits(start) ? start : longest;
}

/** What is not worth another look. */
const slack = 1 / 64;
const looksMax = 4;

interface Search {
  readonly sizeMax: number;
  readonly expected: number;
  sizeOf(units: number): number;
}

/** About how many units fit, never half a surrogate pair, and always at least one code point. */
function longestPrefix(text: string, { sizeMax, expected, sizeOf }: Search): number {
  let fitting = 0;
  let over = Math.min(text.length, sizeMax) + 1;
  // What may be the last part is tried whole.
  let next = text.length <= sizeMax ? text.length : Math.min(sizeMax, expected);
  for (let looks = 0; over - fitting > Math.max(1, fitting * slack); looks += 1) {
    const size = sizeOf(next);
    if (size <= sizeMax) fitting = next;
    else over = next;
    // Most texts count for as much everywhere; where they do not, halves come to an end.
    const guess = looks < looksMax ? (next * sizeMax) / size : (fitting + over) / 2;
    next = Math.min(Math.max(Math.floor(guess), fitting + 1), over - 1);
  }
  return Math.max(wholePair(text, fitting), firstCharacter(text).length);
}

/** The position itself, or the one before it inside a surrogate pair. */
function wholePair(text: string, at: number): number {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

function lastSpace(text: string, before: number): number {
  let at = before - 1;
  while (at >= 0 && !/\s/u.test(text[at] ?? "")) at -= 1;
  return at;
}
