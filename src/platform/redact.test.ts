import assert from "node:assert/strict";
import { test } from "node:test";
import { hide } from "./redact.ts";

test("a secret is hidden wherever it stands, also as JSON writes it", () => {
  assert.equal(hide("tk_12345 and tk_12345", ["tk_12345"]), "*** and ***");
  assert.equal(hide(JSON.stringify({ echo: 'a"b\\c-12345' }), ['a"b\\c-12345']), '{"echo":"***"}');
});

test("one of a few characters hides nothing: words would be cut, and each cut would tell it", () => {
  assert.equal(hide("I looked", ["k"]), "I looked");
  assert.equal(hide("1234567", ["1234567"]), "1234567");
  assert.equal(hide("text", [""]), "text");
});
