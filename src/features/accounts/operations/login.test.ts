import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture, using } from "../../../../test/book-fixture.ts";
import type { Caller } from "../../../kernel/operation.ts";
import { provide } from "../../../kernel/port.ts";
import { loginLinks } from "../ports.ts";
import { login } from "./login.ts";

test("a login link is for whoever asks, with the rights of its token and no origin", async () => {
  const at = bookFixture();
  const made: Caller[] = [];
  const links = (caller: Caller) => {
    made.push(caller);
    return { url: "http://h/login?code=c", expiresAt: at.clock.wall() + 600_000 };
  };
  const caller = { ...at.mina, token: "t1", origin: "telegram:7" };
  const answer = await login.run(
    {},
    using(
      caller,
      provide(loginLinks, () => links),
    ),
  );
  const { owner, by, scopes } = at.mina;
  assert.deepEqual(made, [{ owner, by, scopes, token: "t1", origin: null }]);
  assert.equal(
    login.render(answer, at.reader("en")),
    "Open http://h/login?code=c to sign in. It works once, within 10 minutes.",
  );
});

test("without a daemon there is no login link", async () => {
  const { mina } = bookFixture();
  await assert.rejects(async () => login.run({}, mina), { code: "unsupported" });
});
