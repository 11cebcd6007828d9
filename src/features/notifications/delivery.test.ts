import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Claimed } from "../../kernel/record.ts";
import type { Facts } from "../../kernel/verdict.ts";
import { afterSending, beforeSending } from "./delivery.ts";
import type { NotificationKind } from "./kind.ts";
import type { Sent } from "./receipt.ts";

const now = 1_794_785_400_000;
const attemptsMax = 12;
const facts: Facts = { now, jitter: 0 };
type Notification = Claimed<NotificationKind>;

interface Change {
  attempt?: number;
  lapses?: number;
  at?: number;
  maybeDelivered?: boolean;
  body?: { expiresAt?: number; atMostOnce?: boolean };
}

function claimed(change: Change): Notification {
  const { attempt = 1, lapses = 0, at = now - 5, maybeDelivered, body } = change;
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
    lane: "stdout:daemon",
    revision: 1,
    attempt,
    lapses,
    body: {
      message: "hi",
      at,
      atText: "+1s",
      target: "stdout:daemon",
      origin: "stdout:daemon",
      ...body,
    },
    outcome:
      maybeDelivered === undefined ? null : { receipt: null, reason: "earlier", maybeDelivered },
    cancelling: false,
    readyAt: at,
    wakeAt: now + 15_000,
    lease: { holder: "node-a", fence: attempt, claimedAt: now - 3 },
    createdAt: now - 60_000,
    updatedAt: now - 60_000,
    endedAt: null,
  };
}

describe("before sending", () => {
  test("a due notification is not held back", () => {
    for (const attempt of [1, attemptsMax]) {
      assert.equal(beforeSending(claimed({ attempt }), facts), undefined);
      assert.equal(beforeSending(claimed({ attempt, at: now }), facts), undefined);
    }
  });
  test("a snoozed notification waits for its new time with fresh attempts", () => {
    for (const attempt of [1, attemptsMax, attemptsMax + 1]) {
      assert.deepEqual(beforeSending(claimed({ attempt, at: now + 1 }), facts), {
        state: "pending",
        wakeAt: now + 1,
        freshStart: true,
        outcome: { receipt: null, reason: null, maybeDelivered: false },
      });
    }
  });
  test("fresh attempts reset the lapses, but keep a possible arrival", () => {
    for (const change of [{ lapses: 1 }, { maybeDelivered: true }]) {
      const verdict = beforeSending(claimed({ ...change, at: now + 1 }), facts);
      assert.equal(verdict?.outcome?.maybeDelivered, true);
    }
  });
  test("an at-most-once notification is not retried after an unknown result", () => {
    const body = { atMostOnce: true };
    assert.equal(beforeSending(claimed({ body }), facts), undefined);
    for (const change of [{ lapses: 1 }, { maybeDelivered: true }]) {
      const verdict = beforeSending(claimed({ ...change, body }), facts);
      assert.equal(verdict && "ends" in verdict && verdict.ends, "unconfirmed");
      assert.equal(verdict?.outcome?.maybeDelivered, true);
    }
  });
  test("a notification expires at its time to the millisecond", () => {
    const ends = (expiresAt: number): unknown => {
      const verdict = beforeSending(claimed({ body: { expiresAt } }), facts);
      return verdict && "ends" in verdict ? verdict.ends : undefined;
    };
    assert.equal(ends(now + 1), undefined);
    assert.equal(ends(now), "expired");
  });
  test("a notification whose attempts were all interrupted fails", () => {
    const reason = "gave up after 12 attempts";
    assert.deepEqual(beforeSending(claimed({ attempt: attemptsMax + 1, lapses: 12 }), facts), {
      ends: "failed",
      note: reason,
      outcome: { receipt: null, reason, maybeDelivered: true },
    });
  });
});

