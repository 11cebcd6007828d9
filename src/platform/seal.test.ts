import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { keyBytes, nonceBytes, seal, unseal } from "./seal.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const text = fc.string({ unit: "grapheme" });

/** A changed character in the form that texts are sealed in. */
function changed(sealed: string, at: number): string {
  const place = at % sealed.length;
  const other = sealed[place] === "A" ? "B" : "A";
  return sealed.slice(0, place) + other + sealed.slice(place + 1);
}

describe("a sealed text", () => {
  test("opens with its key and its context, and with no other", () => {
    fc.assert(
      fc.property(text, bytes(keyBytes), bytes(nonceBytes), text, (given, key, nonce, context) => {
        const sealed = seal(given, { key, nonce, context });
        assert.equal(unseal(sealed, { key, context }), given);
        assert.equal(unseal(sealed, { key, context: `${context}!` }), undefined);
        const wrong = Uint8Array.from(key, (byte, at) => (at === 0 ? byte ^ 1 : byte));
        assert.equal(unseal(sealed, { key: wrong, context }), undefined);
      }),
    );
  });

  test("does not open when a character of it was changed", () => {
    const key = randomBytes(keyBytes);
    fc.assert(
      fc.property(text, bytes(nonceBytes), fc.nat(), (given, nonce, at) => {
        const sealed = seal(given, { key, nonce, context: "a" });
        assert.equal(unseal(changed(sealed, at), { key, context: "a" }), undefined);
      }),
    );
  });

  test("shows nothing of the text, and differs each time", () => {
    const key = randomBytes(keyBytes);
    const once = (): string =>
      seal("a refresh token", { key, nonce: randomBytes(nonceBytes), context: "a" });
    const sealed = once();
    assert.ok(!Buffer.from(sealed, "base64url").includes("refresh"));
    assert.match(sealed, /^[\w-]+$/);
    assert.notEqual(once(), sealed);
  });

  for (const [name, sealed] of [
    ["nothing", ""],
    ["another version", "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["too short a text", "AQAAAA"],
    ["no base64", "한글 이름"],
  ] as const) {
    test(`is not ${name}`, () => {
      assert.equal(unseal(sealed, { key: randomBytes(keyBytes), context: "a" }), undefined);
    });
  }
});
