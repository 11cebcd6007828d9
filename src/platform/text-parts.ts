/** The limits of one part. */
export interface PartLimits {
  readonly sizeMax: number;
  /** The size of a text: at least one for each UTF-16 unit. Default: its length. */
  size?(text: string): number;
}

/**
 * A text in parts that fit. A part ends with a paragraph, a line or a word if one of these ends in
 * its second half, else between two characters as people see them. White space at a cut is dropped;
 * nothing else is lost. The same text gives the same parts.
 */
export function textParts(text: string, limits: PartLimits): readonly string[] {
  const whole = text.toWellFormed();
  const size = limits.size ?? ((part: string) => part.length);
  const parts: string[] = [];
  let rest = whole;
  while (size(rest.slice(0, limits.sizeMax + 1)) > limits.sizeMax) {
    const end = endOfPart(rest, longestPrefix(rest, limits.sizeMax, size));
    const part = rest.slice(0, end).trimEnd();
    if (part !== "") parts.push(part);
    rest = rest.slice(end).trimStart();
  }
  return rest === "" && parts.length > 0 ? parts : [...parts, rest];
}

/** How many units fit, never half a surrogate pair, and always at least one code point. */
function longestPrefix(text: string, sizeMax: number, size: (text: string) => number): number {
  let fits = 0;
  let over = Math.min(text.length, sizeMax) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (size(text.slice(0, middle)) <= sizeMax) fits = middle;
    else over = middle;
  }
  return Math.max(beforePair(text, fits), text.codePointAt(0) === text.charCodeAt(0) ? 1 : 2);
}

/** The position itself, or the one before it inside a surrogate pair. */
function beforePair(text: string, at: number): number {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The preferred ends of a part, best first. */
const ends = [/\n\s*\n/g, /\n/g, /\s/g];
/** More than the longest character that people type, so that one at the cut is complete. */
const lookAhead = 64;
const characters = new Intl.Segmenter("und", { granularity: "grapheme" });

function endOfPart(text: string, longest: number): number {
  // The white space after the longest part may be its best end.
  const window = text.slice(0, longest + 1);
  for (const end of ends) {
    const at = [...window.matchAll(end)].at(-1)?.index ?? 0;
    if (at > longest / 2) return at;
  }
  const seen = characters.segment(text.slice(0, longest + lookAhead));
  // A character that is longer than a part has to be cut.
  return seen.containing(longest)?.index || longest;
}
