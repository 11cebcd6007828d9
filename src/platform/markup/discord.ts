import { codeRuns, isQuoted, linesOf, runsIn, fenced, seamed, zeroWidth } from "./lines.ts";
import { nested, type Tags } from "./nest.ts";
import {
  isPlain,
  joined,
  linkIn,
  preIn,
  sober,
  visible,
  type Mark,
  type Rich,
  type Run,
} from "./runs.ts";

/** The text in Discord's Markdown. */
export function discordText(rich: Rich): string {
  if (isPlain(rich)) return literal(visible(rich));
  return linesOf(joined(rich.flatMap(shaped)))
    .map((line) => `${isQuoted(line) ? "> " : ""}${seamed(nested(runsIn(line), tags))}`)
    .join("\n");
}

/** What cannot be shown under a mark is shown without it. */
function shaped({ text, marks }: Run): Rich {
  const all = sober(marks);
  if (preIn(all) !== undefined) return codeRuns({ text, marks: all });
  const link = linkIn(all);
  const words = all.filter((mark) => typeof mark === "string");
  if (link === undefined) {
    // These two end at their own sign, escaped or not.
    const isEnded = (mark: Mark): boolean =>
      (mark === "code" && text.includes("`")) || (mark === "strike" && text.includes("~"));
    return [{ text, marks: words.filter((mark) => !isEnded(mark)) }];
  }
  // A label that is another address, or has brackets, makes no link there.
  if (text !== link && /:\/\/|[[\]]/.test(text)) return [{ text, marks: words }];
  // Around a link, only what its address cannot end.
  const around = words.filter(
    (mark) => mark === "quote" || (mark === "bold" && !link.includes("*")),
  );
  return [{ text, marks: [...around, { link }] }];
}

const signs = { bold: "**", italic: "_", strike: "~~", code: "`", quote: "" } as const;
const sign = (mark: Mark): string => (typeof mark === "string" ? signs[mark] : "");

const tags: Tags = {
  open: sign,
  close: sign,
  text(text, marks) {
    const language = preIn(marks);
    if (language !== undefined) return fenced(text, /^[\w+-]*$/.test(language) ? language : "");
    if (marks.includes("code")) return text;
    const link = linkIn(marks);
    if (link === undefined) return literal(text);
    return text === link ? `<${link}>` : `[${literal(text)}](<${link}>)`;
  },
};

function literal(text: string): string {
  return (
    text
      .replaceAll(/[\\*_~`|<[\]]/g, String.raw`\$&`)
      .replaceAll(/^([^\S\n]*)([-+#>])/gm, String.raw`$1\$2`)
      .replaceAll(/^([^\S\n]*\d+)([.)])/gm, String.raw`$1\$2`)
      // Whom a message calls is looked for before what is escaped in it.
      .replaceAll(/@(?=everyone|here|[!&]?\d)/g, `@${zeroWidth}`)
  );
}
