/** A person's input for use in a sentence: quoted, cut, and harmless to a terminal. */
export function quote(text: string): string {
  return `"${oneLine(text, 60).replaceAll('"', "'")}"`;
}

/** The text without characters that move a terminal's cursor or change the reading direction. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "�");
}

/** The first characters of a text; no character is cut in half. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text.toWellFormed();
  const chars = Array.from(text);
  return chars.length > charsMax
    ? `${chars.slice(0, charsMax - 1).join("")}…`
    : text.toWellFormed();
}

/** The same, counted in UTF-16 units. */
export function cutUnits(text: string, unitsMax: number): string {
  const plain = text.toWellFormed();
  if (plain.length <= unitsMax) return plain;
  return `${plain.slice(0, unitsMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A window of complete characters, and how many follow. */
export function partOf(
  text: string,
  offset: number,
  charsMax: number,
): { part: string; remaining: number } {
  const chars = Array.from(text);
  const end = Math.min(offset + charsMax, chars.length);
  return { part: chars.slice(offset, end).join("").toWellFormed(), remaining: chars.length - end };
}

/** The text on one line, cut to `charsMax`. */
export function oneLine(text: string, charsMax: number): string {
  return cut(harmless(text.replaceAll(/\s+/gu, " ")).trim(), charsMax);
}

/** Text that is not a number stays text, so that the common input check reports it. */
export function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
