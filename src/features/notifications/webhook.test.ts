import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { makeWebhook, secretBytes, secretFrom } from "./webhook.ts";

const secret = secretFrom(new Uint8Array(secretBytes));

describe("a webhook", () => {
  test("is stored unchanged", () => {
    const body = { url: "https://example.org/hook?a=1", secret, name: "build" };
    assert.deepEqual(makeWebhook(body), { kind: "webhook", body, state: "active" });
  });
  const bad = [
    "",
    "example.org",
    "ftp://example.org/",
    "javascript:alert(1)",
    "https://user:pass@example.org/",
    `https://example.org/${"x".repeat(2_000)}`,
  ];
  for (const url of bad) {
    test(`to ${url.slice(0, 40) || "nowhere"} is refused`, () => {
      assert.throws(
        () => makeWebhook({ url, secret }),
        (error) => hasCode(error, "invalid"),
      );
    });
  }
  test("has a secret with a recognizable prefix", () => {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/);
    assert.throws(() => secretFrom(new Uint8Array(3)), /24 random bytes/);
  });
});
