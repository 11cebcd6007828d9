import { readMarkdown } from "../../platform/markup/read.ts";
import { visible, type Rich } from "../../platform/markup/runs.ts";
import { splitRich } from "../../platform/markup/split.ts";

/** A part of an answer: as it is sent, and as it is seen. */
export interface Written {
  readonly text: string;
  readonly plain: string;
}

/** An answer in parts that a service takes. */
export function written(
  markdown: string,
  sizeMax: number,
  write: (rich: Rich) => string,
): readonly Written[] {
  const size = (part: Rich): number => write(part).length;
  return splitRich(readMarkdown(markdown), { sizeMax, size })
    .map((part) => ({ text: write(part), plain: visible(part) }))
    .filter(({ plain }) => plain.trim() !== "");
}

/** Somebody else's text without formatting, as a service shows it. */
export function writtenPlain(text: string, write: (rich: Rich) => string): string {
  return write([{ text, marks: [] }]);
}
