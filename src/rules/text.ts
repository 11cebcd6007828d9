/** What somebody typed, as it may be shown in a sentence: quoted, cut, and harmless to a terminal. */
export function quote(text: string): string {
  return `"${oneLine(text, 60).replaceAll('"', "'")}"`;
}

/** The text as it stands, but for what would move a terminal's cursor or make a line read as another. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "�");
}

/** The text on one line of at most so many characters. */
export function oneLine(text: string, charsMax: number): string {
  const flat = harmless(text.replaceAll(/\s+/gu, " "));
  const chars = Array.from(flat.trim());
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join("")}…` : chars.join("");
}
