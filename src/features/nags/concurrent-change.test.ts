import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import { nagFixture, owner, type NagFixture } from "../../testing/nag-fixture.ts";
import { inZone } from "../../time/zone.ts";
import type { Sent } from "../notifications/receipt.ts";
import { deleted, finished, paused, resumed, snoozed, pageDeletion } from "./change.ts";
import { pageEdit, type PageKind } from "./page.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** What is asked while it is being said. Each is one unit. */
const changes = {
  done: (at: Scenario) => at.change(at.id, finished),
  snooze: (at: Scenario) =>
    at.change(at.id, (nag) => snoozed(nag, { at: at.kernel.now() + 2 * hourMs, atText: "+2h" })),
  pause: (at: Scenario) => at.change(at.id, (nag) => paused(nag)),
  delete: (at: Scenario) => at.change(at.id, (nag) => deleted(nag)),
  "page edit": async (at: Scenario) => {
    await at.ledger.of(owner, owner).edit(pageEdit(at.about, { title: "new words" }));
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

/** Brings it so far, and answers what lets it go on. */
type Moment = (at: Scenario) => Promise<() => Promise<void> | void>;

const moments: Record<string, { reach: Moment; arrived: 0 | 1; words: string }> = {
  "before it is looked at": {
    arrived: 0,
    words: "new words",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<void>();
      at.gates.look = promise;
      await begin(at);
      assert.notEqual((await at.nag(at.id)).lease, null);
      return resolve;
    },
  },
  "while it is leased and about to be settled": {
    arrived: 0,
    words: "old words",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<void>();
      at.gates.settle = promise;
      await begin(at);
      assert.notEqual((await at.nag(at.id)).lease, null);
      return resolve;
    },
  },
  "while its notification waits": {
    arrived: 0,
    words: "old words",
    async reach(at) {
      await at.plans();
      await at.pass(1);
      assert.equal((await at.sayings(at.id))[0]?.lease, null);
      return async () => void (await at.says());
    },
  },
  "while its notification is being sent": {
    arrived: 1,
    words: "old words",
    async reach(at) {
      const { promise, resolve } = Promise.withResolvers<Sent>();
      at.answer = () => promise;
      await begin(at);
      assert.equal(at.sent.length, 1);
      return () => {
        at.answer = () => yes;
        resolve(yes);
      };
    },
  },
  "when it arrived and that was not counted yet": {
    arrived: 1,
    words: "old words",
    async reach(at) {
      const planning = await at.plans();
      await at.pass(1);
      await planning.stop();
      await at.says();
      await at.pass(1);
      assert.equal((await at.sayings(at.id))[0]?.state, "delivered");
      assert.equal((await at.nag(at.id)).outcome?.count, 1);
      return async () => void (await at.plans("n2"));
    },
  },
};
const yes: Sent = { result: "delivered", receipt: { id: 1 } };

async function begin(at: Scenario): Promise<void> {
  await at.plans();
  await at.says();
  await at.pass(1);
}

async function scenario(): Promise<Scenario> {
  const at = nagFixture();
  const { hour } = inZone(at.kernel.now(), "UTC");
  await at.pass(((34 - hour) % 24) * hourMs);
  const about = await at.page("p1", "old words");
  return Object.assign(at, { about, id: await at.put({ about: { page: "p1" } }) });
}

const ends: Partial<Record<Change, string>> = {
  done: "done",
  delete: "cancelled",
  "page delete": "cancelled",
};

for (const [moment, { reach, arrived, words }] of Object.entries(moments)) {
  describe(moment, () => {
    for (const change of Object.keys(changes) as Change[]) {
      test(`${change} wins`, async () => {
        const at = await scenario();
        const goOn = await reach(at);
        await changes[change](at);
        await goOn();
        await at.pass(minuteMs);
        await check(at, change, { arrived, words });
      });
    }
  });
}

async function check(
  at: Scenario,
  change: Change,
  { arrived, words }: { arrived: number; words: string },
): Promise<void> {
  const isSaid = arrived === 1 || change === "page edit";
  assert.equal(at.sent.length, isSaid ? 1 : 0, "at once");
  if (isSaid) assert.equal(at.sent[0]?.text, change === "page edit" ? words : "old words");
  await checkState(at, change, isSaid);
  if (change === "page edit") return checkGoesOn(at);
  await at.pass(3 * hourMs);
  const again = change === "snooze" ? 1 : 0;
  assert.equal(at.sent.length, arrived + again, "until three hours later");
  if (change === "snooze") return checkGoesOn(at);
  await at.pass(40 * dayMs);
  assert.equal(at.sent.length, arrived, "ever after");
  if (change !== "pause") return;
  await at.change(at.id, (nag) => resumed(nag, at.kernel.now()));
  await at.pass(minuteMs);
  assert.equal(at.sent.length, arrived + 1, "when it is resumed");
}

async function checkState(at: Scenario, change: Change, isSaid: boolean): Promise<void> {
  const { state, outcome, endedAt } = await at.nag(at.id);
  assert.equal(state, ends[change] ?? (change === "pause" ? "paused" : "active"));
  assert.equal(endedAt !== null, ends[change] !== undefined);
  if (endedAt === null) {
    assert.equal(outcome?.count, isSaid ? 2 : 1, "what arrived is counted");
    assert.equal(outcome.recalled, undefined);
  }
  for (const said of await at.sayings(at.id)) assert.notEqual(said.endedAt, null, "none is left");
}

/** By the curve, and in the words of then. */
async function checkGoesOn(at: Scenario): Promise<void> {
  const before = at.sent.length;
  const next = (await at.nag(at.id)).outcome?.nextAt ?? 0;
  await at.pass(next - at.kernel.now() + minuteMs);
  assert.equal(at.sent.length, before + 1);
  assert.equal(at.sent.at(-1)?.sentAt, next);
  assert.equal((await at.nag(at.id)).outcome?.count, at.sent.length + 1);
  assert.equal(new Set(at.sent.map(({ id }) => id)).size, at.sent.length);
}

test("what was written on a record that somebody else changed since is refused as stale", async () => {
  const at = await scenario();
  const read = await at.nag(at.id);
  await at.change(at.id, (nag) => paused(nag));
  const book = at.ledger.of(owner, owner);
  for (const late of [finished(read), deleted(read), snoozed(read, { at: 0, atText: "" })]) {
    await assert.rejects(book.edit(late.edit, late.consequences), { code: "stale" });
  }
  const { edit, consequences } = pageDeletion(at.about, [read]);
  await assert.rejects(book.edit(edit, consequences), { code: "stale" });
  assert.equal((await book.get(at.about.id))?.state, "kept", "nothing of the unit was written");
});

test("a nag that was written beside the deletion of its page is not said", async () => {
  const at = await scenario();
  const { edit, consequences } = pageDeletion(at.about, []);
  await at.ledger.of(owner, owner).edit(edit, consequences);
  await begin(at);
  assert.deepEqual([(await at.nag(at.id)).state, at.sent.length], ["cancelled", 0]);
});
