import assert from "node:assert/strict";
import { test } from "node:test";
import { open, type Daybook } from "../library/open.ts";

async function failed(book: Daybook): Promise<string> {
  const target = "gone:1";
  const draft = {
    kind: "notification",
    ends: "failed",
    body: { message: "hi", at: 5, atText: "then", target, origin: null, expiresAt: 9 },
    outcome: { receipt: null, reason: "blocked", maybeDelivered: false },
  } as const;
  return (await book.ledger.of("me", "me").append(draft)).id;
}

test("what failed is said now by a copy that names it, once however often it is asked", async () => {
  const book = await open({ store: "memory:" });
  const id = await failed(book);
  const first = await book.retry({ id });
  const second = await book.retry({ id });
  assert.deepEqual([first.state, first.fresh, second.fresh], ["pending", true, false]);
  assert.equal(second.id, first.id);
  const record = await book.ledger.of("me", "me").get(first.id);
  assert.equal(record?.parent, id);
  assert.equal(record?.kind === "notification" && record.body.expiresAt, undefined);
  await book.close();
});

test("what waits or was said is not tried again", async () => {
  const book = await open({ store: "memory:" });
  const { id } = await book.remind({ message: "hi", at: "+1h" });
  await assert.rejects(book.retry({ id }), { code: "ended", message: /wait, or cancel it/ });
  await book.cancel({ id });
  await assert.rejects(book.retry({ id }), { code: "ended", message: /ask for it anew/ });
  await assert.rejects(book.retry({ id: "none" }), { code: "not_found" });
  await book.close();
});
