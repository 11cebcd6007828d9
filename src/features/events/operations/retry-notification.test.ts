import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture, worker, withHandling } from "../../../../test/book-fixture.ts";
import { happening } from "../../../../test/when-records.ts";
import { open, type Daybook } from "../../../app/library/open.ts";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import { operations } from "../../index.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { taskKind } from "../../tasks/kind.ts";
import type { HandlerTask } from "../../tasks/thread-message.ts";
import { messagesOf } from "../messages.ts";
import { retry } from "./retry-notification.ts";

const { explain } = operations;

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

test("a failed notification is sent by one copy, also after repeated requests", async () => {
  const book = await open({ store: "memory:" });
  const id = await failed(book);
  const first = await book.retry({ id });
  const second = await book.retry({ id });
  assert.deepEqual([first.state, first.fresh, second.fresh], ["pending", true, false]);
  assert.equal(second.id, first.id);
  const record = await book.ledger.of("me", "me").get(first.id);
  assert.equal(record?.parent, id);
  assert.equal(is(notificationKind, record) && record.body.expiresAt, undefined);
  await book.close();
});

test("a waiting or delivered notification is not sent again", async () => {
  const book = await open({ store: "memory:" });
  const { id } = await book.remind({ message: "hi", at: "+1h" });
  await assert.rejects(book.retry({ id }), { code: "ended", message: /wait, or cancel it/ });
  await book.cancel({ id });
  await assert.rejects(book.retry({ id }), { code: "ended", message: /create a new reminder/ });
  await assert.rejects(book.retry({ id: "none" }), { code: "not_found" });
  await book.close();
});

test("a message to a forbidden channel is sent again once the handler allows it", async () => {
  const at = bookFixture();
  const { task } = await happening(at.mina);
  const book = bookOf(at.mina);
  const asked = (await findRecord(book, taskKind, task)) as HandlerTask;
  const proclamation = { channel: "C3", message: "news" };
  const result = { task_id: task, status: "success", summary: "", proclamation } as const;
  const [, unsaid] = messagesOf(asked, result, { now: 5, reader: { language: "en" } });
  const { id } = await book.append({ ...(unsaid ?? assert.fail()), parent: task });
  const story = await explain.run({ id }, at.mina);
  const words = explain.render(story, { language: "en", zone: "UTC", now: 5 });
  assert.match(
    words,
    /rules .*not allowed: the result names slack:C3; add it to "channels" of the handler/,
  );

  await assert.rejects(retry.run({ id }, at.mina), { code: "refused", message: /names slack:C3/ });
  const handlers = [{ ...worker, channels: ["slack:C3"] }];
  const set = withHandling(at.mina, { handlers });
  assert.equal((await retry.run({ id }, set)).state, "pending");
});
