import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagFixture, owner, runningFixture, type NagFixture } from "../../testing/nag-fixture.ts";
import { makeNotification } from "../notifications/kind.ts";
import { finished, resumed } from "./change.ts";
import { builtInCurves, type Curve } from "./curve.ts";
import { type NagKind, nagKind } from "./kind.ts";
import { pageEdit } from "./page.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

const hoursOf = (at: NagFixture, since: number): number[] =>
  at.sent.map(({ sentAt }) => Math.floor((sentAt - since) / hourMs));

describe("a nag", () => {
  test("is sent at once, then after 1, 2, 4 … days, and counts deliveries", async () => {
    const at = await runningFixture();
    const startedAt = at.kernel.now();
    const id = await at.addNag();
    await at.pass(16 * dayMs);
    assert.deepEqual(
      hoursOf(at, startedAt).map((hours) => hours / 24),
      [0, 1, 3, 7, 15],
    );
    const { outcome, state } = await at.nag(id);
    const notifications = await at.notificationsOf(id);
    assert.deepEqual(outcome, {
      asked: 1,
      count: 6,
      round: 5,
      nextAt: startedAt + 31 * dayMs,
      counted: { from: notifications.at(-1)?.endedAt, number: 5, zone: "UTC" },
      saying: null,
      lastDelivered: notifications.at(-1)?.id,
      lastReceiptId: "m2",
      failures: 0,
      reason: null,
    });
    assert.equal(state, "active");
  });

  test("is not sent again once it is done", async () => {
    const at = await runningFixture();
    const id = await at.addNag();
    await at.pass(hourMs);
    await at.change(id, finished);
    await at.pass(400 * dayMs);
    assert.equal((await at.nag(id)).state, "done");
    assert.equal(at.sent.length, 1);
  });

  test("sends the page's current text, cut between characters", async () => {
    const at = await runningFixture();
    const page = await at.addPage("p1", "Rent", "<p>due <b>soon</b></p>");
    const id = await at.addNag({ about: { page: "p1" } });
    await at.pass(hourMs);
    const flags = "🇰🇷".repeat(2_500);
    await at.ledger.of(owner, owner).edit(pageEdit(page, { title: "Rent!", body: flags }));
    await at.pass(dayMs);
    assert.deepEqual(
      at.sent.map(({ text }) => text),
      ["Rent\ndue soon", `Rent!\n${"🇰🇷".repeat(2_000)}`],
    );
    assert.equal((await at.nag(id)).parent, page.id);
  });

  test("is paused at the curve's message limit, and continues when it is resumed", async () => {
    const at = await runningFixture();
    const curve: Curve = { ...builtInCurves.minutes, countMax: 3 };
    const id = await at.addNag({ curve });
    await at.pass(dayMs);
    const nag = await at.nag(id);
    assert.deepEqual([at.sent.length, nag.state, nag.wakeAt], [3, "paused", null]);
    assert.match(nag.outcome?.reason ?? "", /allows 3 messages/);
    await at.change(id, (record) => resumed(record, at.kernel.now()));
    await at.pass(hourMs);
    assert.deepEqual([at.sent.length, (await at.nag(id)).state], [4, "paused"]);
  });

  test("escalates to a second target from a message number on", async () => {
    const at = await runningFixture();
    const escalate = { after: 3, target: "fake:boss" };
    const id = await at.addNag({ curve: { ...builtInCurves.minutes, escalate } });
    await at.pass(36 * minuteMs);
    assert.deepEqual(at.sent.map(({ address }) => address).toSorted(), [
      "boss",
      "boss",
      "mina",
      "mina",
      "mina",
      "mina",
    ]);
    const also = (await at.notificationsOf(id)).filter(({ body }) => body.target === "fake:boss");
    assert.deepEqual(
      also.map(({ key, body }) => [key, body.wakesParent]),
      [
        [`nag:${id}:3:also`, undefined],
        [`nag:${id}:4:also`, undefined],
      ],
    );
    assert.equal((await at.nag(id)).outcome?.count, 5);
  });
});

