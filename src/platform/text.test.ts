import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cutUnits, oneLine, quote } from "./text.ts";

describe("one line", () => {
  const table: [text: string, shown: string][] = [
    ["plain", "plain"],
    ["  two\n\t lines\r\n", "two lines"],
    ["\u001B[2Jgone", "�[2Jgone"],
    ["nul\u0000byte", "nul�byte"],
    ["pay \u202Eevil", "pay �evil"],
    ["👨‍👩‍👧 kin", "👨‍👩‍👧 kin"],
    ["0123456789", "0123456789"],
    ["0123456789a", "012345678…"],
    ["🔔🔔🔔🔔🔔🔔🔔🔔🔔🔔🔔", "🔔🔔🔔🔔🔔🔔🔔🔔🔔…"],
  ];
  for (const [text, shown] of table) {
    test(`shows ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(oneLine(text, 10), shown);
    });
  }
  test("never breaks the line, moves the cursor or grows, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const shown = oneLine(text, 20);
        assert.ok(Array.from(shown).length <= 20);
        assert.doesNotMatch(shown, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      }),
    );
  });
});

test("a text that is cut by units stays well-formed, within the limit, and begins as it did", () => {
  assert.equal(cutUnits("0123456789", 10), "0123456789");
  assert.equal(cutUnits("0123456789a", 10), "012345678…");
  assert.equal(cutUnits("12345678🔔🔔", 10), "12345678…");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const shown = cutUnits(text, 20);
      assert.ok(shown.length <= 20 && shown.isWellFormed());
      assert.ok(text.toWellFormed().startsWith(shown.replace(/…$/, "")));
    }),
  );
});

test("a quote has one mark at each end, for any text", () => {
  assert.equal(quote('say "hi"'), `"say 'hi'"`);
  assert.equal(quote(""), '""');
});
