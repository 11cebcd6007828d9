import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readDiscord } from "../../testing/chats/discord-text.ts";
import { readMrkdwn } from "../../testing/chats/slack-text.ts";
import { readTelegramHtml } from "../../testing/chats/telegram-html.ts";
import { discordText } from "./discord.ts";
import { emailHtml } from "./email.ts";
import { readMarkdown } from "./read.ts";
import { visible, type Rich } from "./runs.ts";
import { slackText } from "./slack.ts";
import { splitRich } from "./split.ts";
import { telegramHtml } from "./telegram.ts";

interface Markup {
  readonly sizeMax: number;
  write(rich: Rich): string;
  /** What people see of what was written. */
  read(markup: string): string;
}

const markups: Readonly<Record<string, Markup>> = {
  telegram: { sizeMax: 4_096, write: telegramHtml, read: (html) => readTelegramHtml(html).text },
  slack: { sizeMax: 3_000, write: slackText, read: (text) => readMrkdwn(text).text },
  discord: { sizeMax: 2_000, write: discordText, read: readAsDiscord },
  email: { sizeMax: 100_000, write: emailHtml, read: readEmail },
};

/** What a client of Discord makes of a text, first rule first. */
const rules: readonly RegExp[] = [
  /\\([^0-9A-Za-z\s])/y,
  /```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][\s\S]*?)\n*```/iy,
  /(?<tick>`+)([\s\S]*?[^`])\k<tick>(?!`)/y,
  /\[((?:\\.|[^[\]\\])+)\]\(<https?:[^\s<>]+>\)/y,
  /<(https?:[^\s<>]+)>/y,
  /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y,
  /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y,
  /_((?:__|\\[\s\S]|[^\\_])+?)_(?![\p{L}\p{N}_])/uy,
  /\*(?=\S)((?:\*\*|\s+(?:[^*\s]|\*\*)|[^\s*])+?)\*(?!\*)/y,
  /~~([\s\S]+?)~~(?!_)/y,
  /\|\|([\s\S]+?)\|\|/y,
];
const verbatim = 5;

function readAsDiscord(source: string): string {
  let text = "";
  for (let at = 0; at < source.length;) {
    if (at === 0 || source[at - 1] === "\n") {
      at += /^(?:> |>>> |#{1,3} |-# )/.exec(source.slice(at, at + 4))?.[0].length ?? 0;
    }
    const [found, rule] = firstRule(source, at);
    const inner = found[rule === 2 ? 2 : 1] ?? found[0];
    text += rule < verbatim && rule !== 3 ? inner : readAsDiscord(inner);
    at += found[0].length;
  }
  return text.replaceAll(/[\u200B\u2060]/g, "");
}

/** What stands there; a character by itself if no rule takes it. */
function firstRule(
  source: string,
  at: number,
): [found: readonly [string, ...string[]], rule: number] {
  for (const [index, rule] of rules.entries()) {
    rule.lastIndex = at;
    const found = rule.exec(source);
    if (found !== null) return [[found[0], ...found.slice(1)], index];
  }
  return [[source[at] ?? ""], -1];
}

function readEmail(html: string): string {
  const [, body = ""] =
    /^<!doctype html>.*<div [^>]*>(.*)<\/div><\/body><\/html>$/s.exec(html) ?? [];
  const open: string[] = [];
  const text = body.replaceAll(
    /<(\/?)(\w+)(?: href="[^"<>]*")?>/g,
    (_, slash: string, tag: string) => {
      if (tag === "br") return "\n";
      if (slash === "") open.push(tag);
      else assert.equal(open.pop(), tag);
      return "";
    },
  );
  assert.deepEqual(open, []);
  assert.doesNotMatch(text, /[<>]/);
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** What takes no room is not seen; and inside a link Slack is given signs that are only alike. */
function seen(text: string): string {
  const signs: Record<string, string> = { "∗": "*", ˍ: "_", "∼": "~", ˋ: "`" };
  return text
    .replaceAll(/[\u200B\u2060]/g, "")
    .replaceAll(/[∗ˍ∼ˋ]/g, (found) => signs[found] ?? found);
}

/** Nothing is meant by these but what they are. */
const literal = [
  "<b>bold</b> </code> </pre> <i",
  "&lt; &amp;lt; &#60; &#x202e; &nbsp; &",
  "<!channel> <!here|x> <@U1> <#C1> <!date^1^{date}|x>",
  "@everyone @here <@1> <@!1> <@&2> </cmd:1> <t:1:R>",
  "<script>alert(1)</script><!-- x -->",
  String.raw`\x C:\new\table "q" 'q' $(id) %s {{x}}`,
  "snake_case_name 2 * 3 * 4 ~5 ~ 6 a|b ||c",
  "[회의]: 장소 변경",
  "1) 2026-01-02 -- #tag +1",
  "가나다 👨‍👩‍👧‍👦 e\u0301 🇰🇷",
];

