import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { folded } from "./fold.ts";

test("a folded line has at most 75 octets in each part, and whole characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const line = `SUMMARY:${text.toWellFormed().replaceAll(/[\r\n]/g, "")}`;
      const parts = folded(line).split("\r\n");
      for (const part of parts) {
        assert.ok(Buffer.byteLength(part) <= 75, part);
        assert.equal(part, part.toWellFormed());
      }
      const [first = "", ...rest] = parts;
      assert.equal(first + rest.map((part) => part.replace(/^ /, "")).join(""), line);
    }),
  );
});

test("a fold is as late as it can be, and folded text is folded again the same", () => {
  const line = "x".repeat(200);
  const text = folded(`${line}\r\nEND:VEVENT\r\n`);
  assert.deepEqual(
    text.split("\r\n").map((part) => part.length),
    [75, 75, 52, 10, 0],
  );
  assert.equal(folded(text), text);
});
