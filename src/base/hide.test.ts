import assert from "node:assert/strict";
import { test } from "node:test";
import { hide } from "./hide.ts";

test("a secret is hidden wherever it stands, also as JSON writes it", () => {
  assert.equal(hide("tk_1 and tk_1", ["tk_1"]), "*** and ***");
  assert.equal(hide(JSON.stringify({ echo: 'a"b\\c' }), ['a"b\\c']), '{"echo":"***"}');
});

test("an empty secret hides nothing", () => {
  assert.equal(hide("text", [""]), "text");
});
