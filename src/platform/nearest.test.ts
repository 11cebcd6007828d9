import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { nearest, slipsBetween } from "./nearest.ts";

const known = ["remind", "touch", "list", "cancel", "explain", "start", "help"];

describe("the nearest word", () => {
  const table: [typed: string, meant: string | undefined][] = [
    ["remnd", "remind"],
    ["remindd", "remind"],
    ["erminD", "remind"],
    ["lsit", "list"],
    ["ls", undefined],
    ["cancle", "cancel"],
    ["explian", "explain"],
    ["restart", "start"],
    ["nosuch", undefined],
    ["LIST", "list"],
    ["banana", undefined],
    ["", undefined],
  ];
  for (const [typed, meant] of table) {
    test(`to ${JSON.stringify(typed)} is ${meant ?? "none"}`, () => {
      assert.equal(nearest(typed, known), meant);
    });
  }
  test("is found at once for a text as long as a book", () => {
    assert.equal(nearest("x".repeat(1_000_000), known), undefined);
  });
  test("is undefined for an empty list", () => {
    assert.equal(nearest("remind", []), undefined);
  });
});

describe("slips", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  test("are 0 from a word to itself, and the same in both directions", () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        assert.equal(slipsBetween(one, other) === 0, one === other);
        assert.equal(slipsBetween(one, other), slipsBetween(other, one));
      }),
    );
  });
  test("are at most the length of the longer word, and at least the difference", () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const slips = slipsBetween(one, other);
        assert.ok(slips <= Math.max(one.length, other.length));
        assert.ok(slips >= Math.abs(one.length - other.length));
      }),
    );
  });
  test("count a swap of neighbours as one", () => {
    assert.equal(slipsBetween("abcd", "abdc"), 1);
    assert.equal(slipsBetween("ab", "ba"), 1);
    assert.equal(slipsBetween("abc", "cba"), 2);
  });
});
