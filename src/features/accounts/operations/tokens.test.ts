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

type Request = Parameters<typeof createToken.run>[0];
type Created = Awaited<ReturnType<typeof createToken.run>>;

/** Creates a token with a new key or none, so that it is shown. */
async function create(request: Request, context: Context): Promise<Created & { token: string }> {
  const created = await createToken.run(request, context);
  return { ...created, token: created.token ?? assert.fail("the token is not shown") };
}

describe("a token", () => {
  test("gives its bearer the owner, the principal and the scopes it was created with", async () => {
    const at = bookFixture();
    const request = { name: "phone", owner: "jun", principal: "jun-phone", scopes: "write, read" };
    const created = await create(request, admin(at));
    assert.match(created.token, /^daybook_/);
    assert.deepEqual(await findToken(at.mina, created.token), {
      owner: "jun",
      by: "jun-phone",
      scopes: ["read", "write"],
      origin: null,
      token: created.id,
    });
  });
  test("defaults to the book of its creator, with its name as the principal", async () => {
    const at = bookFixture();
    const { token } = await create({ ...plain, scopes: ["read"] }, admin(at));
    const caller = await findToken(at.mina, token);
    assert.deepEqual([caller?.owner, caller?.by, caller?.scopes], ["mina", "phone", ["read"]]);
  });
  test("is shown once, and a list has neither the token nor its hash", async () => {
    const at = bookFixture();
    const { token, fresh: _, ...rest } = await create(plain, admin(at));
    const listed = await listTokens.run(page, admin(at));
    assert.deepEqual(listed, { tokens: [rest], next: null });
    assert.ok(!("hash" in (listed.tokens[0] ?? {})));
    assert.ok(!JSON.stringify(listed).includes(token));
    const line = `${rest.id}  phone  mina  read, write`;
    assert.equal(listTokens.render(listed, at.reader()), line);
  });
  test("is not found after it was revoked", async () => {
    const at = bookFixture();
    const { token, id } = await create(plain, admin(at));
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: true });
    assert.equal(await findToken(at.mina, token), undefined);
    assert.deepEqual(await revokeToken.run({ id }, admin(at)), { id, revoked: false });
    assert.deepEqual((await listTokens.run(page, admin(at))).tokens, []);
  });
  test("expires at its time to the millisecond", async () => {
    const at = bookFixture();
    const { token } = await create({ ...plain, expires_at: "+1h" }, admin(at));
    at.clock.advance(3_599_999);
    assert.ok(await findToken(at.mina, token));
    at.clock.advance(1);
    assert.equal(await findToken(at.mina, token), undefined);
  });
  test("that does not exist is not found", async () => {
    const at = bookFixture();
    const { token, id } = await create(plain, admin(at));
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
  test("is created, listed and revoked by administrators only", async () => {
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
  test("is not revoked by the id of another record in the system's book", async () => {
    const at = bookFixture();
    const chore = { kind: "chore", body: { name: "x", everyMs: 1 }, state: "waiting" } as const;
    const { id } = await at.ledger.of("daybook", "x").append(chore);
    await assert.rejects(revokeToken.run({ id }, admin(at)), (error) =>
      hasCode(error, "not_found"),
    );
  });

  const refused: [request: Partial<Request>, ErrorCode, RegExp][] = [
    [{ scopes: "reed" }, "invalid", /Unknown scope "reed": did you mean "read"\?/],
    [{ scopes: "read,everything" }, "invalid", /choose from read, write, target, run, cron, admin/],
    [{ scopes: "" }, "invalid", /Unknown scope ""/],
    [{ scopes: [] }, "invalid", /scope/],
    [{ owner: "daybook" }, "refused", /the system's own/],
    [{ expires_at: "2026-11-16 07:00" }, "invalid", /"2026-11-16 07:00" has passed already/],
  ];
  for (const [request, code, message] of refused) {
    test(`with ${JSON.stringify(request)} is refused`, async () => {
      const at = bookFixture();
      await assert.rejects(
        createToken.run({ ...plain, ...request }, admin(at)),
        (error) => hasCode(error, code) && message.test(error.message),
      );
      assert.equal((await at.ledger.work.stats()).records, 0);
    });
  }
});

describe("a token requested with a key", () => {
  const keyed = { ...plain, expires_at: "+1h", key: "k" };

  test("is the first token when the request is repeated, and not shown again", async () => {
    const at = bookFixture();
    const first = await create(keyed, admin(at));
    at.clock.advance(60_000);
    const again = await createToken.run(keyed, admin(at));
    assert.deepEqual(again, { ...first, token: null, fresh: false });
    assert.equal((await listTokens.run(page, admin(at))).tokens.length, 1);
    assert.ok(await findToken(at.mina, first.token));
    const text = createToken.render(again, at.reader());
    assert.match(text, /shown then and is not stored: if it is lost, revoke it and create another/);
    assert.ok(text.endsWith(first.id));
  });
  test("is refused if another token used the key, which the error names", async () => {
    const at = bookFixture();
    const { id } = await create(keyed, admin(at));
    await assert.rejects(
      createToken.run({ ...keyed, scopes: "read" }, admin(at)),
      (error) =>
        hasCode(error, "conflict") &&
        error.message === `The key "k" stands for another token, ${id}: choose another key.`,
    );
  });
  test("is not created again after it was revoked", async () => {
    const at = bookFixture();
    const { id } = await create(keyed, admin(at));
    await revokeToken.run({ id }, admin(at));
    await assert.rejects(
      createToken.run(keyed, admin(at)),
      (error) => hasCode(error, "ended") && error.details["id"] === id,
    );
  });
  test("does not share its key with another caller", async () => {
    const at = bookFixture();
    const mine = await create(keyed, admin(at));
    const theirs = await create({ ...keyed, name: "tablet" }, { ...at.jun, scopes: ["admin"] });
    assert.notEqual(mine.id, theirs.id);
  });
});

describe("tokens of one owner", () => {
  test("are a hundred at most, and a revoked one makes room", async () => {
    const at = bookFixture();
    const created = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        create({ ...plain, owner: "jun", key: `k${index}` }, admin(at)),
      ),
    );
    const another = (owner: string): Promise<Created> =>
      createToken.run({ ...plain, owner }, admin(at));
    await assert.rejects(
      another("jun"),
      (error) =>
        hasCode(error, "held") &&
        error.message.startsWith('The book of "jun" is at its limit of 100 tokens: revoke'),
    );
    const again = await createToken.run({ ...plain, owner: "jun", key: "k7" }, admin(at));
    assert.equal(again.id, created[7]?.id, "a repeated request takes no slot");
    await another("mina");
    await revokeToken.run({ id: again.id }, admin(at));
    await another("jun");
  });
  test("from before the limit stay, and take no slot", async () => {
    const at = bookFixture();
    const token = `daybook_${"x".repeat(43)}`;
    const body = { name: "old", owner: "mina", principal: "old", scopes: ["read"] as const };
    await at.ledger.of(systemOwner, "x").append(makeToken(token, body));
    for (let count = 0; count < 100; count += 1) await create(plain, admin(at));
    assert.equal((await findToken(at.mina, token))?.by, "old");
  });
});
