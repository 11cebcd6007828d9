import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTelegramHtml } from "./telegram-html.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

test("tags become entities, counted in UTF-16 units of the visible text", () => {
  const html =
    '😀<b>굵게 <i>둘</i></b> <a href="https://a.example/?x=&quot;1&quot;&amp;y">link</a>';
  assert.deepEqual(readTelegramHtml(html), {
    text: "😀굵게 둘 link",
    entities: [
      { type: "bold", offset: 2, length: 4 },
      { type: "italic", offset: 5, length: 1 },
      { type: "text_link", offset: 7, length: 4, url: 'https://a.example/?x="1"&y' },
    ],
  });
});

test("a code block has its language, and code without one is code", () => {
  assert.deepEqual(
    readTelegramHtml(
      '<pre><code class="language-ts">a &lt; b</code></pre><pre>c</pre><code>d</code>',
    ).entities,
    [
      { type: "pre", offset: 0, length: 5, language: "ts" },
      { type: "pre", offset: 5, length: 1 },
      { type: "code", offset: 6, length: 1 },
    ],
  );
});

test("character references are decoded, and unknown ones are kept", () => {
  assert.equal(
    readTelegramHtml("&lt;&gt;&amp;&quot;&#39;&#x1F600; &nbsp; &apos; & &#0;").text,
    "<>&\"'😀 &nbsp; &apos; & &#0;",
  );
});

/** Invalid HTML, and the service's error. */
const wrong: readonly [html: string, words: string][] = [
  ["가<x>", 'Unsupported start tag "x" at byte offset 3'],
  ["1 <2", "Unclosed start tag at byte offset 2"],
  ["1 < 2 > 3", 'Unsupported start tag "" at byte offset 2'],
  ["<!-- x -->", 'Unsupported start tag "!--" at byte offset 0'],
  ["<b", "Unclosed start tag at byte offset 0"],
  ["<b>x", 'Can\'t find end tag corresponding to start tag "b"'],
  ["x</b>", "Unexpected end tag at byte offset 1"],
  ["<b>x</b", "Unclosed end tag at byte offset 4"],
  ["<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
  [
    "<a href>x</a>",
    'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 3',
  ],
  ['<a href="x>y</a>', 'Unclosed start tag of the tag "a" at byte offset 3'],
  ["<a href=a:b>y</a>", "Unexpected end of name token at byte offset 9"],
  ["<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ["<code>a<b>b</b></code>", 'Tag "b" can\'t be inside of "code" at byte offset 7'],
  [
    "<blockquote>a<blockquote>b</blockquote></blockquote>",
    'Tag "blockquote" can\'t be inside of "blockquote" at byte offset 13',
  ],
];
for (const [html, words] of wrong) {
  test(`invalid HTML is refused with the service's error: ${html}`, () => {
    assert.throws(() => readTelegramHtml(html), { message: words });
  });
}

test("any escaped text is shown unchanged", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("<", ">", "&", "lt;", "#39;", '"'),
      fc.string({ unit: "grapheme" }),
    ),
  });
  fc.assert(
    fc.property(text, (text) => {
      assert.deepEqual(readTelegramHtml(escaped(text)), { text, entities: [] });
    }),
  );
});