describe("after sending", () => {
  const sents = {
    delivered: { result: "delivered", receipt: { line: 7 } },
    retry: { result: "retry", reason: "busy" },
    rejected: { result: "rejected", reason: "no such chat" },
    unknown: { result: "unknown", reason: "no answer" },
    absent: { result: "absent", reason: "nobody listens", maybe: false },
  } satisfies Record<Sent["result"], Sent>;
  type Where = "delivered" | "failed" | "pending" | "pending afresh" | "unconfirmed" | "expired";
  type Row = [sent: Sent["result"], change: Change, where: Where, wakeMs: number, maybe: boolean];
  const last = attemptsMax;
  const later = now + 3_600_000;
  const table: Row[] = [
    ["delivered", { attempt: 1 }, "delivered", 0, false],
    ["delivered", { attempt: 1, at: later }, "delivered", 0, false],
    ["delivered", { attempt: last }, "delivered", 0, false],
    ["delivered", { attempt: 2, lapses: 1 }, "delivered", 0, true],
    ["delivered", { attempt: 2, maybeDelivered: true }, "delivered", 0, true],
    ["delivered", { attempt: 2, maybeDelivered: false }, "delivered", 0, false],
    ["rejected", { attempt: 1 }, "failed", 0, false],
    ["rejected", { attempt: 1, at: later }, "failed", 0, false],
    ["rejected", { attempt: 2, lapses: 1 }, "failed", 0, true],
    ["rejected", { attempt: 2, maybeDelivered: true }, "failed", 0, true],
    ["retry", { attempt: 1 }, "pending", 500, false],
    ["retry", { attempt: 2, lapses: 1 }, "pending", 1_000, true],
    ["retry", { attempt: 11 }, "pending", 450_000, false],
    ["retry", { attempt: last }, "failed", 0, false],
    ["retry", { attempt: last, lapses: 3 }, "failed", 0, true],
    ["retry", { attempt: last + 1 }, "failed", 0, false],
    ["retry", { attempt: 1, at: later }, "pending afresh", 3_600_000, false],
    ["retry", { attempt: last, at: later }, "pending afresh", 3_600_000, false],
    ["retry", { attempt: 3, at: now + 1, lapses: 1 }, "pending afresh", 2_000, true],
    ["unknown", { attempt: 1 }, "pending", 500, true],
    ["unknown", { attempt: 11, lapses: 2 }, "pending", 450_000, true],
    ["unknown", { attempt: last }, "failed", 0, true],
    ["unknown", { attempt: last, at: later }, "pending afresh", 3_600_000, true],
    ["unknown", { body: { atMostOnce: true } }, "unconfirmed", 0, true],
    ["retry", { body: { atMostOnce: true } }, "pending", 500, false],
    ["retry", { attempt: 11, body: { expiresAt: now + 90 } }, "pending", 90, false],
    ["absent", { attempt: 1 }, "pending afresh", 0, false],
    ["absent", { attempt: 99, lapses: 1 }, "pending afresh", 0, true],
    ["absent", { at: later }, "pending afresh", 3_600_000, false],
  ];
  for (const [result, change, where, wakeMs, maybe] of table) {
    test(`${result} with ${JSON.stringify(change)} is ${where}`, () => {
      const verdict = afterSending(claimed(change), sents[result], facts);
      const pending = "state" in verdict ? verdict : undefined;
      const afresh = pending?.freshStart === true ? "pending afresh" : "pending";
      assert.equal("ends" in verdict ? verdict.ends : afresh, where);
      assert.equal(pending?.wakeAt, pending === undefined ? undefined : now + wakeMs);
      assert.equal(verdict.outcome?.maybeDelivered, maybe);
    });
  }

  test("the history has the reason of a failure and an unknown result", () => {
    const note = (sent: Sent, attempt: number): string | undefined =>
      afterSending(claimed({ attempt }), sent, facts).note;
    assert.equal(note(sents.delivered, 1), undefined);
    assert.equal(note(sents.rejected, 1), "no such chat");
    assert.equal(note(sents.retry, 1), "busy");
    assert.equal(note(sents.unknown, 1), "fate unknown: no answer");
    assert.equal(note(sents.retry, last), "busy; gave up after 12 attempts");
  });
});

