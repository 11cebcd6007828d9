import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPingSecret, pingHash, pingSecret, pingToken, readPingToken } from "./ping-token.ts";

const secret = pingSecret(new Uint8Array(24).fill(7));
const id = "01939c3a-0000-7000-8000-000000000000";

test("a token names its owner and its watch", () => {
  const names = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
    .filter((name) => name === name.trim() && name.isWellFormed() && !name.includes("\0"));
  fc.assert(
    fc.property(names, (owner) => {
      assert.deepEqual(readPingToken(pingToken(owner, id, secret)), { owner, id, secret });
    }),
  );
});

test("an invalid token is undefined and does not throw", () => {
  const whole = pingToken("mina", id, secret);
  const wrong = ["", "..", "a.b", `${whole}.x`, `${whole}=`, `.${id}.${secret}`, "x".repeat(2_000)];
  for (const text of [...wrong, `bWluYR.${id}.${secret}`, `IA.${id}.${secret}`]) {
    assert.equal(readPingToken(text), undefined, text);
  }
  fc.assert(fc.property(fc.string(), (text) => void readPingToken(text)));
});

test("only the secret matches its hash", () => {
  assert.ok(isPingSecret(secret, pingHash(secret)));
  assert.ok(!isPingSecret(`${secret}a`, pingHash(secret)));
  assert.ok(!isPingSecret(secret, "short"));
});
