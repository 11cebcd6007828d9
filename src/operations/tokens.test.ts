import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, type Desk } from "../../test/desk.ts";
import { hasCode, type ErrorCode } from "../base/errors.ts";
import { ask } from "./ask.ts";
import type { Context } from "./operation.ts";
import { createToken, findToken, listTokens, revokeToken } from "./tokens.ts";

const page = { limit: 50 };
const admin = ({ mina }: Desk): Context => ({ ...mina, scopes: ["admin"] });
const plain = { name: "phone", scopes: "read,write" };

describe("a token", () => {
  test("lets its bearer ask in the book it was made for, as who it says, and no more", async () => {
    const at = desk();
    const asked = { name: "phone", owner: "jun", principal: "jun-phone", scopes: "write, read" };
    const made = await createToken.run(asked, admin(at));
    assert.match(made.token, /^daybook_/);
    assert.deepEqual(await findToken(at.mina, made.token), {
      owner: "jun",
      by: "jun-phone",
      scopes: ["read", "write"],
      origin: null,
    });
  });
  test("is for the book of whoever makes it, under its own name, unless they say otherwise", async () => {
    const at = desk();
    const { token } = await createToken.run({ ...plain, scopes: ["read"] }, admin(at));
    const caller = await findToken(at.mina, token);
    assert.deepEqual([caller?.owner, caller?.by, caller?.scopes], ["mina", "phone", ["read"]]);
  });
  test("is shown once: neither it nor its hash is listed", async () => {
    const at = desk();
    const { token, ...rest } = await createToken.run(plain, admin(at));
    const listed = await listTokens.run(page, admin(at));
    assert.deepEqual(listed, { tokens: [rest], next: null });
    assert.ok(!("hash" in (listed.tokens[0] ?? {})));
    assert.ok(!JSON.stringify(listed).includes(token));
    const line = `${rest.id}  phone, book of mina, may read, write`;
    assert.equal(listTokens.say(listed, at.reader()), line);
  });
  test("that was revoked is nobody's, from then on", async () => {
    const at = desk();
    const { token, id } = await createToken.run(plain, admin(at));
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: true });
    assert.equal(await findToken(at.mina, token), undefined);
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: false });
    assert.deepEqual((await listTokens.run(page, admin(at))).tokens, []);
  });
  test("is over when its time comes, not before", async () => {
    const at = desk();
    const { token } = await createToken.run({ ...plain, expires_at: "+1h" }, admin(at));
    at.clock.advance(3_599_999);
    assert.ok(await findToken(at.mina, token));
    at.clock.advance(1);
    assert.equal(await findToken(at.mina, token), undefined);
  });
  test("that nobody made is nobody's", async () => {
    const at = desk();
    const { token, id } = await createToken.run(plain, admin(at));
    for (const wrong of [
      "",
      "daybook_",
      `${token}x`,
      token.slice(0, -1),
      id,
      "x".repeat(100_000),
    ]) {
      assert.equal(await findToken(at.mina, wrong), undefined);
    }
  });
  test("is made, listed and revoked by an administrator alone", async () => {
    const at = desk();
    const inputs = [
      [createToken, { name: "x" }],
      [listTokens, {}],
      [revokeToken, { id: "x" }],
    ] as const;
    for (const [operation, input] of inputs) {
      await assert.rejects(
        ask(at.mina, operation, input, at.mina),
        (error) => hasCode(error, "refused") && error.message.includes('the scope "admin"'),
      );
    }
  });
  test("is not revoked by an id that is something else in the system's book", async () => {
    const at = desk();
    const chore = { kind: "chore", body: { name: "x", everyMs: 1 }, state: "waiting" } as const;
    const { id } = await at.ledger.of("daybook", "x").append(chore);
    await assert.rejects(revokeToken.run({ id }, admin(at)), (error) =>
      hasCode(error, "not_found"),
    );
  });

  const refused: [asked: Partial<Parameters<typeof createToken.run>[0]>, ErrorCode, RegExp][] = [
    [{ scopes: "reed" }, "invalid", /There is no scope "reed": did you mean "read"\?/],
    [{ scopes: "read,everything" }, "invalid", /known are read, write, target, admin/],
    [{ scopes: "" }, "invalid", /There is no scope ""/],
    [{ scopes: [] }, "invalid", /scope/],
    [{ owner: "daybook" }, "refused", /the system's own/],
    [{ expires_at: "2026-11-16 07:00" }, "invalid", /over before it begins/],
  ];
  for (const [asked, code, says] of refused) {
    test(`with ${JSON.stringify(asked)} is refused`, async () => {
      const at = desk();
      await assert.rejects(
        createToken.run({ ...plain, ...asked }, admin(at)),
        (error) => hasCode(error, code) && says.test(error.message),
      );
      assert.equal((await at.ledger.work.stats()).records, 0);
    });
  }
});
