import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { jsonRow, renderSheet } from "./sheet.ts";

describe("a sheet", () => {
  test("aligns values, continues long ones below, and leaves out what is absent", () => {
    const rows = [
      ["target", "inbox:me"],
      ["why", null],
      ["last", []],
      ["collapse", "a\nb"],
      jsonRow("input", { n: 1 }),
      jsonRow("result", null),
    ] as const;
    assert.equal(
      renderSheet("head", rows, { language: "en" }, "text"),
      `head
  target        inbox:me
  collapse key  a
                b
  input         {
                  "n": 1
                }

text`,
    );
  });
  test("counts the two columns of a Korean letter", () => {
    const rows = [
      ["target", "a"],
      ["receipt", "b"],
    ] as const;
    assert.equal(renderSheet("h", rows, { language: "ko" }), "h\n  대상       a\n  수신 확인  b");
  });
  test("prints no control characters of a value", () => {
    const [, text] = jsonRow("result", "\u001B[2J");
    assert.doesNotMatch(String(text), /\p{Cc}/u);
  });
});
