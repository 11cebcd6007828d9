import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./redact.ts";

test("a secret is redacted everywhere, also in its JSON form", () => {
  assert.equal(redact("tk_12345 and tk_12345", ["tk_12345"]), "*** and ***");
  assert.equal(
    redact(JSON.stringify({ echo: 'a"b\\c-12345' }), ['a"b\\c-12345']),
    '{"echo":"***"}',
  );
});

test("a secret of a few characters is not redacted", () => {
  assert.equal(redact("I looked", ["k"]), "I looked");
  assert.equal(redact("1234567", ["1234567"]), "1234567");
  assert.equal(redact("text", [""]), "text");
});
