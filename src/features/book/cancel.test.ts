import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { hasCode, toErrorData, type ErrorData } from "../../platform/errors.ts";
import { operations } from "../index.ts";
import { notificationKind } from "../notifications/kind.ts";
import { remind } from "../notifications/operations/remind.ts";
import { registerWebhook } from "../notifications/operations/webhooks.ts";

const { cancel } = operations;

async function asked(at: BookFixture): Promise<string> {
  return (await remind.run({ message: "hi", at: "+0s" }, at.mina)).id;
}

/** Claims the only due record and returns its fence. */
async function claim(at: BookFixture): Promise<number> {
  const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
  const { records } = await at.ledger.work.claim(request);
  return records[0]?.lease.fence ?? 0;
}

async function refusal(promise: Promise<unknown>): Promise<ErrorData> {
  return promise.then(() => assert.fail("it was not refused"), toErrorData);
}

describe("cancel", () => {
  test("ends a waiting notification, with the reason in its history", async () => {
    const at = bookFixture();
    const id = await asked(at);
    const answer = await cancel.run({ id, reason: "changed my mind" }, at.mina);
    assert.deepEqual([answer.state, answer.result], ["cancelled", "cancelled"]);
    assert.equal(answer.context, "Cancellation reason: changed my mind");
    assert.equal(answer.cancelled_at, "2026-11-15T23:00:00Z");
    assert.equal(cancel.render(answer, at.reader()), "Cancelled.");
    assert.equal(cancel.render(answer, at.reader("ko")), "취소했습니다.");
    const { changes } = await at.ledger.of("mina", "x").changes({ id });
    assert.equal(changes.at(-1)?.note, "changed my mind");
    assert.equal(changes.at(-1)?.by, "mina-at-cli");
  });
  test("twice gives the same answer and writes once", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await cancel.run({ id }, at.mina);
    const again = await cancel.run({ id, reason: "again" }, at.mina);
    assert.deepEqual([again.state, again.result], ["cancelled", "cancelled_before"]);
    assert.equal(again.context, null);
    assert.equal(cancel.render(again, at.reader()), "It was cancelled before.");
    const { changes } = await at.ledger.of("mina", "x").changes({ id });
    assert.equal(changes.length, 2);
  });
  test("during a send says that the message may still arrive", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await claim(at);
    const answer = await cancel.run({ id }, at.mina);
    assert.deepEqual([answer.state, answer.result], ["pending", "cancelling"]);
    assert.match(cancel.render(answer, at.reader()), /this one may still arrive/);
  });
  test("during a send writes its reason once and reaches the sender", async () => {
    const at = bookFixture();
    const id = await asked(at);
    const fence = await claim(at);
    for (const reason of ["not today", "really not"]) {
      const { result, context } = await cancel.run({ id, reason }, at.mina);
      assert.equal(result, "cancelling");
      assert.equal(context, "Cancellation reason: not today");
    }
    const settle = { id, fence, state: "pending" } as const;
    const [moved] = await at.ledger.work.settle([{ ...settle, revision: 1 }]);
    assert.equal(moved?.result, "moved");
    const revision = moved?.result === "moved" ? moved.record.revision : 0;
    await at.ledger.work.settle([{ ...settle, revision }]);
    assert.equal((await at.ledger.of("mina", "x").get(id))?.state, "cancelled");
  });
  test("adds its reason to the existing context", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "hi", at: "+1h", context: "weekly" }, at.mina);
    const { context } = await cancel.run({ id, reason: " moved " }, at.mina);
    assert.equal(context, "weekly\nCancellation reason: moved");
  });
  test("does not affect a record of another kind", async () => {
    const at = bookFixture();
    const webhook = await registerWebhook.run({ url: "https://example.org/" }, at.mina);
    await assert.rejects(cancel.run({ id: webhook.id }, at.mina), (error) =>
      hasCode(error, "not_found"),
    );
  });
  test("of a delivered notification is refused with its state", async () => {
    const at = bookFixture();
    const id = await asked(at);
    const fence = await claim(at);
    await at.ledger.work.settle([{ id, fence, revision: 1, ends: "delivered" }]);
    await assert.rejects(
      cancel.run({ id }, at.mina),
      (error) =>
        hasCode(error, "ended") &&
        error.message === "It is delivered already, so it cannot be cancelled.",
    );
  });
  test("gives the same error for another owner's and a missing record", async () => {
    const at = bookFixture();
    const foreign = await asked(at);
    const unknown = "01939c3a-0000-7000-8000-000000000000";
    const name = (error: ErrorData, id: string): string =>
      JSON.stringify(error).replaceAll(id, "ID");
    const one = await refusal(cancel.run({ id: foreign }, at.jun));
    const other = await refusal(cancel.run({ id: unknown }, at.jun));
    assert.equal(one.code, "not_found");
    assert.equal(name(one, foreign), name(other, unknown));
    assert.equal((await at.ledger.of("mina", "x").get(foreign))?.state, "pending");
  });
});
