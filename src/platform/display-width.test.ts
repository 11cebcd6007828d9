import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutToWidth, widthOf } from "./display-width.ts";

const widths: [text: string, columns: number][] = [
  ["", 0],
  ["daybook", 7],
  ["é", 1],
  ["e\u0301", 1],
  ["회의", 4],
  ["会議 9時", 8],
  ["ａ１", 4],
  ["→ …·", 4],
  ["🎉", 2],
  ["👩‍👩‍👧", 2],
  ["🇰🇷", 2],
  ["❤️", 2],
  ["a\u200Bb", 2],
  ["한\u0301글", 4],
];
for (const [text, columns] of widths) {
  test(`${JSON.stringify(text)} takes ${columns} columns`, () => {
    assert.equal(widthOf(text), columns);
  });
}

const cuts: [text: string, columnsMax: number, cut: string][] = [
  ["daybook", 7, "daybook"],
  ["daybook", 6, "daybo…"],
  ["회의 준비", 9, "회의 준비"],
  ["회의 준비", 8, "회의 준…"],
  ["회의 준비", 7, "회의…"],
  ["회의", 3, "회…"],
  ["회의", 2, "…"],
  ["🎉🎉", 3, "🎉…"],
  ["a", 0, ""],
];
for (const [text, columnsMax, cut] of cuts) {
  test(`"${text}" is cut to ${columnsMax} columns as "${cut}"`, () => {
    assert.equal(cutToWidth(text, columnsMax), cut);
  });
}

test("a cut text never takes more columns than it may", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, columnsMax) => {
      assert.ok(widthOf(cutToWidth(text, columnsMax)) <= columnsMax);
    }),
  );
});
