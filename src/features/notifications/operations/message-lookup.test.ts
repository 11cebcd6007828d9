import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import type { Json } from "../../../platform/json.ts";
import { recordOfMessage } from "./message-lookup.ts";

async function said(at: BookFixture, target: string, receipt: Json): Promise<string> {
  const body = { message: "hi", at: 5, atText: "then", target, origin: null };
  const outcome = { receipt, reason: null, maybeDelivered: false };
  const draft = { kind: "notification", ends: "delivered", body, outcome } as const;
  return (await at.ledger.of("mina", "x").append(draft)).id;
}

describe("the notification of a message", () => {
  test("is found by any part of the message, in its chat", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "x");
    const one = await said(at, "telegram:-100:7", { chat: -100, thread: 7, messages: [41, 42] });
    const other = await said(at, "telegram:-200", { chat: -200, messages: [42] });
    await said(at, "inbox:mina", { session: "s" });
    await said(at, "telegram:-100", null);
    await said(at, "stdout:daemon", [42]);
    for (const message of [41, 42, "42"]) {
      assert.equal((await recordOfMessage(book, "telegram:-100:7", message))?.id, one);
    }
    assert.equal((await recordOfMessage(book, "telegram:-200", 42))?.id, other);
    assert.equal(await recordOfMessage(book, "telegram:-200", 41), undefined);
    assert.equal(await recordOfMessage(book, "slack:-200", 42), undefined);
  });
  test("is found in the chat where the channel sent it", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "x");
    const user = await said(at, "slack:U1", { channel: "D9", messages: ["1.5"] });
    const group = await said(at, "telegram:-5", { chat: -1005, messages: [3] });
    assert.equal((await recordOfMessage(book, "slack:D9:1.5", "1.5"))?.id, user);
    assert.equal((await recordOfMessage(book, "telegram:-1005", 3))?.id, group);
  });
  test("is hidden from other owners", async () => {
    const at = bookFixture();
    await said(at, "telegram:1", { chat: 1, messages: [1] });
    assert.equal(await recordOfMessage(at.ledger.of("jun", "x"), "telegram:1", 1), undefined);
  });
  test("is found among the owner's newest thousand", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "x");
    await said(at, "telegram:1", { chat: 1, messages: [1] });
    const second = await said(at, "telegram:1", { chat: 1, messages: [2] });
    for (let count = 0; count < 999; count += 1) await said(at, "inbox:mina", null);
    assert.equal((await recordOfMessage(book, "telegram:1", 2))?.id, second);
    assert.equal(await recordOfMessage(book, "telegram:1", 1), undefined);
  });
});