describe("in quiet hours", () => {
  const until = now + 3_600_000;
  test("a notification waits for the digest of its target", () => {
    const first = afterSending(claimed({}), { result: "quiet", until }, facts);
    const other = { ...claimed({ attempt: 2 }), id: "n2" };
    const second = afterSending(other, { result: "quiet", until }, facts);
    assert.deepEqual(first.consequences, second.consequences);
    const [digest] = first.consequences?.append ?? [];
    assert.equal(digest && "wakeAt" in digest && digest.wakeAt, until);
    assert.equal(first.outcome?.digest, digest?.id);
    assert.ok("wakeAt" in first && (first.wakeAt ?? 0) > until, "the digest goes first");
  });
  test("a notification that would expire before their end expires at once", () => {
    const ends = (expiresAt: number): unknown => {
      const record = claimed({ body: { expiresAt } });
      const verdict = afterSending(record, { result: "quiet", until }, facts);
      return "ends" in verdict && verdict.ends;
    };
    assert.equal(ends(until), "expired");
    assert.equal(ends(until + 1), false);
  });
  test("a digest wakes its members when it ends, and not when it is retried", () => {
    const members = ["a", "b"];
    const wakes = (sent: Sent): unknown =>
      afterSending(claimed({}), { result: "digest sent", sent, members }, facts).consequences?.wake;
    const both = [{ id: "a" }, { id: "b" }];
    assert.deepEqual(wakes({ result: "delivered", receipt: 1 }), both);
    assert.deepEqual(wakes({ result: "rejected", reason: "blocked" }), both);
    assert.equal(wakes({ result: "retry", reason: "busy" }), undefined);
  });
});

describe("any result of a channel", () => {
  const reason = fc.string();
  const afterMs = fc.oneof(
    fc.integer({ min: 0, max: 366 * 86_400_000 }),
    fc.double({ min: 0, max: 1_000_000, noNaN: true }),
  );
  const anySent: fc.Arbitrary<Sent> = fc.oneof(
    fc.record({
      result: fc.constant("delivered" as const),
      receipt: fc.dictionary(fc.string(), fc.integer()),
    }),
    fc.record(
      { result: fc.constant("retry" as const), reason, afterMs },
      { requiredKeys: ["result", "reason"] },
    ),
    fc.record({ result: fc.constantFrom("rejected" as const, "unknown" as const), reason }),
  );
  const anyChange: fc.Arbitrary<Change> = fc.record(
    {
      attempt: fc.integer({ min: 1, max: 20 }),
      lapses: fc.nat(20),
      at: fc.integer({ min: now - 86_400_000, max: now + 86_400_000 }),
      maybeDelivered: fc.boolean(),
    },
    { requiredKeys: ["attempt", "lapses", "at"] },
  );
  const anyFacts = fc.record({
    now: fc.constant(now),
    jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const holds = (law: (record: Notification, sent: Sent, facts: Facts) => void): void =>
    fc.assert(
      fc.property(anyChange, anySent, anyFacts, (change, sent, at) =>
        law(claimed(change), sent, at),
      ),
    );

  test("the next attempt is never before its own time or the target's", () => {
    holds((record, sent, at) => {
      const verdict = afterSending(record, sent, at);
      if (!("state" in verdict)) return;
      const asked = sent.result === "retry" ? (sent.afterMs ?? 0) : 0;
      assert.ok(Number.isSafeInteger(verdict.wakeAt));
      assert.ok((verdict.wakeAt ?? 0) >= Math.max(now + asked, now + 1, record.body.at));
    });
  });
  test("only a delivered notification has the channel's receipt", () => {
    holds((record, sent, at) => {
      const verdict = afterSending(record, sent, at);
      const receipt = sent.result === "delivered" ? sent.receipt : null;
      assert.deepEqual(verdict.outcome?.receipt, receipt);
      assert.equal("ends" in verdict && verdict.ends === "delivered", sent.result === "delivered");
    });
  });
  test("a notification ends after its last attempt, unless it was snoozed", () => {
    holds((record, sent, at) => {
      if (record.attempt < attemptsMax || record.body.at > now) return;
      assert.ok("ends" in afterSending(record, sent, at));
    });
  });
  test("a possible arrival is always kept", () => {
    holds((record, sent, at) => {
      const maybe = record.lapses > 0 || record.outcome?.maybeDelivered === true;
      const verdict = afterSending(record, sent, at);
      assert.equal(verdict.outcome?.maybeDelivered, maybe || sent.result === "unknown");
    });
  });
  test("an invalid wait becomes a valid time", () => {
    for (const afterMs of [NaN, Infinity, -Infinity, -1, 1e300, Number.MAX_SAFE_INTEGER]) {
      const sent: Sent = { result: "retry", reason: "busy", afterMs };
      const verdict = afterSending(claimed({}), sent, facts);
      const wakeAt = "state" in verdict ? verdict.wakeAt : undefined;
      assert.ok(Number.isSafeInteger(wakeAt) && (wakeAt ?? 0) > now, `${afterMs}: ${wakeAt}`);
    }
  });
});
