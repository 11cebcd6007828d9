import assert from "node:assert/strict";
import { test } from "node:test";
import type { Claimed } from "../../kernel/record.ts";
import type { NotificationKind } from "./kind.ts";
import { maybeDelivered, waitForQuietEnd, waitUntil } from "./wait-verdict.ts";

const now = 1_794_785_400_000;
const until = now + 3_600_000;
type Notification = Claimed<NotificationKind>;

function claimed(
  body: Partial<Notification["body"]>,
  outcome: Notification["outcome"] = null,
): Notification {
  const target = "stdout:daemon";
  return {
    kind: "notification",
    id: "n1",
    owner: "mina",
    by: "cli",
    key: null,
    parent: null,
    state: "pending",
    priority: "normal",
    queue: "notification",
    lane: target,
    revision: 1,
    attempt: 1,
    lapses: 0,
    body: { message: "hi", at: now, atText: "now", target, origin: target, ...body },
    outcome,
    cancelling: false,
    readyAt: now,
    wakeAt: now + 15_000,
    lease: { holder: "node", fence: 1, claimedAt: now },
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
}

test("an at-most-once notification waits outside digests, which may repeat", () => {
  const verdict = waitForQuietEnd(claimed({ atMostOnce: true }), until);
  assert.equal("wakeAt" in verdict && verdict.wakeAt, until);
  assert.equal(verdict.consequences, undefined);
  assert.equal(verdict.outcome?.digest, undefined);
});

test("a digest in other quiet hours waits for their end and keeps its members", () => {
  const progress = { members: ["a", "b"], sent: null };
  const outcome = { receipt: null, reason: null, maybeDelivered: true, progress };
  const verdict = waitForQuietEnd(claimed({ type: "digest" }, outcome), until);
  assert.equal("wakeAt" in verdict && verdict.wakeAt, until);
  assert.equal(verdict.consequences, undefined);
  assert.deepEqual(verdict.outcome, outcome);
});

test("a waiting notification keeps its possible arrival", () => {
  const progress = { done: [1] };
  const outcome = { receipt: null, reason: "busy", maybeDelivered: true, progress };
  assert.deepEqual(waitUntil(claimed({}, outcome), until).outcome, { ...outcome, reason: null });
  const lapsed = { ...claimed({}), lapses: 1 };
  assert.ok(maybeDelivered(lapsed));
  assert.ok(waitUntil(lapsed, until).outcome.maybeDelivered);
});
