import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, using } from "../../../../test/book-fixture.ts";
import type { Context } from "../../../kernel/operation.ts";
import { provide } from "../../../kernel/port.ts";
import { DaybookError, hasCode, toErrorData, type ErrorCode } from "../../../platform/errors.ts";
import { addressReadersOf, type Channel } from "../channel.ts";
import { addressReaders, channelNames } from "../ports.ts";
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
  test("`--target sessions:me` is allowed for one's own sessions", async () => {
    const { mina } = bookFixture();
    const named = await checkedRoute("sessions:mina", may(mina, "write"));
    assert.deepEqual(named, { target: "sessions:mina", reason: "asked" });
    for (const scope of ["write", "target", "admin"] as const) {
      await assert.rejects(
        checkedRoute("sessions:jun", may(mina, scope)),
        (error) =>
          hasCode(error, "refused") && /all your sessions, "sessions:mina"/.test(error.message),
      );
    }
  });
  test("nothing where there is no origin: it goes to the inbox", async () => {
    const context = { ...may(bookFixture().mina, "write"), origin: null };
    const route = await checkedRoute(undefined, context);
    assert.deepEqual(route, { target: "inbox:mina", reason: "inbox" });
  });

  const malformed = [
    "telegram:abc",
    "telegram:7:x",
    "telegram:7:11:2",
    "telegram:7:",
    "telegram:0",
    "slack:general",
    "slack:C1:",
    "discord:0",
    "discord:1:2",
    "email:me",
    "ntfy:a/b",
  ];
  for (const target of malformed) {
    test(`malformed targets are refused when they are given: ${target}`, async () => {
      const { mina } = bookFixture();
      const channels = ["telegram", "slack", "discord", "email", "ntfy"];
      const context = using(
        mina,
        provide(channelNames, () => channels),
      );
      const [channel] = target.split(":");
      await assert.rejects(
        checkedRoute(target, context),
        (error) =>
          hasCode(error, "invalid") &&
          error.details["path"] === "target" &&
          error.message.includes(`: write the target like ${channel}:`),
      );
    });
  }
  test("but not what the reader of a channel refuses", async () => {
    const pager: Channel = {
      name: "pager",
      readAddress(address) {
        if (address !== "7") throw new DaybookError("invalid", "A pager is 7: write pager:7.");
      },
      send: async () => ({ result: "delivered", receipt: null }),
    };
    const context = using(
      bookFixture().mina,
      provide(channelNames, () => ["pager"]),
      provide(addressReaders, () => addressReadersOf([pager])),
    );
    assert.equal((await checkedRoute("pager:7", context)).target, "pager:7");
    await assert.rejects(checkedRoute("pager:8", context), /^DaybookError: A pager is 7/);
  });
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
