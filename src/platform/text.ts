/** What somebody typed, as it may be shown in a sentence: quoted, cut, and harmless to a terminal. */
export function quote(text: string): string {
  return `"${oneLine(text, 60).replaceAll('"', "'")}"`;
}

/** The text as it stands, but for what would move a terminal's cursor or make a line read as another. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "�");
}

/** At most so many characters, whole ones. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text.toWellFormed();
  const chars = Array.from(text);
  return chars.length > charsMax
    ? `${chars.slice(0, charsMax - 1).join("")}…`
    : text.toWellFormed();
}

/** So many characters from one on, whole ones, and how many follow. */
export function partOf(
  text: string,
  offset: number,
  charsMax: number,
): { part: string; remaining: number } {
  const chars = Array.from(text);
  const end = Math.min(offset + charsMax, chars.length);
  return { part: chars.slice(offset, end).join("").toWellFormed(), remaining: chars.length - end };
}

/** The text on one line of at most so many characters. */
export function oneLine(text: string, charsMax: number): string {
  return cut(harmless(text.replaceAll(/\s+/gu, " ")).trim(), charsMax);
}

/** Text that is not a number stays text, so that the common input check reports it. */
export function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
