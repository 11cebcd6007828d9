import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { textParts } from "./text-parts.ts";

test("a text that fits is one part, unchanged", () => {
  assert.deepEqual(textParts("  hi \n\n there ", { sizeMax: 14 }), ["  hi \n\n there "]);
  assert.deepEqual(textParts("", { sizeMax: 5 }), [""]);
});

test("a part ends with a paragraph, else a line, else a word", () => {
  const cases: [text: string, parts: string[]][] = [
    ["one two\n\nthree\nfour five", ["one two", "three\nfour", "five"]],
    ["one two\nthree four", ["one two", "three four"]],
    ["one two three four", ["one two", "three four"]],
    ["exactly ten!", ["exactly", "ten!"]],
    ["0123456789 12", ["0123456789", "12"]],
  ];
  for (const [text, parts] of cases) assert.deepEqual(textParts(text, { sizeMax: 10 }), parts);
});

test("an end in the first half is skipped: parts are not crumbs", () => {
  assert.deepEqual(textParts("a\n\nbcdefghijklmnop", { sizeMax: 10 }), [
    "a\n\nbcdefgh",
    "ijklmnop",
  ]);
});

test("a visible character is not cut where it fits", () => {
  const family = "👨‍👩‍👧‍👦";
  assert.equal(family.length, 11);
  assert.deepEqual(textParts(`0123456${family}`, { sizeMax: 12 }), ["0123456", family]);
  assert.deepEqual(textParts("가나다라마", { sizeMax: 2 }), ["가나", "다라", "마"]);
  assert.deepEqual(textParts("abe\u0301", { sizeMax: 3 }), ["ab", "e\u0301"]);
});

test("a character longer than a part is cut, but never inside a surrogate pair", () => {
  assert.deepEqual(textParts("👨‍👩‍👧‍👦", { sizeMax: 3 }), ["👨‍", "👩‍", "👧‍", "👦"]);
});

test("the size can be counted in bytes", () => {
  const size = (text: string): number => Buffer.byteLength(text);
  assert.deepEqual(textParts("가나다라마바", { sizeMax: 10, size }), ["가나다", "라마바"]);
});

test("every part fits, and nothing but white space is lost", () => {
  const piece = fc.oneof(
    fc.constantFrom(" ", "\n", "\n\n", "\t", "가", "나다", "😀", "👨‍👩‍👧", "e\u0301", "🇰🇷", "\uD800"),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  const sizes = [(part: string) => part.length, (part: string) => Buffer.byteLength(part)];
  const solid = (from: string): string => from.toWellFormed().replaceAll(/\s/g, "");
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 4, max: 40 }),
      fc.constantFrom(...sizes),
      (text, sizeMax, size) => {
        const parts = textParts(text, { sizeMax, size });
        assert.ok(parts.length > 0);
        for (const part of parts) {
          assert.ok(size(part) <= sizeMax, `${JSON.stringify(part)} is over ${sizeMax}`);
          assert.ok(part.isWellFormed());
          if (parts.length > 1) assert.notEqual(part.trim(), "");
        }
        assert.equal(solid(parts.join("")), solid(text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a text of a million characters is split quickly", () => {
  const size = (text: string): number => Buffer.byteLength(JSON.stringify(text));
  const parts = textParts("가".repeat(1_000_000), { sizeMax: 4_000, size });
  assert.equal(parts.join("").length, 1_000_000);
});
