import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../../test/book-fixture.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode, toErrorData, type ErrorCode } from "../../../platform/errors.ts";
import { checkedRoute } from "./target.ts";
import { deleteWebhook, registerWebhook } from "./webhooks.ts";

const may = (context: Context, ...scopes: Context["scopes"]): Context => ({ ...context, scopes });

describe("a caller may name", () => {
  test("the owner's inbox, home and origin without a scope", async () => {
    const { mina } = bookFixture();
    const profile = { ...mina.profile, home: "telegram:7" };
    const context = { ...may(mina, "write"), profile, origin: "session:s1" };
    for (const target of ["inbox:mina", "telegram:7", "session:s1"]) {
      assert.deepEqual(await checkedRoute(target, context), { target, reason: "asked" });
    }
  });
  test("any configured channel with the scope target", async () => {
    const { mina } = bookFixture();
    for (const scope of ["target", "admin"] as const) {
      const { target } = await checkedRoute("telegram:42", may(mina, "write", scope));
      assert.equal(target, "telegram:42");
    }
  });
  test("the owner's own webhooks", async () => {
    const { mina } = bookFixture();
    const { target } = await registerWebhook.run({ url: "https://example.org/" }, mina);
    assert.equal((await checkedRoute(target, may(mina, "write"))).target, target);
  });

  const refused: [name: string, target: string, code: ErrorCode, expected: RegExp][] = [
    ["another's inbox", "inbox:jun", "refused", /^The target "inbox:jun" is not yours/],
    ["another's session", "session:s2", "refused", /^The target "session:s2" is not yours/],
    ["a channel without the scope", "telegram:42", "refused", /the scope "target"/],
    ["a channel that is misspelt", "telegrm:42", "invalid", /stdout, .*Did you mean "telegram"\?/],
    [
      "an unknown channel",
      "pager:42",
      "invalid",
      /webhook\. Choose one of these, or configure channels\.pager\./,
    ],
    ["no channel at all", "nowhere", "invalid", /write it as channel:address/],
    ["a webhook that never was", "webhook:banana", "not_found", /no webhook "banana"/],
  ];
  for (const [name, target, code, expected] of refused) {
    test(`but not ${name}`, async () => {
      await assert.rejects(
        checkedRoute(target, may(bookFixture().mina, "write")),
        (error) => hasCode(error, code) && expected.test(error.message),
      );
    });
  }
  test("but not another owner's inbox or session, with any scopes", async () => {
    for (const target of ["inbox:jun", "session:s2"]) {
      await assert.rejects(checkedRoute(target, may(bookFixture().mina, "admin")), (error) =>
        hasCode(error, "refused"),
      );
    }
  });
  test("but not another owner's, a removed or an unknown webhook, with the same error", async () => {
    const at = bookFixture();
    const theirs = await registerWebhook.run({ url: "https://example.org/" }, at.jun);
    const gone = await registerWebhook.run({ url: "https://example.org/" }, at.mina);
    await deleteWebhook.run({ id: gone.id }, at.mina);
    const answers = [];
    for (const id of [theirs.id, gone.id, "01939c3a-0000-7000-8000-000000000000"]) {
      const answer = await checkedRoute(`webhook:${id}`, at.mina).then(
        () => assert.fail(),
        toErrorData,
      );
      answers.push(JSON.stringify(answer).replaceAll(id, "ID"));
    }
    assert.equal(new Set(answers).size, 1);
  });
});
