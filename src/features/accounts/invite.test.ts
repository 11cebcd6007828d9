import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { codeBytes, codeFrom, inviteId, makeInvite, readCode } from "./invite.ts";

const bytes = fc.uint8Array({ minLength: codeBytes, maxLength: codeBytes });

describe("a code", () => {
  test("is read in capitals, with space around, and with letters for digits", () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const code = codeFrom(random);
        assert.match(code, /^[0-9a-hjkmnp-tv-z]{12}$/);
        const confused = code.replaceAll("0", "o").replaceAll("1", "l");
        for (const typed of [code, code.toUpperCase(), ` ${code}\n`, confused]) {
          assert.equal(readCode(typed), code);
        }
      }),
    );
  });
  test("is not read from a text of another shape", () => {
    for (const typed of ["", "abc", `${"a".repeat(12)}u`, "uuuuuuuuuuuu", "가".repeat(12)]) {
      assert.equal(readCode(typed), undefined, typed);
    }
    fc.assert(fc.property(fc.string(), (typed) => readCode(typed)?.length !== 11));
  });
  test("gives the id of its invite, which does not contain the code", () => {
    const code = codeFrom(new Uint8Array(codeBytes).fill(9));
    const invite = makeInvite(code, { owner: "mina", expiresAt: 5 });
    assert.equal(invite.id, inviteId(code));
    assert.ok(!JSON.stringify(invite).includes(code));
  });
  test("needs all of its random bytes", () => {
    assert.throws(() => codeFrom(new Uint8Array(codeBytes - 1)), /12 random bytes/);
  });
});
