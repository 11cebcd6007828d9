import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagFixture, owner, type NagFixture } from "../../testing/nag-fixture.ts";
import { inZone } from "../../time/zone.ts";
import { finished } from "./change.ts";
import { builtInCurves } from "./curve.ts";
import { nagKind } from "./kind.ts";

// The bugs of the program that this was learnt from, by the part of its facts that tells of them.

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

describe("what the seed got wrong", () => {
  test("C3: each time has a key of its own, so that no later one is taken for a repeat", async () => {
    const at = await running();
    const id = await at.put();
    await at.pass(4 * dayMs);
    const keys = (await at.sayings(id)).map(({ key }) => key);
    assert.deepEqual(keys, [`nag:${id}:1`, `nag:${id}:2`, `nag:${id}:3`]);
    assert.equal(new Set(at.sent.map((each) => each.id)).size, 3);
  });

  test("C2: the count goes on after the tenth, 256 days apart", async () => {
    const at = await running();
    const id = await at.put();
    await at.pass((511 + 3 * 256) * dayMs + hourMs);
    const { outcome } = await at.nag(id);
    assert.equal(outcome?.count, 14);
    assert.equal(outcome.nextAt, (at.sent.at(-1)?.sentAt ?? 0) + 256 * dayMs);
  });

  test("C7 2025-08-17: what is late by days is said when somebody is there again, and counted from then", async () => {
    const at = nagFixture();
    const id = await at.put({ curve: builtInCurves.minutes });
    await at.pass(10 * dayMs);
    const back = at.kernel.now();
    await at.plans();
    await at.says();
    await at.pass(minuteMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([at.sent.length, outcome?.count], [1, 2]);
    assert.ok((outcome?.nextAt ?? 0) >= back + 5 * minuteMs);
  });

  test("C7 2025-08-18: one bad row among many holds up none of the others", async () => {
    const at = await running();
    const bad = await at.put({ about: { page: "gone" } });
    const worse = await at.put({ target: "nowhere:x" });
    const good = await Promise.all(Array.from({ length: 20 }, () => at.put()));
    await at.pass(hourMs);
    assert.equal(at.sent.length, 20);
    for (const id of good) assert.equal((await at.nag(id)).outcome?.count, 2);
    assert.equal((await at.nag(bad)).state, "cancelled");
    assert.equal((await at.nag(worse)).outcome?.count, 1);
  });

  test("C7 2025-08-02: what takes hours to be said is not said twice", async () => {
    const at = nagFixture();
    for (const holder of ["n1", "n2"]) await at.plans(holder);
    const id = await at.put({ target: `inbox:${owner}` });
    await at.pass(30 * hourMs);
    assert.equal((await at.sayings(id)).length, 1);
    assert.equal((await at.nag(id)).outcome?.count, 1);
  });

  test("C7 2025-08-05: a claim is no change that clients would have to hear of", async () => {
    const at = nagFixture();
    const id = await at.put();
    const before = await at.nag(id);
    const book = at.ledger.of(owner, owner);
    const { cursor } = await book.changes({});
    await at.pass(minuteMs);
    await at.ledger.work.claim({ kind: nagKind, holder: "n1", leaseMs: 5_000, limit: 1 });
    const after = await at.nag(id);
    assert.notEqual(after.lease, null);
    assert.deepEqual([after.updatedAt, after.revision], [before.updatedAt, before.revision]);
    assert.deepEqual((await book.changes({ after: cursor })).changes, []);
  });

  test("C7 2025-08-06: what lies ahead waits, and what is late does not", async () => {
    const at = await running();
    const begun = at.kernel.now();
    await at.put({ about: { text: "ahead" }, at: begun + 3 * hourMs });
    await at.put({ about: { text: "late" }, at: begun - 20 * hourMs });
    await at.pass(minuteMs);
    assert.deepEqual(
      at.sent.map(({ text }) => text),
      ["late"],
    );
    await at.pass(3 * hourMs);
    assert.deepEqual(
      at.sent.map(({ text, sentAt }) => [text, sentAt - begun]),
      [
        ["late", 0],
        ["ahead", 3 * hourMs],
      ],
    );
  });

  test("C7 2025-09-19: of two owners with a page of one name, each has their own", async () => {
    const at = await running();
    await at.page("p1", "mine");
    const mine = await at.put({ about: { page: "p1" }, at: at.kernel.now() + hourMs });
    const { kind, body, outcome } = await at.nag(mine);
    assert.ok(outcome);
    const other = at.ledger.of("jun", "jun");
    const { id } = await other.append({ kind, body, outcome, state: "active", wakeAt: body.at });
    await at.pass(2 * hourMs);
    assert.equal((await other.get(id))?.state, "cancelled", "jun has no such page");
    assert.deepEqual(
      at.sent.map(({ text, owner: of }) => [text, of]),
      [["mine", owner]],
    );
    await assert.rejects(other.edit(finished(await at.nag(mine)).edit), { code: "not_found" });
  });

  test("C3: what failed is not skipped to the next, doubled distance", async () => {
    const at = await running();
    at.answer = () => ({ result: "rejected", reason: "no" });
    const id = await at.put();
    await at.pass(minuteMs);
    at.answer = () => ({ result: "delivered", receipt: null });
    await at.pass(hourMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([outcome?.count, outcome?.counted?.number], [2, 1]);
    assert.equal(
      outcome?.lastReceiptId,
      outcome?.lastDelivered,
      "its own id, if the channel has none",
    );
  });
});
