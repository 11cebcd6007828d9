import { escapeAttribute, escapeHtml, nested, type Tags } from "./nest.ts";
import { joined, sober, type Mark, type Rich } from "./runs.ts";

/** The text in the HTML that Telegram reads. */
export function telegramHtml(rich: Rich): string {
  const runs = rich.map(({ text, marks }) => ({ text, marks: sober(marks) }));
  return nested(joined(runs), tags)
    .map(({ text }) => text)
    .join("");
}

const names = { bold: "b", italic: "i", strike: "s", code: "code", quote: "blockquote" } as const;

const tags: Tags = {
  open(mark: Mark) {
    if (typeof mark === "string") return `<${names[mark]}>`;
    if ("link" in mark) return `<a href="${escapeAttribute(mark.link)}">`;
    const language = escapeAttribute(mark.pre);
    return language === "" ? "<pre>" : `<pre><code class="language-${language}">`;
  },
  close(mark: Mark) {
    if (typeof mark === "string") return `</${names[mark]}>`;
    if ("link" in mark) return "</a>";
    return mark.pre === "" ? "</pre>" : "</code></pre>";
  },
  text: escapeHtml,
};
