import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { allows, scopes } from "../../kernel/scope.ts";
import { isToken, makeToken, tokenBytes, tokenFrom, tokenId } from "./token.ts";

const bytes = fc.uint8Array({ minLength: tokenBytes, maxLength: tokenBytes });
const body = { name: "phone", owner: "mina", principal: "mina", scopes: ["read"] as const };

describe("a token", () => {
  test("has a UUID of version 8 as its id", () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const token = tokenFrom(random);
        assert.match(token, /^daybook_[\w-]{43}$/);
        const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
        assert.match(tokenId(token), shape);
      }),
    );
  });
  test("matches its own record only", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const token = tokenFrom(one);
        const record = makeToken(token, body);
        assert.equal(record.id, tokenId(token));
        assert.equal(isToken(token, record.body), true);
        const isSame = Buffer.compare(one, other) === 0;
        assert.equal(isToken(tokenFrom(other), record.body), isSame);
      }),
    );
  });
  test("is not part of its record", () => {
    const token = tokenFrom(new Uint8Array(tokenBytes).fill(7));
    assert.ok(!JSON.stringify(makeToken(token, body)).includes(token.slice(8, 20)));
  });
  test("needs all of its random bytes", () => {
    assert.throws(() => tokenFrom(new Uint8Array(tokenBytes - 1)), /32 random bytes/);
  });
});

describe("a scope", () => {
  test("allows itself, and admin allows every scope", () => {
    for (const needed of scopes) {
      assert.equal(allows(["admin"], needed), true);
      assert.equal(allows([], needed), false);
      for (const granted of scopes) {
        assert.equal(allows([granted], needed), granted === needed || granted === "admin");
      }
    }
  });
});