describe("a failed send", () => {
  test("is not counted, is retried with backoff, and records the reason", async () => {
    const at = await runningFixture();
    const startedAt = at.kernel.now();
    const curve: Curve = builtInCurves.minutes;
    const id = await at.addNag({ target: "nowhere:x", curve });
    await at.pass(2 * hourMs);
    const { outcome, state } = await at.nag(id);
    assert.equal(state, "active");
    assert.equal(outcome?.count, 1);
    assert.equal(outcome.failures, 4);
    assert.match(outcome.reason ?? "", /the channel "nowhere" is not configured/);
    const triedAt = (await at.notificationsOf(id)).map(({ createdAt }) =>
      Math.round((createdAt - startedAt) / minuteMs),
    );
    assert.deepEqual(triedAt, [0, 15, 45, 105]);
    await at.pass(10 * dayMs);
    const all = (await at.notificationsOf(id)).map(({ createdAt }) => createdAt);
    const last = all.slice(-2);
    assert.equal((last[1] ?? 0) - (last[0] ?? 0), dayMs);
  });

  test("is followed by a delivery that counts as the first", async () => {
    const at = await runningFixture();
    at.answer = () => ({ result: "rejected", reason: "the chat is gone" });
    const id = await at.addNag({ curve: builtInCurves.minutes });
    await at.pass(minuteMs);
    assert.equal((await at.nag(id)).outcome?.reason, "the chat is gone");
    at.answer = () => ({ result: "delivered", receipt: { id: 7 } });
    await at.pass(15 * minuteMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual(
      [outcome?.count, outcome?.failures, outcome?.reason, outcome?.lastReceiptId],
      [2, 0, null, "7"],
    );
  });

  test("a cancelled notification is not counted, and the next follows the curve", async () => {
    const at = nagFixture();
    await at.startNagger();
    const id = await at.addNag({ curve: builtInCurves.minutes });
    await at.pass(minuteMs);
    const [notification] = await at.notificationsOf(id);
    assert.ok(notification);
    const book = at.ledger.of(owner, owner);
    await book.cancel({ id: notification.id }, { wake: [{ id }] });
    await at.pass(minuteMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([outcome?.count, outcome?.failures, outcome?.lastDelivered], [1, 0, null]);
    assert.equal(outcome?.counted?.number, 1);
    await at.startDeliverer();
    await at.pass(8 * minuteMs);
    assert.equal(at.sent.length, 1);
  });
});

test("an end that does not wake the nag is found within the hour", async () => {
  const at = nagFixture();
  await at.startNagger();
  const id = await at.addNag({ curve: builtInCurves.minutes });
  await at.pass(minuteMs);
  const [notification] = await at.notificationsOf(id);
  const book = at.ledger.of(owner, owner);
  await book.cancel({ id: notification?.id ?? "" });
  await at.pass(58 * minuteMs);
  assert.equal((await at.nag(id)).outcome?.saying, notification?.id);
  await at.pass(2 * minuteMs);
  assert.equal((await at.nag(id)).outcome?.saying, null);
});

test("a nag whose notification waits for a listener is rechecked less and less often", async () => {
  const at = nagFixture();
  await at.startNagger();
  await at.addNag({ target: `inbox:${owner}` });
  await at.pass(minuteMs);
  at.calls.length = 0;
  await at.pass(30 * dayMs);
  const rechecks = at.calls.filter(({ verb }) => verb === "settle").length;
  assert.ok(rechecks >= 28 && rechecks < 40, `${rechecks} rechecks in 30 days`);
});

test("sending a text reads one record, sending a page two", async () => {
  const at = await runningFixture();
  await at.addPage("p1", "Rent");
  const reads = async (about: { text: string } | { page: string }): Promise<number[]> => {
    at.calls.length = 0;
    const id = await at.addNag({ about });
    await at.pass(minuteMs);
    assert.equal((await at.nag(id)).outcome?.count, 2);
    return ["get", "list"].map((verb) => at.calls.filter((call) => call.verb === verb).length);
  };
  // The last get is this test's own.
  assert.deepEqual(await reads({ text: "pay rent" }), [2, 0]);
  assert.deepEqual(await reads({ page: "p1" }), [3, 0]);
});

test("a lapsed lease is taken over, and its first holder writes nothing", async () => {
  const at = nagFixture();
  const id = await at.addNag();
  const { work } = at.ledger;
  const { records } = await work.claim({ kind: nagKind, holder: "dead", leaseMs: 5_000, limit: 1 });
  const [lost] = records;
  assert.ok(lost);
  await at.startNagger("alive");
  await at.startDeliverer();
  await at.pass(4_000);
  assert.equal(at.sent.length, 0);
  await at.pass(minuteMs);
  const { fence } = lost.lease;
  const revision = lost.revision;
  const late = await work.settle<NagKind>([{ id, fence, revision, state: "active", wakeAt: 0 }]);
  await at.pass(minuteMs);
  assert.deepEqual(late, [{ result: "stale" }]);
  assert.deepEqual([at.sent.length, (await at.nag(id)).outcome?.count], [1, 2]);
});

test("a notification without a nag is delivered", async () => {
  const at = nagFixture();
  await at.startDeliverer();
  const body = {
    message: "hi",
    at: at.kernel.now(),
    atText: "now",
    target: "fake:a",
    origin: null,
  };
  const { id } = await at.ledger.of(owner, owner).append(makeNotification(body));
  await at.pass(minuteMs);
  assert.equal((await at.ledger.of(owner, owner).get(id))?.state, "delivered");
});
