import type { Token, Tokens } from "marked";
import { harmless } from "../text.ts";
import { withMark, type Mark, type Rich, type Run, visible } from "./runs.ts";

type Marks = readonly Mark[];
type Block =
  | Tokens.Blockquote
  | Tokens.Code
  | Tokens.Def
  | Tokens.HTML
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Table
  | Tokens.Text;
type Inline =
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Codespan
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Image
  | Tokens.Link
  | Tokens.Strong
  | Tokens.Tag
  | Tokens.Text;

/** Where a block stands: in a quote or not, and how far in. */
interface Place {
  readonly marks: Marks;
  readonly indent: string;
}

/** Blocks one below the other, as far apart as they were written. */
export function blockRuns(tokens: readonly Token[], place: Place): Rich {
  const runs: Run[] = [];
  let gap: string | undefined;
  for (const token of tokens) {
    if (token.type === "checkbox") continue;
    if (token.type === "space") {
      if (gap !== undefined) gap = "\n\n";
      continue;
    }
    if (gap !== undefined) runs.push({ text: gap, marks: place.marks });
    // Without extensions the lexer makes no others.
    runs.push(...blockOf(token as Block, place));
    gap = isParagraphEnd(token.raw) ? "\n\n" : "\n";
  }
  return runs;
}

function isParagraphEnd(raw: string): boolean {
  const after = raw.slice(raw.trimEnd().length);
  return after.indexOf("\n") !== after.lastIndexOf("\n");
}

function blockOf(token: Block, place: Place): Rich {
  const { marks } = place;
  switch (token.type) {
    case "heading":
      return inlineRuns(token.tokens, withMark(marks, "bold"));
    case "paragraph":
      return inlineRuns(token.tokens, marks);
    case "text":
      return token.tokens === undefined
        ? [{ text: token.raw, marks }]
        : inlineRuns(token.tokens, marks);
    case "code":
      return [{ text: token.text, marks: withMark(marks, { pre: languageOf(token.lang ?? "") }) }];
    case "blockquote":
      return blockRuns(token.tokens, { ...place, marks: withMark(marks, "quote") });
    case "list":
      return token.items.flatMap((item, at) => [
        { text: `${at === 0 ? "" : "\n"}${place.indent}${bulletOf(token, item, at)}`, marks },
        ...blockRuns(item.tokens, { marks, indent: `${place.indent}  ` }),
      ]);
    case "table":
      return tableRuns(token, marks);
    case "hr":
      return [{ text: "———", marks }];
    case "html":
    case "def":
      // As it was written.
      return [{ text: token.raw.trimEnd(), marks }];
  }
}

/** The first word after the fence, if it can be one. */
function languageOf(info: string): string {
  return /^[\w+#.-]{1,32}(?=\s|$)/.exec(info)?.[0] ?? "";
}

function bulletOf(list: Tokens.List, item: Tokens.ListItem, at: number): string {
  const number = `${Number(list.start) + at}${/^\s*\d+\)/.test(item.raw) ? ")" : "."}`;
  const box = item.checked === true ? "☑" : "☐";
  const bullet = item.task ? box : list.ordered ? number : "•";
  // Lines of code begin on a line of their own.
  return `${bullet}${item.tokens[0]?.type === "code" ? "\n" : " "}`;
}

function tableRuns({ header, rows }: Tokens.Table, marks: Marks): Rich {
  const row = (cells: readonly Tokens.TableCell[], inner: Marks): Rich =>
    cells.flatMap(({ tokens }, at) => [
      { text: at === 0 ? "" : " | ", marks },
      ...inlineRuns(tokens, inner),
    ]);
  const lines = rows.flatMap((cells) => [{ text: "\n", marks }, ...row(cells, marks)]);
  return [...row(header, withMark(marks, "bold")), ...lines];
}

function inlineRuns(tokens: readonly Token[], marks: Marks): Rich {
  return tokens.flatMap((token) => inlineOf(token as Inline, marks));
}

function inlineOf(token: Inline, marks: Marks): Rich {
  switch (token.type) {
    case "strong":
      return inlineRuns(token.tokens, withMark(marks, "bold"));
    case "em":
      return inlineRuns(token.tokens, withMark(marks, "italic"));
    case "del":
      return inlineRuns(token.tokens, withMark(marks, "strike"));
    case "codespan":
      return [{ text: token.text, marks: withMark(marks, "code") }];
    case "escape":
      return [{ text: token.text, marks }];
    case "br":
      return [{ text: "\n", marks }];
    case "link":
      return linkRuns(inlineRuns(token.tokens, marks), token.href, marks);
    case "image":
      return linkRuns([{ text: token.text || token.href, marks }], token.href, marks);
    case "checkbox":
      return [];
    case "html":
    case "text":
      // Not its `text`: there some of what is written like &#60; is read, and some is not.
      return [{ text: token.raw, marks }];
  }
}

/** What an address may take in the narrowest markup, so that it leaves room for its label. */
const sizeMax = 1_500;
const shape = /^https?:\/\/[^\s\p{C}<>`\\]+$/iu;

/**
 * A label that leads to an address. What is no address on the web does not become a link, and where
 * the label could pass for another address, or would break a link, the real one is shown beside it.
 */
function linkRuns(label: Rich, address: string, marks: readonly Mark[]): Rich {
  const text = visible(label);
  const isShown = text === address || `mailto:${text}` === address || address === "";
  const link = isLink(address) ? { link: address } : undefined;
  const isPlain = text === address || !/:\/\/|[[\]]/.test(text);
  if (link !== undefined && isPlain && text.trim() !== "") {
    return label.map((run) => ({ text: run.text, marks: withMark(run.marks, link) }));
  }
  if (isShown) return label;
  const beside = link === undefined ? marks : withMark(marks, link);
  return [
    ...label,
    { text: text === "" ? "(" : " (", marks },
    { text: harmless(address).toWellFormed(), marks: beside },
    { text: ")", marks },
  ];
}

function isLink(address: string): boolean {
  const escapes = address.match(/[&"]/g)?.length ?? 0;
  const size = address.length + escapes * "&quot;".length;
  return size <= sizeMax && shape.test(address) && URL.canParse(address);
}
