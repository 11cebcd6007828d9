import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import { morningFixture, owner, type NagFixture } from "../../testing/nag-fixture.ts";
import type { Sent } from "../notifications/receipt.ts";
import { deleted, finished, paused, resumed, snoozed, pageDeletion } from "./change.ts";
import { pageEdit, type PageKind } from "./page.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** Requests that arrive while the nag is being sent. Each is one unit. */
const changes = {
  done: (at: Scenario) => at.change(at.id, finished),
  snooze: (at: Scenario) =>
    at.change(at.id, (nag) => snoozed(nag, { at: at.kernel.now() + 2 * hourMs, atText: "+2h" })),
  pause: (at: Scenario) => at.change(at.id, (nag) => paused(nag)),
  delete: (at: Scenario) => at.change(at.id, (nag) => deleted(nag)),
  "page edit": async (at: Scenario) => {
    await at.ledger.of(owner, owner).edit(pageEdit(at.about, { title: "new text" }));
  },
  "page delete": async (at: Scenario) => {
    const { edit, consequences } = pageDeletion(at.about, [await at.nag(at.id)]);
    await at.ledger.of(owner, owner).edit(edit, consequences);
  },
} as const;
type Change = keyof typeof changes;

interface Scenario extends NagFixture {
  id: string;
  about: LedgerRecord<PageKind>;
}

/** Brings the nag to a moment, and returns the function that lets it continue. */
type Moment = (at: Scenario) => Promise<() => Promise<void> | void>;

interface Expected {
  /** How many messages are delivered although the nag was changed. */
  readonly delivered: 0 | 1;
  /** What a message has after the page was edited. */
  readonly text: string;
}

const moments: Record<string, Expected & { reach: Moment }> = {
  "before the controller has read it": {
    delivered: 0,
    text: "new text",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<void>();
      at.gates.profile = promise;
      await begin(at);
      assert.notEqual((await at.nag(at.id)).lease, null);
      return resolve;
    },
  },
  "before its claim is settled": {
    delivered: 0,
    text: "old text",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<void>();
      at.gates.settle = promise;
      await begin(at);
      assert.notEqual((await at.nag(at.id)).lease, null);
      return resolve;
    },
  },
  "while its notification waits": {
    delivered: 0,
    text: "old text",
    async reach(at) {
      await at.startNagger();
      await at.pass(1);
      assert.equal((await at.notificationsOf(at.id))[0]?.lease, null);
      return async () => void (await at.startDeliverer());
    },
  },
  "while its notification is being sent": {
    delivered: 1,
    text: "old text",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<Sent>();
      at.answer = () => promise;
      await begin(at);
      assert.equal(at.sent.length, 1);
      return () => {
        at.answer = () => accepted;
        resolve(accepted);
      };
    },
  },
  "after a delivery that is not counted yet": {
    delivered: 1,
    text: "old text",
    async reach(at) {
      const nagger = await at.startNagger();
      await at.pass(1);
      await nagger.stop();
      await at.startDeliverer();
      await at.pass(1);
      assert.equal((await at.notificationsOf(at.id))[0]?.state, "delivered");
      assert.equal((await at.nag(at.id)).outcome?.count, 1);
      return async () => void (await at.startNagger("n2"));
    },
  },
};
const accepted: Sent = { result: "delivered", receipt: { id: 1 } };

async function begin(at: Scenario): Promise<void> {
  await at.startNagger();
  await at.startDeliverer();
  await at.pass(1);
}

async function scenario(): Promise<Scenario> {
  const at = await morningFixture();
  const about = await at.addPage("p1", "old text");
  return Object.assign(at, { about, id: await at.addNag({ about: { page: "p1" } }) });
}

const ends: Partial<Record<Change, string>> = {
  done: "done",
  delete: "cancelled",
  "page delete": "cancelled",
};

for (const [moment, { reach, ...expected }] of Object.entries(moments)) {
  describe(`a change of a nag ${moment}`, () => {
    for (const change of Object.keys(changes) as Change[]) {
      test(`${change} wins`, async () => {
        const at = await scenario();
        const release = await reach(at);
        await changes[change](at);
        await release();
        await at.pass(minuteMs);
        await check(at, change, expected);
      });
    }
  });
}

async function check(at: Scenario, change: Change, { delivered, text }: Expected): Promise<void> {
  const isSent = delivered === 1 || change === "page edit";
  assert.equal(at.sent.length, isSent ? 1 : 0, "at once");
  if (isSent) assert.equal(at.sent[0]?.text, change === "page edit" ? text : "old text");
  await checkState(at, change, isSent);
  if (change === "page edit") return checkContinues(at);
  await at.pass(3 * hourMs);
  const later = change === "snooze" ? 1 : 0;
  assert.equal(at.sent.length, delivered + later, "until three hours later");
  if (change === "snooze") return checkContinues(at);
  await at.pass(40 * dayMs);
  assert.equal(at.sent.length, delivered, "until forty days later");
  if (change !== "pause") return;
  await at.change(at.id, (nag) => resumed(nag, at.kernel.now()));
  await at.pass(minuteMs);
  assert.equal(at.sent.length, delivered + 1, "when it is resumed");
}

async function checkState(at: Scenario, change: Change, isSent: boolean): Promise<void> {
  const { state, outcome, endedAt } = await at.nag(at.id);
  assert.equal(state, ends[change] ?? (change === "pause" ? "paused" : "active"));
  assert.equal(endedAt !== null, ends[change] !== undefined);
  if (endedAt === null) {
    assert.equal(outcome?.count, isSent ? 2 : 1, "deliveries are counted");
    assert.equal(outcome.recalled, undefined);
  }
  for (const { endedAt: sentAt } of await at.notificationsOf(at.id)) assert.notEqual(sentAt, null);
}

/** The next message is sent at the planned time, and is counted. */
async function checkContinues(at: Scenario): Promise<void> {
  const before = at.sent.length;
  const next = (await at.nag(at.id)).outcome?.nextAt ?? 0;
  await at.pass(next - at.kernel.now() + minuteMs);
  assert.equal(at.sent.length, before + 1);
  assert.equal(at.sent.at(-1)?.sentAt, next);
  assert.equal((await at.nag(at.id)).outcome?.count, at.sent.length + 1);
  assert.equal(new Set(at.sent.map(({ id }) => id)).size, at.sent.length);
}

test("a change that was decided on an older revision is refused as stale", async () => {
  const at = await scenario();
  const read = await at.nag(at.id);
  await at.change(at.id, (nag) => paused(nag));
  const book = at.ledger.of(owner, owner);
  for (const stale of [finished(read), deleted(read), snoozed(read, { at: 0, atText: "" })]) {
    await assert.rejects(book.edit(stale.edit, stale.consequences), { code: "stale" });
  }
  const { edit, consequences } = pageDeletion(at.about, [read]);
  await assert.rejects(book.edit(edit, consequences), { code: "stale" });
  assert.equal((await book.get(at.about.id))?.state, "kept", "nothing of the unit was written");
});

test("a nag that was created while its page was deleted is not sent", async () => {
  const at = await scenario();
  const { edit, consequences } = pageDeletion(at.about, []);
  await at.ledger.of(owner, owner).edit(edit, consequences);
  await begin(at);
  assert.deepEqual([(await at.nag(at.id)).state, at.sent.length], ["cancelled", 0]);
});
