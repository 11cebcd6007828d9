const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Hangul, Han, Kana and full-width forms: two columns each on a terminal. */
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const emoji = /\p{RGI_Emoji}|\p{Emoji_Presentation}/v;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const plain = /^[\x20-\x7E]*$/;

/** The columns of a terminal that a text takes: wide letters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The start of a text that takes at most so many columns, with "…" where it was cut. */
export function cutToWidth(text: string, columnsMax: number): string {
  if (widthOf(text) <= columnsMax) return text;
  let width = 0;
  let start = "";
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columnsMax - 1) break;
    start += segment;
  }
  return columnsMax < 1 ? "" : `${start.trimEnd()}…`;
}

function graphemeWidth(segment: string): number {
  if (plain.test(segment)) return segment.length;
  if (invisible.test(segment)) return 0;
  return wide.test(segment) || emoji.test(segment) ? 2 : 1;
}
