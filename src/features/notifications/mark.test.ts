import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification, socketQueue, type NotificationKind } from "./kind.ts";
import { canMark, makeMark, messagesIn } from "./mark.ts";
import { checkSnooze } from "./snooze.ts";
import { textsOf } from "./texts.ts";

type Notification = LedgerRecord<NotificationKind>;

function said(receipt: Json, change: Partial<Notification> = {}): Notification {
  const { kind, body } = makeNotification({
    message: "tea",
    at: 1,
    atText: "now",
    target: "telegram:7:8",
    origin: "telegram:7:8",
  });
  return {
    kind,
    id: "said",
    owner: "mina",
    by: "mina",
    key: null,
    parent: null,
    state: "delivered",
    priority: "normal",
    queue: kind,
    lane: null,
    revision: 2,
    attempt: 1,
    lapses: 0,
    body,
    outcome: { receipt, reason: null, maybeDelivered: false },
    cancelling: false,
    readyAt: null,
    wakeAt: null,
    lease: null,
    createdAt: 1,
    updatedAt: 2,
    endedAt: 2,
    ...change,
  };
}

const proof = { chat: 7, messages: [41] };
const lease = { holder: "n", fence: 1, claimedAt: 1 };
const live = { state: "pending", endedAt: null, outcome: null } as const;

test("each change creates one mark, with the target and the cause of its message", () => {
  const words = { message: textsOf("ko").marks.done, now: 5, change: "done:7" };
  const { body, parent, key, lane, ...rest } = makeMark(said(proof), words);
  assert.deepEqual(body, {
    message: "✓ 완료",
    at: 5,
    atText: "now",
    target: "telegram:7:8",
    origin: "telegram:7:8",
    type: "mark",
    marks: { of: "said" },
  });
  assert.deepEqual([parent, key?.name, lane], ["said", "mark:said:done:7", "telegram:7:8"]);
  assert.equal("wakeAt" in rest && rest.wakeAt, 5);
});

test("sent messages, and those being sent, can be marked", () => {
  assert.equal(canMark(said(proof)), true);
  assert.equal(canMark(said(null, { ...live, lease })), true);
});

test("a notification without a message of its own gets no mark", () => {
  const digest = { digest: "d", receipt: proof };
  for (const receipt of [null, 7, "id", [1], {}, { messages: [] }, { messages: [{}] }, digest]) {
    assert.equal(canMark(said(receipt)), false, JSON.stringify(receipt));
  }
  assert.equal(canMark(said(proof, { state: "cancelled" })), false);
  assert.equal(canMark(said(null, live)), false, "it waits");
  assert.equal(canMark(said(null, { ...live, lease, queue: socketQueue })), false);
  for (const type of ["mark", "digest"] as const) {
    const record = said(proof);
    assert.equal(canMark({ ...record, body: { ...record.body, type } }), false, type);
  }
});

test("the message ids of a proof keep their order", () => {
  assert.deepEqual(messagesIn({ channel: "C1", messages: ["1.2", 3] }), ["1.2", 3]);
});

test("a mark cannot be snoozed", () => {
  const record = said(proof);
  const body = makeMark(record, { message: "✓ Done", now: 5, change: "1" }).body;
  assert.throws(() => checkSnooze({ ...record, body }), {
    code: "invalid",
    message: /give the id of that notification/,
  });
});
