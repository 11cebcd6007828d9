import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import { digestId, resultIn, membersOf } from "./digest.ts";
import type { NotificationKind } from "./kind.ts";

type Notification = LedgerRecord<NotificationKind>;

function digest(state: Notification["state"], maybeDelivered: boolean): Notification {
  const target = "stdout:daemon";
  return {
    kind: "notification",
    id: digestId("mina", target, 5),
    owner: "mina",
    by: "cli",
    key: null,
    parent: null,
    state,
    priority: "normal",
    queue: "notification",
    lane: target,
    revision: 2,
    attempt: 1,
    lapses: 0,
    body: { message: "…", at: 5, atText: "then", target, origin: null, type: "digest" },
    outcome: { receipt: 7, reason: null, maybeDelivered, progress: { members: ["a"], sent: null } },
    cancelling: false,
    readyAt: null,
    wakeAt: null,
    lease: null,
    createdAt: 1,
    updatedAt: 6,
    endedAt: state === "pending" ? null : 6,
  };
}

function member(id: string, at = 4): Notification {
  const one = digest("pending", false);
  return { ...one, id, body: { ...one.body, at } };
}

test("the id of a digest depends on its target and its time only", () => {
  const id = digestId("mina", "a:b", 5);
  assert.equal(id, digestId("mina", "a:b", 5));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [
    digestId("jun", "a:b", 5),
    digestId("mina", "a:c", 5),
    digestId("mina", "a:b", 6),
  ];
  assert.equal(new Set([id, ...others]).size, 4);
});

test("a member gets the receipt of its digest, or is sent alone", () => {
  const said = digest("delivered", false);
  assert.deepEqual(membersOf(said), ["a"]);
  assert.deepEqual(resultIn(said, member("a")), { sentWith: { digest: said.id, receipt: 7 } });
  assert.equal(resultIn(said, member("b")), "alone");
  assert.equal(resultIn(digest("failed", false), member("a")), "alone");
  assert.equal(resultIn(digest("pending", false), member("a")), "waits");
  assert.equal(resultIn(undefined, member("a")), "maybe delivered");
});

test("a digest attempt that may have arrived marks its members as possible repeats", () => {
  assert.equal(resultIn(digest("failed", true), member("a")), "maybe delivered");
  assert.equal(resultIn(digest("delivered", true), member("b")), "maybe delivered");
});

test("a snoozed member leaves the digest", () => {
  assert.equal(resultIn(digest("delivered", false), member("a", 6)), "alone");
});

test("a late member waits only for an attempt in progress", () => {
  const waiting = digest("pending", false);
  const lease = { holder: "n1", fence: 1, claimedAt: 6 };
  assert.equal(resultIn(waiting, member("a"), true), "alone");
  assert.equal(resultIn(digest("pending", true), member("a"), true), "maybe delivered");
  assert.equal(resultIn({ ...waiting, lapses: 1 }, member("a"), true), "maybe delivered");
  assert.equal(resultIn({ ...waiting, lease }, member("a"), true), "waits");
});
