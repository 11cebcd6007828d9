import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { systemOwner } from "../../nodes/node.ts";
import { makeToken } from "../token.ts";
import { createToken, findToken, listTokens, revokeToken } from "./tokens.ts";

const page = { limit: 50 };
const admin = ({ mina }: BookFixture): Context => ({ ...mina, scopes: ["admin"] });
const plain = { name: "phone", scopes: "read,write" };

type Asked = Parameters<typeof createToken.run>[0];
type Made = Awaited<ReturnType<typeof createToken.run>>;

/** One that was not made before, so that it is shown. */
async function make(asked: Asked, context: Context): Promise<Made & { token: string }> {
  const made = await createToken.run(asked, context);
  return { ...made, token: made.token ?? assert.fail("the token is not shown") };
}

describe("a token", () => {
  test("lets its bearer ask in the book it was made for, as who it says, and no more", async () => {
    const at = bookFixture();
    const asked = { name: "phone", owner: "jun", principal: "jun-phone", scopes: "write, read" };
    const made = await make(asked, admin(at));
    assert.match(made.token, /^daybook_/);
    assert.deepEqual(await findToken(at.mina, made.token), {
      owner: "jun",
      by: "jun-phone",
      scopes: ["read", "write"],
      origin: null,
      token: made.id,
    });
  });
  test("is for the book of whoever makes it, under its own name, unless they say otherwise", async () => {
    const at = bookFixture();
    const { token } = await make({ ...plain, scopes: ["read"] }, admin(at));
    const caller = await findToken(at.mina, token);
    assert.deepEqual([caller?.owner, caller?.by, caller?.scopes], ["mina", "phone", ["read"]]);
  });
  test("is shown once: neither it nor its hash is listed", async () => {
    const at = bookFixture();
    const { token, fresh: _, ...rest } = await make(plain, admin(at));
    const listed = await listTokens.run(page, admin(at));
    assert.deepEqual(listed, { tokens: [rest], next: null });
    assert.ok(!("hash" in (listed.tokens[0] ?? {})));
    assert.ok(!JSON.stringify(listed).includes(token));
    const line = `${rest.id}  phone, book of mina, may read, write`;
    assert.equal(listTokens.render(listed, at.reader()), line);
  });
  test("that was revoked is nobody's, from then on", async () => {
    const at = bookFixture();
    const { token, id } = await make(plain, admin(at));
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: true });
    assert.equal(await findToken(at.mina, token), undefined);
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: false });
    assert.deepEqual((await listTokens.run(page, admin(at))).tokens, []);
  });
  test("is over when its time comes, not before", async () => {
    const at = bookFixture();
    const { token } = await make({ ...plain, expires_at: "+1h" }, admin(at));
    at.clock.advance(3_599_999);
    assert.ok(await findToken(at.mina, token));
    at.clock.advance(1);
    assert.equal(await findToken(at.mina, token), undefined);
  });
  test("that nobody made is nobody's", async () => {
    const at = bookFixture();
    const { token, id } = await make(plain, admin(at));
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
    const at = bookFixture();
    const inputs = [
      [createToken, { name: "x" }],
      [listTokens, {}],
      [revokeToken, { id: "x" }],
    ] as const;
    for (const [operation, input] of inputs) {
      await assert.rejects(
        callOperation(at.mina, operation, input, at.mina),
        (error) => hasCode(error, "refused") && error.message.includes('the scope "admin"'),
      );
    }
  });
  test("is not revoked by an id that is something else in the system's book", async () => {
    const at = bookFixture();
    const chore = { kind: "chore", body: { name: "x", everyMs: 1 }, state: "waiting" } as const;
    const { id } = await at.ledger.of("daybook", "x").append(chore);
    await assert.rejects(revokeToken.run({ id }, admin(at)), (error) =>
      hasCode(error, "not_found"),
    );
  });

  const refused: [asked: Partial<Asked>, ErrorCode, RegExp][] = [
    [{ scopes: "reed" }, "invalid", /There is no scope "reed": did you mean "read"\?/],
    [{ scopes: "read,everything" }, "invalid", /known are read, write, target, cron, admin/],
    [{ scopes: "" }, "invalid", /There is no scope ""/],
    [{ scopes: [] }, "invalid", /scope/],
    [{ owner: "daybook" }, "refused", /the system's own/],
    [{ expires_at: "2026-11-16 07:00" }, "invalid", /over before it begins/],
  ];
  for (const [asked, code, says] of refused) {
    test(`with ${JSON.stringify(asked)} is refused`, async () => {
      const at = bookFixture();
      await assert.rejects(
        createToken.run({ ...plain, ...asked }, admin(at)),
        (error) => hasCode(error, code) && says.test(error.message),
      );
      assert.equal((await at.ledger.work.stats()).records, 0);
    });
  }
});

