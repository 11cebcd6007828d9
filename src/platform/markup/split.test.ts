import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTelegramHtml } from "../../testing/chats/telegram-html.ts";
import { discordText } from "./discord.ts";
import { readMarkdown } from "./read.ts";
import { visible, type Mark, type Rich } from "./runs.ts";
import { slackText } from "./slack.ts";
import { splitRich } from "./split.ts";
import { telegramHtml } from "./telegram.ts";

const plain = (text: string): Rich => [{ text, marks: [] }];
const units = (part: Rich): number => visible(part).length;
const cut = (text: string, sizeMax: number): readonly string[] =>
  splitRich(plain(text), { sizeMax, size: units }).map(visible);

test("a part ends with a paragraph, else a line, else a word, and keeps the space after it", () => {
  assert.deepEqual(cut("one two\n\nthree\nfour five", 12), ["one two\n\n", "three\nfour ", "five"]);
  assert.deepEqual(cut("one two three", 8), ["one two ", "three"]);
  assert.deepEqual(cut("fits", 4), ["fits"]);
  assert.deepEqual(cut("", 4), []);
});

test("a text that fits is one part, however large the limit", () => {
  for (const sizeMax of [5, 64, 4_096, 1_000_000]) {
    assert.deepEqual(cut("short".repeat(sizeMax / 5), sizeMax).length, 1);
    assert.deepEqual(cut("short", sizeMax), ["short"]);
  }
});

test("a part is full, or nearly", () => {
  for (const text of [
    "<".repeat(50_000),
    "가".repeat(50_000),
    `${"a".repeat(9_000)}${"&".repeat(9_000)}`,
  ]) {
    const size = (part: Rich): number => telegramHtml(part).length;
    const parts = splitRich(plain(text), { sizeMax: 4_096, size });
    for (const part of parts.slice(0, -1)) assert.ok(size(part) > 4_000);
  }
});

test("an end in the first half is skipped", () => {
  assert.deepEqual(cut("a\n\nbcdefghijklmnop", 10), ["a\n\nbcdefgh", "ijklmnop"]);
});

test("a visible character is never cut where it fits, a surrogate pair never", () => {
  const family = "👨‍👩‍👧‍👦";
  assert.deepEqual(cut(`0123456${family}`, 12), ["0123456", family]);
  assert.deepEqual(cut(family, 3), ["👨‍", "👩‍", "👧‍", "👦"]);
  assert.deepEqual(cut("abe\u0301", 3), ["ab", "e\u0301"]);
  const marked: Rich = [
    { text: "abe", marks: ["bold"] },
    { text: "\u0301", marks: [] },
  ];
  const parts = splitRich(marked, { sizeMax: 3, size: units });
  assert.deepEqual(parts.map(visible), ["ab", "e\u0301"]);
});

test("marks continue in the next part", () => {
  const rich = readMarkdown("**one two _three four_ five**");
  const parts = splitRich(rich, { sizeMax: 30, size: (part) => telegramHtml(part).length });
  assert.deepEqual(parts.map(telegramHtml), [
    "<b>one two <i>three </i></b>",
    "<b><i>four</i> five</b>",
  ]);
});

test("the size of a part is its size as it is sent", () => {
  const parts = splitRich(plain("<".repeat(10)), {
    sizeMax: 20,
    size: (part) => telegramHtml(part).length,
  });
  assert.deepEqual(parts.map(telegramHtml), ["&lt;".repeat(5), "&lt;".repeat(5)]);
});

test("marks that would fill half a part are dropped, and the text stays", () => {
  const link = `https://a.example/${"x".repeat(100)}`;
  const rich: Rich = [{ text: "label of some length", marks: ["bold", { link }] }];
  const parts = splitRich(rich, { sizeMax: 60, size: (part) => telegramHtml(part).length });
  assert.deepEqual(parts, [plain("label of some length")]);
});

test("a text of 12,000 characters with a fence of 9,000 and emoji is complete, in order", () => {
  const line = "const 값 = 1 < 2 && '👨‍👩‍👧‍👦'; // **no**\n";
  const code = line.repeat(Math.ceil(9_000 / line.length));
  const around = "**굵은 글** _and_ [link](https://a.example/?a=1&b=2) 🇰🇷😀 e\u0301 `x < y`. ";
  const half = around.repeat(Math.ceil(1_500 / around.length));
  const rich = readMarkdown(`${half}\n\n\`\`\`ts\n${code}\`\`\`\n\n${half}`);
  const size = (part: Rich): number => telegramHtml(part).length;
  const parts = splitRich(rich, { sizeMax: 4_096, size });
  const shown = parts.map((part) => readTelegramHtml(telegramHtml(part)));
  assert.ok(shown.length > 3);
  assert.equal(shown.map(({ text }) => text).join(""), visible(rich));
  assert.ok(visible(rich).includes(code.trimEnd()));
  for (const [at, part] of parts.entries()) assert.ok(size(part) <= 4_096, `part ${at + 1}`);
  // The fence goes over several parts, and in each of them it is one.
  const fences = shown.flatMap(({ entities }) => entities.filter(({ type }) => type === "pre"));
  assert.ok(fences.length > 2);
  for (const { language } of fences) assert.equal(language, "ts");
  // A line of code is never cut where it fits.
  for (const part of parts.slice(1, -1)) assert.match(visible(part), /\n$/);
});

const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.constantFrom("bold", "italic", "strike", "code", "quote"),
  fc.record({ link: fc.constantFrom("https://a.example/x_y", 'https://b.example/?a&"b"|*') }),
  fc.record({ pre: fc.constantFrom("", "ts", "c#") }),
);
const text = fc.oneof(
  fc.constantFrom(
    "\n",
    "\n\n",
    " ",
    "가나다",
    "👨‍👩‍👧‍👦",
    "🇰🇷",
    "`",
    "```",
    "*",
    "_",
    "<!channel>",
    "> ",
  ),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const anyRich = fc.array(fc.record({ text, marks: fc.array(mark, { maxLength: 4 }) }), {
  maxLength: 30,
});

test("no text is lost, every part fits, and Telegram can read it", () => {
  fc.assert(
    fc.property(anyRich, fc.integer({ min: 60, max: 300 }), (rich, sizeMax) => {
      for (const write of [telegramHtml, slackText, discordText]) {
        const size = (part: Rich): number => write(part).length;
        const parts = splitRich(rich, { sizeMax, size });
        assert.equal(parts.map(visible).join(""), visible(rich));
        for (const part of parts) {
          assert.ok(size(part) <= sizeMax);
          assert.equal(visible(part).toWellFormed(), visible(part));
        }
      }
      assert.equal(readTelegramHtml(telegramHtml(rich)).text, visible(rich));
    }),
    { numRuns: 1_000 },
  );
});

test("a million characters or line ends are split quickly", () => {
  for (const text of ["가나다 ".repeat(250_000), "<&>\n".repeat(250_000), "\n".repeat(1_000_000)]) {
    for (const write of [telegramHtml, slackText, discordText]) {
      const size = (part: Rich): number => write(part).length;
      const parts = splitRich(readMarkdown(text), { sizeMax: 2_000, size });
      assert.equal(parts.map(visible).join(""), text);
    }
  }
});