/** Something is meant by these, or could be taken to be. */
const meant: readonly (readonly [markdown: string, seen: string])[] = [
  ["[x](javascript:alert(1))", "x (javascript:alert(1))"],
  ["[a](data:text/html,<b>) [b]() [c](/etc)", "a (data:text/html,<b>) b c (/etc)"],
  ['[x](https://a.example/"onclick="x)', "x"],
  ["[https://good.example](https://evil.example)", "https://good.example (https://evil.example)"],
  [String.raw`\*not\* \_it\_ \~\~ \\ \[x\](y) \> \# \``, "*not* _it_ ~~ \\ [x](y) > # `"],
  [String.raw`\*a\* *b* **\*c\*** _\_d\__ \~e\~ ~~f~~`, "*a* b *c* _d_ ~e~ f"],
  [String.raw`[\*x\* \`y\`](https://a.example)`, "*x* `y`"],
  [
    "\\> not a quote\n\\# nor a head\n\\- nor\n1\\. one",
    "> not a quote\n# nor a head\n- nor\n1. one",
  ],
  ["``a ` b`` ```c```", "a ` b c"],
  ["````\n```\n``` x\n````", "```\n``` x"],
  ["~~~c#\n<!channel> *x* @everyone &lt;\n~~~", "<!channel> *x* @everyone &lt;"],
  ["evil \u202Egpj.exe \u2066x\u2069 \u0000\u001B[2J", "evil �gpj.exe �x� ��[2J"],
  ["half \uD83D and \uDE00", "half � and �"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["> *a*\n> <!channel>\n>\n> b\n\nc", "a\n<!channel>\n\nb\n\nc"],
  ["**굵게**는 *기울여*서 ~~지워~~도 `코드`가", "굵게는 기울여서 지워도 코드가"],
  ["***a** b* **c *d***", "a b c d"],
  ["**a**~~b~~*c*`d`[e](https://a.example)", "abcde"],
];

for (const [name, { write, read }] of Object.entries(markups)) {
  test(`${name}: signs that are not markup arrive as they were typed`, () => {
    for (const text of literal) assert.equal(read(write(readMarkdown(text))), text);
  });
  test(`${name}: markup arrives without its signs, and nothing else is lost`, () => {
    for (const [text, shown] of meant) assert.equal(seen(read(write(readMarkdown(text)))), shown);
  });
}

test("no text mentions a person or links to a forbidden address", () => {
  for (const text of [...literal, ...meant.map(([markdown]) => markdown)]) {
    const rich = readMarkdown(text);
    const slack = readMrkdwn(slackText(rich));
    // The words of a date are how a sign is literal there.
    assert.deepEqual(
      slack.pings.filter((ping) => !ping.startsWith("!date^00000000^")),
      [],
    );
    const { pings, links } = readDiscord(discordText(rich));
    assert.deepEqual(pings, []);
    for (const link of [...links, ...slack.links]) assert.match(link, /^https:/);
  }
});

const word = fc.oneof(
  fc.constantFrom(
    "a",
    "단어",
    "회의",
    "👨‍👩‍👧‍👦",
    "🇰🇷",
    "e\u0301",
    "x_y",
    "2",
    "<b>",
    "&lt;",
    "@here",
    "\uD800",
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((each) => each.join(" "));
/** Signs without any sense. */
const soup = fc
  .array(
    fc.oneof(
      word,
      fc.constantFrom(
        ..."* ** _ __ ~ ~~ ` ``` [ ]( ) ![ > # - + 1. | < & \\ @ : ! \n \n\n".split(" "),

        " ",
        "  \n",
        "    ",
        "\t",
        "\n> ",
        "\n- ",
        "\n  - ",
        "\n```js\n",
        "|-|-|\n",
        "[x](https://a.b/c_d)",
      ),
    ),
    { maxLength: 60 },
  )
  .map((each) => each.join(""));
const { block } = fc.letrec<{ inline: string; block: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 4 },
    words,
    fc
      .tuple(fc.constantFrom("**", "*", "_", "~~", "`", "***"), tie("inline"))
      .map(([sign, inner]) => `${sign}${inner}${sign}`),
    tie("inline").map((inner) => `[${inner}](https://a.example/x_y?a=1&b="2")`),
    fc
      .tuple(tie("inline"), fc.constantFrom("", " ", "\n"), tie("inline"))
      .map((each) => each.join("")),
  ),
  block: fc.oneof(
    { maxDepth: 4 },
    tie("inline"),
    tie("inline").map((inner) => `# ${inner}`),
    tie("block").map((inner) => inner.replaceAll(/^/gm, "> ")),
    tie("block").map((inner) => `- ${inner.replaceAll("\n", "\n  ")}\n- [x] ${inner.length}`),
    fc
      .tuple(fc.constantFrom("", "ts", "c#", "x y"), soup)
      .map(([info, code]) => `\`\`\`${info}\n${code}\n\`\`\``),
    tie("inline").map((inner) => `| a | ${inner} |\n|---|---|\n| 1 | ${inner} |`),
    fc.tuple(tie("block"), tie("block")).map(([one, other]) => `${one}\n\n${other}`),
  ),
}));
const markdown = fc.oneof(soup, block, fc.string({ unit: "binary", maxLength: 80 }));

for (const [name, { sizeMax: most, write, read }] of Object.entries(markups)) {
  test(`${name}: every part of any Markdown fits and reads as its visible text`, () => {
    fc.assert(
      fc.property(
        markdown,
        fc.oneof(fc.integer({ min: 250, max: 600 }), fc.constant(most)),
        (text, sizeMax) => {
          const rich = readMarkdown(text);
          const parts = splitRich(rich, { sizeMax, size: (part) => write(part).length });
          assert.equal(parts.map(visible).join(""), visible(rich));
          if (write(rich).length <= sizeMax) assert.ok(parts.length <= 1);
          for (const part of parts) {
            const written = write(part);
            assert.ok(written.length <= sizeMax, `${written.length} is over ${sizeMax}`);
            assert.ok(written.isWellFormed());
            assert.equal(seen(read(written)), seen(visible(part)));
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
}
