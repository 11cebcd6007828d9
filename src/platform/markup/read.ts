import { Lexer, type Token } from "marked";
import { harmless } from "../text.ts";
import { blockRuns } from "./blocks.ts";
import { joined, visible, type Rich } from "./runs.ts";

/** What a message can have. What is longer is read as plain text: the lexer could take its square. */
const charsMax = 20_000;
/** Signs in one paragraph. The time that the lexer takes grows with their cube. */
const signsMax = 1_000;
/** Quotes and lists in each other, on one line: the lexer goes into each. */
const deep = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){20}/m;

/**
 * Reads Markdown, in which people also write plain text: nothing that was written is lost but the
 * signs that mark something, and HTML stands for itself. Any text can be read.
 */
export function readMarkdown(text: string): Rich {
  const source = harmless(text.toWellFormed().replaceAll(/\r\n?/g, "\n"));
  const plain = joined([{ text: source, marks: [] }]);
  if (source.length > charsMax || deep.test(source)) return plain;
  try {
    const rich = joined(blockRuns(tokensOf(source), { marks: [], indent: "" }));
    return visible(rich).trim() === "" ? plain : rich;
  } catch {
    // The lexer gives up on some texts, and nests others deeper than the stack.
    return plain;
  }
}

function tokensOf(source: string): readonly Token[] {
  const lexer = new Lexer({ gfm: true });
  const tokens = lexer.blockTokens(source);
  for (const { src, tokens } of lexer.inlineQueue) {
    const isDense = (src.match(/[*_~`[<]/g)?.length ?? 0) > signsMax;
    if (isDense) tokens.push({ type: "text", raw: src, text: src });
    else lexer.inlineTokens(src, tokens);
  }
  return tokens;
}
