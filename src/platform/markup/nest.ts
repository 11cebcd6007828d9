import { commonMarks, type Mark, type Rich } from "./runs.ts";

/** A piece of markup. */
export interface Token {
  readonly is: "open" | "close" | "text";
  readonly text: string;
}

/** How a kind of markup writes. */
export interface Tags {
  open(mark: Mark): string;
  close(mark: Mark): string;
  text(text: string, marks: readonly Mark[]): string;
}

/** The text in markup: every mark is closed inside the one that was opened before it. */
export function nested(rich: Rich, tags: Tags): readonly Token[] {
  const tokens: Token[] = [];
  let open: readonly Mark[] = [];
  const turnTo = (marks: readonly Mark[]): void => {
    const kept = commonMarks(open, marks);
    for (const mark of open.slice(kept).toReversed()) {
      tokens.push({ is: "close", text: tags.close(mark) });
    }
    for (const mark of marks.slice(kept)) tokens.push({ is: "open", text: tags.open(mark) });
    open = marks;
  };
  for (const { text, marks } of rich) {
    if (text === "") continue;
    turnTo(marks);
    tokens.push({ is: "text", text: tags.text(text, marks) });
  }
  turnTo([]);
  return tokens;
}

/** A text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text in the quotes of an attribute. */
export function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', "&quot;");
}
