import { escapeAttribute, escapeHtml, nested, type Tags } from "./nest.ts";
import { joined, preIn, sober, type Mark, type Rich } from "./runs.ts";

/** The text as a whole small document. */
export function emailHtml(rich: Rich): string {
  const runs = rich.map(({ text, marks }) => ({ text, marks: sober(marks) }));
  const body = nested(joined(runs), tags)
    .map(({ text }) => text)
    .join("");
  return `<!doctype html><html><head><meta charset="utf-8"></head><body><div dir="auto" style="${style}">${body}</div></body></html>`;
}

/** Spaces at the beginning of a line count. */
const style = "white-space: pre-wrap";
const names = { bold: "b", italic: "i", strike: "s", code: "code", quote: "blockquote" } as const;

const tags: Tags = {
  open(mark: Mark) {
    if (typeof mark === "string") return `<${names[mark]}>`;
    // A line end right after <pre> would be lost; after <code> it is not.
    return "link" in mark ? `<a href="${escapeAttribute(mark.link)}">` : "<pre><code>";
  },
  close(mark: Mark) {
    if (typeof mark === "string") return `</${names[mark]}>`;
    return "link" in mark ? "</a>" : "</code></pre>";
  },
  text(text, marks) {
    const html = escapeHtml(text);
    // Some readers know no white-space.
    return preIn(marks) === undefined ? html.replaceAll("\n", "<br>") : html;
  },
};
