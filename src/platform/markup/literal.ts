import { harmless, oneLine } from "../text.ts";

const shownMax = 200;

/** Foreign text on one line, escaped so that Markdown shows it literally. */
export function literal(text: string, charsMax: number = shownMax): string {
  return oneLine(text, charsMax).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** Foreign lines in a code fence. */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${harmless(text).trimEnd()}\n${fence}`;
}

const shortChars = 8;

/** The part of an id that people are shown and type. */
export function shortId(id: string): string {
  return id.slice(-shortChars);
}
