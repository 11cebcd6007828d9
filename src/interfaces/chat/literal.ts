import { harmless, oneLine } from "../../platform/text.ts";

const shownMax = 200;

/** A text of somebody else's on one line, as Markdown that shows it as it stands. */
export function literal(text: string, charsMax: number = shownMax): string {
  return oneLine(text, charsMax).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** Lines of somebody else's, as they stand. */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${harmless(text).trimEnd()}\n${fence}`;
}

const shortChars = 8;

/** The part of an id that people are shown and type. */
export function short(id: string): string {
  return id.slice(-shortChars);
}
