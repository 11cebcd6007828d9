import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagFixture, owner, type NagFixture } from "../../testing/nag-fixture.ts";
import { inZone } from "../../time/zone.ts";
import { makeNotification } from "../notifications/kind.ts";
import { finished, resumed } from "./change.ts";
import { builtInCurves, type Curve } from "./curve.ts";
import { type NagKind, nagKind } from "./kind.ts";
import { pageEdit } from "./page.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** Both at work, from ten in the morning on. */
async function running(): Promise<NagFixture> {
  const at = nagFixture();
  const { hour } = inZone(at.kernel.now(), "UTC");
  await at.pass(((34 - hour) % 24) * hourMs);
  await at.plans();
  await at.says();
  return at;
}
const hoursOf = (at: NagFixture, since: number): number[] =>
  at.sent.map(({ sentAt }) => Math.floor((sentAt - since) / hourMs));

describe("a nag", () => {
  test("is said at once, then after 1, 2, 4 … days, and counted when it arrived", async () => {
    const at = await running();
    const begun = at.kernel.now();
    const id = await at.put();
    await at.pass(16 * dayMs);
    assert.deepEqual(
      hoursOf(at, begun).map((hours) => hours / 24),
      [0, 1, 3, 7, 15],
    );
    const { outcome, state } = await at.nag(id);
    const said = await at.sayings(id);
    assert.deepEqual(outcome, {
      asked: 1,
      count: 6,
      round: 5,
      nextAt: begun + 31 * dayMs,
      counted: { from: said.at(-1)?.endedAt, number: 5, zone: "UTC" },
      saying: null,
      lastDelivered: said.at(-1)?.id,
      lastReceiptId: "m2",
      failures: 0,
      reason: null,
    });
    assert.equal(state, "active");
  });

  test("ends when it is done, and is said no more", async () => {
    const at = await running();
    const id = await at.put();
    await at.pass(hourMs);
    await at.change(id, finished);
    await at.pass(400 * dayMs);
    assert.equal((await at.nag(id)).state, "done");
    assert.equal(at.sent.length, 1);
  });

  test("about a page says its words of that moment, cut on whole characters", async () => {
    const at = await running();
    const page = await at.page("p1", "Rent", "<p>due <b>soon</b></p>");
    const id = await at.put({ about: { page: "p1" } });
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

  test("rests when it was said as often as its curve allows, and goes on when it is resumed", async () => {
    const at = await running();
    const curve: Curve = { ...builtInCurves.minutes, countMax: 3 };
    const id = await at.put({ curve });
    await at.pass(dayMs);
    const rests = await at.nag(id);
    assert.deepEqual([at.sent.length, rests.state, rests.wakeAt], [3, "paused", null]);
    assert.match(rests.outcome?.reason ?? "", /3 times/);
    await at.change(id, (record) => resumed(record, at.kernel.now()));
    await at.pass(hourMs);
    assert.deepEqual([at.sent.length, (await at.nag(id)).state], [4, "paused"]);
  });

  test("goes to another target too, from a number on", async () => {
    const at = await running();
    const escalate = { after: 3, target: "fake:boss" };
    const id = await at.put({ curve: { ...builtInCurves.minutes, escalate } });
    await at.pass(36 * minuteMs);
    assert.deepEqual(at.sent.map(({ address }) => address).toSorted(), [
      "boss",
      "boss",
      "mina",
      "mina",
      "mina",
      "mina",
    ]);
    const also = (await at.sayings(id)).filter(({ body }) => body.target === "fake:boss");
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

describe("what cannot be said", () => {
  test("is not counted, is tried again further and further apart, and says why", async () => {
    const at = await running();
    const begun = at.kernel.now();
    const curve: Curve = builtInCurves.minutes;
    const id = await at.put({ target: "nowhere:x", curve });
    await at.pass(2 * hourMs);
    const { outcome, state } = await at.nag(id);
    assert.equal(state, "active");
    assert.equal(outcome?.count, 1);
    assert.equal(outcome.failures, 4);
    assert.match(outcome.reason ?? "", /no channel "nowhere" is set up/);
    const tried = (await at.sayings(id)).map(({ createdAt }) =>
      Math.round((createdAt - begun) / minuteMs),
    );
    assert.deepEqual(tried, [0, 15, 45, 105]);
    await at.pass(10 * dayMs);
    const all = (await at.sayings(id)).map(({ createdAt }) => createdAt);
    const last = all.slice(-2);
    assert.equal((last[1] ?? 0) - (last[0] ?? 0), dayMs);
  });

  test("is said when its channel takes it again, and then counts as the first", async () => {
    const at = await running();
    at.answer = () => ({ result: "rejected", reason: "the chat is gone" });
    const id = await at.put({ curve: builtInCurves.minutes });
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

  test("just this one cancelled: the next comes by the curve, and nothing is counted", async () => {
    const at = nagFixture();
    await at.plans();
    const id = await at.put({ curve: builtInCurves.minutes });
    await at.pass(minuteMs);
    const [said] = await at.sayings(id);
    assert.ok(said);
    const book = at.ledger.of(owner, owner);
    await book.cancel({ id: said.id }, { wake: [{ id }] });
    await at.pass(minuteMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([outcome?.count, outcome?.failures, outcome?.lastDelivered], [1, 0, null]);
    assert.equal(outcome?.counted?.number, 1);
    await at.says();
    await at.pass(8 * minuteMs);
    assert.equal(at.sent.length, 1);
  });
});

test("an end that the store wrote wakes nobody: it is found within the hour", async () => {
  const at = nagFixture();
  await at.plans();
  const id = await at.put({ curve: builtInCurves.minutes });
  await at.pass(minuteMs);
  const [said] = await at.sayings(id);
  const book = at.ledger.of(owner, owner);
  await book.cancel({ id: said?.id ?? "" });
  await at.pass(58 * minuteMs);
  assert.equal((await at.nag(id)).outcome?.saying, said?.id);
  await at.pass(2 * minuteMs);
  assert.equal((await at.nag(id)).outcome?.saying, null);
});

test("what waits for a listener is looked after less and less often", async () => {
  const at = nagFixture();
  await at.plans();
  await at.put({ target: `inbox:${owner}` });
  await at.pass(minuteMs);
  at.calls.length = 0;
  await at.pass(30 * dayMs);
  const looks = at.calls.filter(({ verb }) => verb === "settle").length;
  assert.ok(looks >= 28 && looks < 40, `${looks} looks in 30 days`);
});

test("a text costs no read but of its end, a page one more", async () => {
  const at = await running();
  await at.page("p1", "Rent");
  const reads = async (about: { text: string } | { page: string }): Promise<number[]> => {
    at.calls.length = 0;
    const id = await at.put({ about });
    await at.pass(minuteMs);
    assert.equal((await at.nag(id)).outcome?.count, 2);
    return ["get", "list"].map((verb) => at.calls.filter((call) => call.verb === verb).length);
  };
  // The last is this test's own.
  assert.deepEqual(await reads({ text: "pay rent" }), [2, 0]);
  assert.deepEqual(await reads({ page: "p1" }), [3, 0]);
});

test("a lease that lapsed is taken over, it is said once, and the dead one writes nothing", async () => {
  const at = nagFixture();
  const id = await at.put();
  const { work } = at.ledger;
  const { records } = await work.claim({ kind: nagKind, holder: "dead", leaseMs: 5_000, limit: 1 });
  const [lost] = records;
  assert.ok(lost);
  await at.plans("alive");
  await at.says();
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

test("a notification without a nag wakes nobody", async () => {
  const at = nagFixture();
  await at.says();
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
