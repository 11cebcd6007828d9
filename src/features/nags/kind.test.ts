import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { NotificationKind } from "../notifications/kind.ts";
import { requestedAgain, deleted, finished, paused, resumed, snoozed } from "./change.ts";
import { builtInCurves } from "./curve.ts";
import { nagPageHold } from "./holds.ts";
import { makeNag, type NagRequest, type NagKind } from "./kind.ts";
import { receiptId } from "./notification.ts";
import { pageRecordId } from "./page.ts";

const request: NagRequest = {
  about: { text: "pay rent" },
  curveName: "otu",
  curve: builtInCurves.otu,
  target: "telegram:7",
  origin: null,
  at: 1_000,
  atText: "now",
};
const nagOwner = { owner: "mina", quiet: null };

describe("a new nag", () => {
  test("about a page holds it, and has it as parent", () => {
    const draft = makeNag({ ...request, about: { page: "p1" } }, nagOwner);
    assert.deepEqual(draft.holds, [nagPageHold("mina", "p1")]);
    assert.equal(draft.parent, pageRecordId("mina", "p1"));
    assert.deepEqual(makeNag(request, nagOwner).holds, []);
  });

  test("is refused when it could not be sent", () => {
    const wrong: Record<string, [Partial<NagRequest>, string]> = {
      "an empty text": [{ about: { text: " " } }, "invalid"],
      "a long text": [{ about: { text: "x".repeat(20_001) } }, "too_large"],
      "an invalid target": [{ target: "nowhere" }, "invalid"],
      "an unknown zone": [{ zone: "Mars/Base" }, "invalid"],
      "an invalid curve": [{ curve: { ...builtInCurves.otu, factor: 0 } }, "invalid"],
      "an invalid time": [{ at: Number.NaN }, "invalid"],
    };
    for (const [name, [change, code]] of Object.entries(wrong)) {
      assert.throws(() => makeNag({ ...request, ...change }, nagOwner), { code }, name);
    }
  });

  test("is refused when no hour is open, unless its priority is high", () => {
    const quiet = { from: "06:00", to: "23:00" };
    assert.throws(() => makeNag(request, { ...nagOwner, quiet }), { code: "invalid" });
    assert.doesNotThrow(() => makeNag(request, { ...nagOwner, quiet, priority: "high" }));
    assert.doesNotThrow(() =>
      makeNag(request, { ...nagOwner, quiet: { from: "22:00", to: "08:00" } }),
    );
  });
});

type Nag = LedgerRecord<NagKind>;

/** A nag as the ledger returns it. */
function record(change: Partial<Nag> = {}, saying: string | null = null): Nag {
  const { body, outcome } = makeNag({ ...request, about: { page: "p1" } }, nagOwner);
  assert.ok(outcome);
  const lease = { holder: "n1", fence: 1, claimedAt: 1 };
  return {
    kind: "nag",
    id: "n",
    owner: "mina",
    by: "mina",
    key: null,
    parent: null,
    state: "active",
    priority: "normal",
    queue: "nag",
    lane: null,
    revision: 4,
    attempt: 1,
    lapses: 0,
    body,
    outcome: { ...outcome, count: 5, saying, nextAt: null, failures: 2, reason: "no" },
    cancelling: false,
    readyAt: 1,
    wakeAt: 1,
    lease: saying === null ? null : lease,
    createdAt: 1,
    updatedAt: 1,
    endedAt: null,
    ...change,
  };
}

describe("a change", () => {
  const later = { at: 9_000, atText: "+9s" };

  test("names the revision that was read, and keeps the hold of the page", () => {
    for (const { edit } of [snoozed(record(), later), paused(record()), resumed(record(), 5)]) {
      assert.deepEqual([edit.ifRevision, edit.holds], [4, [nagPageHold("mina", "p1")]]);
    }
  });

  test("recalls the current notification, whose delivery still counts", () => {
    const changes = [snoozed, paused, resumed, finished, deleted].map((change) =>
      change === snoozed
        ? snoozed(record({}, "s"), later)
        : (change as typeof paused)(record({}, "s")),
    );
    for (const { edit, consequences } of changes) {
      assert.ok(consequences.cancel?.some(({ id }) => id === "s"));
      assert.deepEqual([edit.outcome?.saying, edit.outcome?.recalled], [null, "s"]);
    }
  });

  test("of the time keeps the count and resets the failures", () => {
    const { edit } = snoozed(record({ state: "paused" }), later);
    assert.ok("state" in edit);
    assert.deepEqual([edit.state, edit.wakeAt, edit.body?.asked], ["active", 9_000, 2]);
    const { asked: plan, count, nextAt, failures, reason } = edit.outcome ?? {};
    assert.deepEqual([plan, count, nextAt, failures, reason], [2, 5, 9_000, 0, null]);
  });

  test("to done ends a nag, or marks it while it is leased", () => {
    assert.ok("ends" in finished(record()).edit);
    const { edit } = finished(record({}, "s"));
    assert.equal("ends" in edit, false);
    assert.equal(edit.body?.isDone, true);
  });

  test("by a second request undoes a done, and keeps the count", () => {
    const before = record();
    const isDone = { ...before, body: { ...before.body, isDone: true as const } };
    const target = "slack:C1";
    const { edit } = requestedAgain(isDone, { ...later, target }, null);
    assert.deepEqual(
      [edit.body?.isDone, edit.body?.target, edit.outcome?.count],
      [undefined, target, 5],
    );
    const wrong = { ...later, curve: { ...builtInCurves.otu, factor: 0 } };
    assert.throws(() => requestedAgain(before, wrong, null), { code: "invalid" });
  });

  test("of a nag that has ended, or is being deleted, is refused", () => {
    for (const ended of [record({ endedAt: 5, state: "done" }), record({ cancelling: true })]) {
      assert.throws(() => snoozed(ended, later), { code: "ended" });
      assert.throws(() => requestedAgain(ended, later, null), { code: "ended" });
      assert.throws(() => paused(ended), { code: "ended" });
    }
  });
});

test("a receipt's id is the channel's id of the message", () => {
  const named = (
    receipt: NonNullable<LedgerRecord<NotificationKind>["outcome"]>["receipt"],
  ): string =>
    receiptId({
      id: "own",
      outcome: { receipt, reason: null, maybeDelivered: false },
    } as LedgerRecord<NotificationKind>);
  assert.equal(named({ messageId: "<a@b>", accepted: 1 }), "<a@b>");
  assert.equal(named({ chat: 7, messages: [11, 12] }), "12");
  assert.equal(named({ id: 3 }), "3");
  assert.equal(named({ digest: "d", receipt: { messages: ["x"] } }), "x");
  assert.equal(named({ status: 200 }), "own");
  assert.equal(named({ messages: [] }), "own");
  assert.equal(named(null), "own");
});
