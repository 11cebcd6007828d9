import { codeRuns, isQuoted, linesOf, runsIn, fenced, seamed } from "./lines.ts";
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

/** The text in Slack's mrkdwn. */
export function slackText(rich: Rich): string {
  const seen = visible(rich);
  if (isPlain(rich) && !/[*_~`]/.test(seen)) return escaped(seen);
  return linesOf(joined(rich.flatMap(shaped)))
    .map((line) => {
      const runs = runsIn(line);
      const text = seamed(nested(runs, tagsFor(runs)));
      return isQuoted(line) ? `&gt; ${text}` : text;
    })
    .join("\n");
}

/** Takes no room and is no space: after it, a sign is not the first of its line. */
const joiner = "\u2060";
const signs = { bold: "*", italic: "_", strike: "~", code: "`", quote: "" } as const;
/** Inside a link nothing can be told to be literal: there it looks alike. */
const lookalikes: Readonly<Record<string, string>> = { "*": "∗", _: "ˍ", "~": "∼", "`": "ˋ" };

/** A link stands innermost, since nothing in it is formatted. Code cannot have its own sign in it. */
function shaped({ text, marks }: Run): Rich {
  const all = sober(marks);
  if (preIn(all) !== undefined) return codeRuns({ text, marks: all });
  const link = linkIn(all);
  const words = all.filter((mark) => typeof mark === "string");
  const kept = text.includes("`") ? words.filter((mark) => mark !== "code") : words;
  return [{ text, marks: link === undefined ? kept : [...kept, { link }] }];
}

function tagsFor(runs: Rich): Tags {
  const paired = pairedSigns(runs);
  const sign = (mark: Mark): string => (typeof mark === "string" ? signs[mark] : "");
  return {
    open: sign,
    close: sign,
    text(text, marks) {
      const literal = escaped(text);
      if (preIn(marks) !== undefined) return fenced(literal);
      if (marks.includes("code")) return literal;
      const inside = marks.map(sign).join("");
      const without = (write: (sign: string) => string): string =>
        literal.replaceAll(/[*_~`]/g, (found, at: number) => {
          const marks =
            inside.includes(found) || (paired.includes(found) && couldMark(literal, at));
          return marks ? write(found) : found;
        });
      const link = linkIn(marks);
      if (link === undefined) return without(asDate);
      const address = escaped(link).replaceAll("|", "%7C");
      if (text === link && !text.includes("|")) return `<${address}>`;
      return `<${address}|${without((found) => lookalikes[found] ?? found)}>`;
    },
  };
}

/** Signs of which a line has two: one alone marks nothing. */
function pairedSigns(runs: Rich): string {
  const used = runs.flatMap(({ marks }) => marks).filter((mark) => typeof mark === "string");
  const all = visible(runs);
  const isTwice = (sign: string): boolean => all.indexOf(sign) !== all.lastIndexOf(sign);
  const isUsed = (sign: string): boolean => used.some((mark) => signs[mark] === sign);
  return ["*", "_", "~", "`"].filter((sign) => isTwice(sign) || isUsed(sign)).join("");
}

/** Whether a sign stands where a mark can begin or end. */
function couldMark(text: string, at: number): boolean {
  const [before = "", after = ""] = [text[at - 1], text[at + 1]];
  const isLetter = (char: string): boolean => /[\p{L}\p{N}]/u.test(char);
  const isSpace = (char: string): boolean => /\s/u.test(char);
  if (text[at] === "`") return true;
  return (!isLetter(before) && !isSpace(after)) || (!isSpace(before) && !isLetter(after));
}

/** Slack has no escapes. The words of a date that cannot be read are the one text it never formats. */
function asDate(sign: string): string {
  return `<!date^00000000^{_}|${sign}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/^([^\S\n]*)&gt;/gm, `$1${joiner}&gt;`);
}
