import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown } from "./read.ts";
import { visible, type Rich } from "./runs.ts";

const plain = (text: string): Rich => [{ text, marks: [] }];

test("marks are read, nested, and each once", () => {
  assert.deepEqual(readMarkdown("a **b *c* ~~d~~** `e`"), [
    { text: "a ", marks: [] },
    { text: "b ", marks: ["bold"] },
    { text: "c", marks: ["bold", "italic"] },
    { text: " ", marks: ["bold"] },
    { text: "d", marks: ["bold", "strike"] },
    { text: " ", marks: [] },
    { text: "e", marks: ["code"] },
  ]);
  assert.deepEqual(readMarkdown("# **a** b"), [{ text: "a b", marks: ["bold"] }]);
});

test("blocks become lines with their original distance", () => {
  const cases: [markdown: string, seen: string][] = [
    [
      "# Plan\nBuy:\n- milk\n- eggs\n  - ten\n\nthen",
      "Plan\nBuy:\n• milk\n• eggs\n  • ten\n\nthen",
    ],
    ["3. c\n4. d", "3. c\n4. d"],
    ["1) a\n2) b", "1) a\n2) b"],
    ["- [ ] open\n- [x] done", "☐ open\n☑ done"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"],
    ["- ```\n  x\n  ```\n- y", "•\nx\n• y"],
    ["a  \nb\nc\n\n\n\nd", "a\nb\nc\n\nd"],
    ["> a\n>> b\n\nc", "a\nb\n\nc"],
    ["[1]: https://a.example\n\n[x][1]", "[1]: https://a.example\n\nx"],
  ];
  for (const [markdown, seen] of cases) assert.equal(visible(readMarkdown(markdown)), seen);
});

test("a fence keeps its text and its language, if that is one word", () => {
  assert.deepEqual(readMarkdown("```ts x\na < b\n\n  **c**\n```"), [
    { text: "a < b\n\n  **c**", marks: [{ pre: "ts" }] },
  ]);
  assert.deepEqual(readMarkdown('```"><b>\nx\n```'), [{ text: "x", marks: [{ pre: "" }] }]);
});

test("only a web address becomes a link, unless its label shows another address", () => {
  const link = "https://a.example/?q=1&r=2";
  assert.deepEqual(readMarkdown(`[a *b*](${link})`), [
    { text: "a ", marks: [{ link }] },
    { text: "b", marks: ["italic", { link }] },
  ]);
  assert.deepEqual(readMarkdown(`![photo](${link})`), [{ text: "photo", marks: [{ link }] }]);
  assert.deepEqual(readMarkdown(link), [{ text: link, marks: [{ link }] }]);
  assert.deepEqual(readMarkdown("me@a.example"), plain("me@a.example"));
  assert.deepEqual(readMarkdown("[me](mailto:me@a.example)"), plain("me (mailto:me@a.example)"));
  for (const address of ["javascript:x", "JAVASCRIPT:x", "vbscript:x", "data:x", "tg://x", "//x"]) {
    assert.deepEqual(readMarkdown(`[a](${address})`), plain(`a (${address})`));
  }
  assert.deepEqual(readMarkdown("[https://b.example](https://a.example)"), [
    { text: "https://b.example (", marks: [] },
    { text: "https://a.example", marks: [{ link: "https://a.example" }] },
    { text: ")", marks: [] },
  ]);
});

test("an address too long for a part is shown, not linked", () => {
  const long = `https://a.example/${"&".repeat(400)}`;
  assert.deepEqual(readMarkdown(`[a](${long})`), plain(`a (${long})`));
});

test("a text without visible content is shown as it was typed", () => {
  for (const text of ["```\n```", "[](<>)", "#", ">", "**"]) {
    assert.notEqual(visible(readMarkdown(text)).trim(), "", text);
  }
  assert.deepEqual(readMarkdown(""), []);
});

test("a text that is slow to parse is read as plain text", () => {
  const evil = ["*_a", "> ", "1. ", "[", "a**b", "- > ", "![", "`"];
  for (const text of evil.map((each) => each.repeat(20_000 / each.length))) {
    const solid = (from: string): string => from.replaceAll(/[^a1]/g, "");
    assert.equal(solid(visible(readMarkdown(text))), solid(text));
  }
  const long = "**가** ".repeat(200_000);
  assert.deepEqual(readMarkdown(long), plain(long));
});
