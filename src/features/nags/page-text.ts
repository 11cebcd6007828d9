import type { PageKind } from "./page.ts";

const clustersMax = 2_000;
/** A cluster may be of any length: both together fit into a message. */
const charsMax = 9_000;
const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** What is said of a page, as it is now: its words in plain text, each of them not too long. */
export function pageText({ title, body }: Pick<PageKind["body"], "title" | "body">): {
  title: string;
  body: string;
} {
  return { title: shortened(title.trim()), body: shortened(plain(body)) };
}

/** The same on lines, as a message. Empty when the page is. */
export function pageMessage(page: Pick<PageKind["body"], "title" | "body">): string {
  const { title, body } = pageText(page);
  return [title, body].filter((part) => part !== "").join("\n");
}

/** So many characters as people see them. */
function shortened(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length <= clustersMax) return whole;
  let [length, count] = [0, 0];
  for (const { segment } of clusters.segment(whole)) {
    if (count === clustersMax || length + segment.length > charsMax) break;
    length += segment.length;
    count += 1;
  }
  return whole.slice(0, length);
}

const entities: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

/** HTML as plain lines. What is written `&amp;lt;` reads `&lt;`: every entity is read once. */
function plain(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>|<\/div\s*>|<div(?:\s[^<>]*)?>/gi, "\n")
    .replaceAll(/<\/p\s*>/gi, "\n\n")
    .replaceAll(/<\/?[a-z][^<>]*>|<!--[^]*?-->/gi, "")
    .replaceAll(/&(?:nbsp|lt|gt|quot|#39|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