describe("a token that is asked for with a key", () => {
  const keyed = { ...plain, expires_at: "+1h", key: "k" };

  test("and again with it is the first, and is not shown again", async () => {
    const at = bookFixture();
    const first = await make(keyed, admin(at));
    at.clock.advance(60_000);
    const again = await createToken.run(keyed, admin(at));
    assert.deepEqual(again, { ...first, token: null, fresh: false });
    assert.equal((await listTokens.run(page, admin(at))).tokens.length, 1);
    assert.ok(await findToken(at.mina, first.token));
    const said = createToken.render(again, at.reader());
    assert.match(said, /shown then and is kept nowhere: if it is lost, revoke this one and make/);
    assert.ok(said.endsWith(first.id));
  });
  test("that stands for another is refused, and the key is named as it was typed", async () => {
    const at = bookFixture();
    const { id } = await make(keyed, admin(at));
    await assert.rejects(
      createToken.run({ ...keyed, scopes: "read" }, admin(at)),
      (error) =>
        hasCode(error, "conflict") &&
        error.message === `The key "k" stands for another token, ${id}: choose another key.`,
    );
  });
  test("that was revoked is not made again", async () => {
    const at = bookFixture();
    const { id } = await make(keyed, admin(at));
    await revokeToken.run({ id }, admin(at));
    await assert.rejects(
      createToken.run(keyed, admin(at)),
      (error) => hasCode(error, "ended") && error.details["id"] === id,
    );
  });
  test("does not meet another asker's key of the same name", async () => {
    const at = bookFixture();
    const mine = await make(keyed, admin(at));
    const theirs = await make({ ...keyed, name: "tablet" }, { ...at.jun, scopes: ["admin"] });
    assert.notEqual(mine.id, theirs.id);
  });
});

describe("tokens of one owner", () => {
  test("are a hundred at most, whoever makes them, and one that is revoked makes room", async () => {
    const at = bookFixture();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        make({ ...plain, owner: "jun", key: `k${index}` }, admin(at)),
      ),
    );
    const another = (owner: string): Promise<Made> =>
      createToken.run({ ...plain, owner }, admin(at));
    await assert.rejects(
      another("jun"),
      (error) =>
        hasCode(error, "held") &&
        error.message.startsWith('The book of "jun" is at its limit of 100 tokens: revoke'),
    );
    const again = await createToken.run({ ...plain, owner: "jun", key: "k7" }, admin(at));
    assert.equal(again.id, made[7]?.id, "asking again takes no place");
    await another("mina");
    await revokeToken.run({ id: again.id }, admin(at));
    await another("jun");
  });
  test("that were made before there were places stay, and take none", async () => {
    const at = bookFixture();
    const token = `daybook_${"x".repeat(43)}`;
    const body = { name: "old", owner: "mina", principal: "old", scopes: ["read"] as const };
    await at.ledger.of(systemOwner, "x").append(makeToken(token, body));
    for (let count = 0; count < 100; count += 1) await make(plain, admin(at));
    assert.equal((await findToken(at.mina, token))?.by, "old");
  });
});
