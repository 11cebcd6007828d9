import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./redact.ts";

test("a secret is hidden wherever it stands, also as JSON writes it", () => {
  assert.equal(redact("tk_12345 and tk_12345", ["tk_12345"]), "*** and ***");
  assert.equal(
    redact(JSON.stringify({ echo: 'a"b\\c-12345' }), ['a"b\\c-12345']),
    '{"echo":"***"}',
  );
});

test("one of a few characters hides nothing: words would be cut, and each cut would tell it", () => {
  assert.equal(redact("I looked", ["k"]), "I looked");
  assert.equal(redact("1234567", ["1234567"]), "1234567");
  assert.equal(redact("text", [""]), "text");
});
