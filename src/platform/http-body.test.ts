import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson } from "./http-body.ts";
import { HttpError } from "./http-error.ts";

test("any JSON that is not too deep reads back as it was written", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes("__proto__"));
      assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text));
    }),
  );
});

test("any other bytes are refused, and nothing else happens", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        JSON.parse(Buffer.from(bytes).toString());
      } catch {
        assert.throws(
          () => parseJson(bytes),
          (error) => error instanceof HttpError && error.status === 400,
        );
      }
    }),
  );
});

test("a text that is no UTF-8 is refused, not repaired", () => {
  for (const inside of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]]) {
    const bytes = Buffer.from([0x22, ...inside, 0x22]);
    assert.equal(typeof JSON.parse(bytes.toString()), "string");
    assert.throws(() => parseJson(bytes), HttpError);
  }
});

test("a body that only opens brackets is refused, however long it goes on", () => {
  const open = "[".repeat(100_000);
  const whole = `${open}${"]".repeat(100_000)}`;
  for (const text of [open, whole, '{"a":'.repeat(50_000)]) {
    assert.throws(() => parseJson(Buffer.from(text)), HttpError);
  }
});
