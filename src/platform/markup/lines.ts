import type { Token } from "./nest.ts";
import { commonMarks, joined, preIn, type Mark, type Rich, type Run } from "./runs.ts";

/**
 * The lines of a text, for markup whose marks end with the line. Lines of code stand in one whole.
 * An empty line has an empty run, so that it is known to be in a quote.
 */
export function linesOf(rich: Rich): readonly Rich[] {
  const lines: Run[][] = [[]];
  for (const run of rich) {
    const texts = preIn(run.marks) === undefined ? run.text.split("\n") : [run.text];
    for (const [at, text] of texts.entries()) {
      if (at > 0) lines.push([]);
      lines.at(-1)?.push({ text, marks: run.marks });
    }
  }
  return lines;
}

/** Lines of code, with the empty ones at both ends outside, where they are not lost. */
export function codeRuns({ text, marks }: Run): Rich {
  const start = text.slice(0, text.length - text.trimStart().length).lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", Math.max(text.trimEnd().length, start));
  const code = { text: end === -1 ? text.slice(start) : text.slice(start, end), marks };
  return [
    { text: text.slice(0, start), marks: [] },
    code.text.trim() === "" ? { text: code.text, marks: [] } : code,
    { text: end === -1 ? "" : text.slice(end), marks: [] },
  ];
}

export function isQuoted(line: Rich): boolean {
  const first = line.find(({ text }) => text !== "");
  return (first === undefined ? line : [first]).some(({ marks }) => marks.includes("quote"));
}

/**
 * What stands in a line, which is quoted as a whole. A mark must not begin or end with a space:
 * spaces keep only the marks of both their neighbours.
 */
export function runsIn(line: Rich): Rich {
  const unquoted = line.map(({ text, marks }) => ({
    text,
    marks: marks.filter((mark) => mark !== "quote"),
  }));
  if (unquoted.every(({ marks }) => marks.length === 0)) return joined(unquoted);
  const pieces = unquoted.flatMap(edges).filter(({ text }) => text !== "");
  const before = neighbours(pieces);
  const after = neighbours(pieces.toReversed()).toReversed();
  return joined(
    pieces.map(({ text, marks }, at) => {
      if (text.trim() !== "") return { text, marks };
      const [some = [], others = []] = [before[at], after[at]];
      return { text, marks: some.slice(0, commonMarks(some, others)) };
    }),
  );
}

/** The spaces before it, what is solid, and the spaces after it. */
function edges({ text, marks }: Run): Rich {
  if (marks.length === 0 || preIn(marks) !== undefined) return [{ text, marks }];
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const texts = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  return texts.map((text) => ({ text, marks }));
}

/** For each piece, the marks of the last solid one before it. */
function neighbours(pieces: Rich): readonly (readonly Mark[])[] {
  let last: readonly Mark[] = [];
  return pieces.map(({ text, marks }) => {
    const before = last;
    if (text.trim() !== "") last = marks;
    return before;
  });
}

/** Takes no room. */
export const zeroWidth = "\u200B";

/**
 * The markup in one. A sign counts only beside a space, or where nothing stands; between others
 * stands what takes no room, so that each is read for itself.
 */
export function seamed(tokens: readonly Token[]): string {
  const pieces = tokens.filter(({ text }) => text !== "");
  return pieces
    .map((token, at) => {
      const before = pieces[at - 1];
      return before !== undefined && isSeam(before, token) ? zeroWidth + token.text : token.text;
    })
    .join("");
}

function isSeam(before: Token, after: Token): boolean {
  if (before.is === "close" && after.is === "open") return true;
  if (before.is === "text" && after.is === "open") return /\S$/u.test(before.text);
  return before.is === "close" && after.is === "text" && /^\S/u.test(after.text);
}

/** Lines of code between their fences. */
export function fenced(code: string, language = ""): string {
  const apart = code.replaceAll(/`(?=``)/g, `\`${zeroWidth}`);
  return `\`\`\`${language}\n${apart}${apart.endsWith("`") ? zeroWidth : ""}\`\`\``;
}
