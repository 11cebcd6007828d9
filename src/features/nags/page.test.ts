import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { pageMessage, pageText, makePage, pageRecordId } from "./page.ts";
const bodyOf = (html: string): string => pageText({ title: "", body: html }).body;

describe("the text of a page", () => {
  const plain: Record<string, [string, string]> = {
    "turns breaks into lines": ["a<br>b<br/>c<BR />d", "a\nb\nc\nd"],
    "keeps paragraphs apart": ["<p>a</p><p>b</p>", "a\n\nb"],
    "turns divisions into lines": ["<div>a</div><div class='x'>b</div>", "a\n\nb"],
    "drops other tags": ['a <b>bold</b> <a href="x">link</a><img src=x> b', "a bold link b"],
    "drops comments": ["a<!-- <b>no</b> -->b", "ab"],
    "decodes entities": ["&lt;b&gt; &quot;x&quot; &#39;y&#39;&nbsp;&amp; z", "<b> \"x\" 'y' & z"],
    "decodes each entity once": ["&amp;lt;b&amp;gt; &amp;amp;", "&lt;b&gt; &amp;"],
    "keeps comparison signs": ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    "keeps two of many line breaks": ["a<br><br><br><br>b", "a\n\nb"],
    "keeps plain text": ["a\nb  c", "a\nb  c"],
  };
  for (const [name, [html, text]] of Object.entries(plain)) {
    test(name, () => assert.equal(bodyOf(html), text));
  }

  test("is cut after 2,000 grapheme clusters", () => {
    const family = "👩‍👩‍👧‍👦";
    const { title, body } = pageText({ title: "e\u0301".repeat(2_001), body: "a".repeat(2_001) });
    assert.equal(title.length, 4_000);
    assert.equal(body.length, 2_000);
    const { body: families } = pageText({ title: "", body: family.repeat(1_000) });
    assert.equal(families.length % family.length, 0, "none is cut in two");
  });

  test("fits into a message and is well-formed, whatever the page has", () => {
    const letters = fc.constantFrom(
      "a",
      "\u0301",
      "👩‍👧",
      "🇰🇷",
      "\ud83d",
      "한",
      "<p>",
      "&amp;",
      "\n",
    );
    const text = fc
      .array(letters, { maxLength: 6_000, minLength: 1_000 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (title, body) => {
        const message = pageMessage({ title, body });
        assert.ok(message.length <= 20_000);
        assert.ok(message.isWellFormed());
      }),
      { numRuns: 50 },
    );
  });

  test("of an empty page is an empty message", () => {
    assert.equal(pageMessage({ title: "  ", body: "<p> </p>" }), "");
    assert.equal(pageMessage({ title: "a", body: "" }), "a");
  });
});

describe("a page", () => {
  const page = (pageId: string, title = "t", body = "b") =>
    makePage("mina", { pageId, title, body });

  test("has a record id that follows from its owner and its client's id", () => {
    assert.equal(page("p1").id, pageRecordId("mina", "p1"));
    assert.notEqual(pageRecordId("mina", "p1"), pageRecordId("jun", "p1"));
    assert.notEqual(pageRecordId("a", "b:c"), pageRecordId("a:b", "c"));
  });

  test("needs an id of printable characters", () => {
    for (const pageId of ["", " ", "a\nb", "a\u0000", "\u202e", "x".repeat(201), " a"]) {
      assert.throws(() => page(pageId), { code: "invalid" }, JSON.stringify(pageId));
    }
    for (const pageId of ["1", "01J9Z-é 한", "x".repeat(200)])
      assert.doesNotThrow(() => page(pageId));
  });

  test("that is too large is refused", () => {
    assert.throws(() => page("p", "x".repeat(2_001)), { code: "too_large" });
    assert.throws(() => page("p", "t", "x".repeat(100_001)), { code: "too_large" });
    assert.doesNotThrow(() => page("p", "x".repeat(2_000), "x".repeat(100_000)));
  });
});
