import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import { findToken } from "../../features/accounts/operations/tokens.ts";
import { plainProfile } from "../../features/accounts/profile-reader.ts";
import { tokenId } from "../../features/accounts/token.ts";
import type { Desk } from "../../kernel/ask.ts";
import { open, type Daybook } from "../library/open.ts";
import { adminToken } from "./admin-token.ts";
import { homeIn, type Home } from "./home.ts";

async function place(t: TestContext): Promise<{ home: Home; desk: Desk; book: Daybook }> {
  const book = await open({ store: "memory:" });
  t.after(() => book.close());
  const defaults = (): typeof plainProfile => plainProfile;
  const { ledger } = book;
  const desk: Desk = { ledger, defaults, channels: [], now: () => Date.now(), randomBytes };
  return { home: homeIn(join(folder(t), "deep", "home")), desk, book };
}

describe("a home", () => {
  test("gets a token that nobody else may read, and keeps it", async (t) => {
    const { home, desk } = await place(t);
    await adminToken(home, desk, undefined);
    const token = home.readToken() ?? "";
    assert.equal(statSync(home.tokenPath).mode & 0o777, 0o600);
    assert.deepEqual((await findToken(desk, token))?.scopes, ["admin"]);
    await adminToken(home, desk, undefined);
    assert.equal(home.readToken(), token);
  });
  test("takes its token along to another book", async (t) => {
    const { home, desk } = await place(t);
    await adminToken(home, desk, undefined);
    const token = home.readToken() ?? "";
    const { desk: other } = await place(t);
    await adminToken(home, other, undefined);
    assert.equal(home.readToken(), token);
    assert.equal((await findToken(other, token))?.owner, "me");
  });
  test("gets another token when its own was revoked", async (t) => {
    const { home, desk, book } = await place(t);
    await adminToken(home, desk, undefined);
    const token = home.readToken() ?? "";
    await book.revokeToken({ id: tokenId(token) });
    await adminToken(home, desk, undefined);
    const fresh = home.readToken() ?? "";
    assert.notEqual(fresh, token);
    assert.equal(await findToken(desk, token), undefined);
    assert.equal((await findToken(desk, fresh))?.by, "me");
  });
  test("takes the token it is told, unless it is easy to guess or was revoked", async (t) => {
    const { home, desk, book } = await place(t);
    const told = "x".repeat(32);
    await adminToken(home, desk, told);
    assert.equal(home.readToken(), undefined);
    assert.equal((await findToken(desk, told))?.by, "me");
    await assert.rejects(adminToken(home, desk, "secret"), { code: "invalid" });
    await book.revokeToken({ id: tokenId(told) });
    await assert.rejects(adminToken(home, desk, told), { code: "refused" });
  });
});
