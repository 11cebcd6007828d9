import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import { findToken } from "../../features/accounts/operations/tokens.ts";
import { plainProfile } from "../../features/accounts/profile.ts";
import { tokenId } from "../../features/accounts/token.ts";
import type { Installation } from "../../kernel/operation.ts";
import { portsFrom } from "../../kernel/port.ts";
import { open, type Daybook } from "../library/open.ts";
import { adminToken } from "./admin-token.ts";
import { homeIn, type Home } from "./home.ts";

async function place(
  t: TestContext,
): Promise<{ home: Home; installation: Installation; book: Daybook }> {
  const book = await open({ store: "memory:" });
  t.after(() => book.close());
  const { ledger } = book;
  const installation: Installation = {
    ledger,
    readProfile: () => Promise.resolve(plainProfile),
    now: () => Date.now(),
    randomBytes,
    ...portsFrom([]),
  };
  return { home: homeIn(join(folder(t), "deep", "home")), installation, book };
}

describe("a home", () => {
  test("gets a token that nobody else may read, and keeps it", async (t) => {
    const { home, installation } = await place(t);
    await adminToken(home, installation, undefined);
    const token = home.readToken() ?? "";
    assert.equal(statSync(home.tokenPath).mode & 0o777, 0o600);
    assert.deepEqual((await findToken(installation, token))?.scopes, ["admin"]);
    await adminToken(home, installation, undefined);
    assert.equal(home.readToken(), token);
  });
  test("takes its token along to another book", async (t) => {
    const { home, installation } = await place(t);
    await adminToken(home, installation, undefined);
    const token = home.readToken() ?? "";
    const { installation: other } = await place(t);
    await adminToken(home, other, undefined);
    assert.equal(home.readToken(), token);
    assert.equal((await findToken(other, token))?.owner, "me");
  });
  test("gets another token when its own was revoked", async (t) => {
    const { home, installation, book } = await place(t);
    await adminToken(home, installation, undefined);
    const token = home.readToken() ?? "";
    await book.revokeToken({ id: tokenId(token) });
    await adminToken(home, installation, undefined);
    const fresh = home.readToken() ?? "";
    assert.notEqual(fresh, token);
    assert.equal(await findToken(installation, token), undefined);
    assert.equal((await findToken(installation, fresh))?.by, "me");
  });
  test("accepts the set token, unless it is easy to guess or was revoked", async (t) => {
    const { home, installation, book } = await place(t);
    const told = "x".repeat(32);
    await adminToken(home, installation, told);
    assert.equal(home.readToken(), undefined);
    assert.equal((await findToken(installation, told))?.by, "me");
    await assert.rejects(adminToken(home, installation, "secret"), { code: "invalid" });
    await book.revokeToken({ id: tokenId(told) });
    await assert.rejects(adminToken(home, installation, told), { code: "refused" });
  });
});
