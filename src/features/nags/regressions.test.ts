import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagFixture, owner, runningFixture } from "../../testing/nag-fixture.ts";
import { finished } from "./change.ts";
import { builtInCurves } from "./curve.ts";
import { nagKind } from "./kind.ts";

// Bugs of an earlier reminder program that must not come back.

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

describe("regressions of nags", () => {
  test("every message has a key of its own", async () => {
    const at = await runningFixture();
    const id = await at.addNag();
    await at.pass(4 * dayMs);
    const keys = (await at.notificationsOf(id)).map(({ key }) => key);
    assert.deepEqual(keys, [`nag:${id}:1`, `nag:${id}:2`, `nag:${id}:3`]);
    assert.equal(new Set(at.sent.map((each) => each.id)).size, 3);
  });

  test("the count continues after the tenth message, 256 days apart", async () => {
    const at = await runningFixture();
    const id = await at.addNag();
    await at.pass((511 + 3 * 256) * dayMs + hourMs);
    const { outcome } = await at.nag(id);
    assert.equal(outcome?.count, 14);
    assert.equal(outcome.nextAt, (at.sent.at(-1)?.sentAt ?? 0) + 256 * dayMs);
  });

  test("a nag that is days late is sent once, and counted from then", async () => {
    const at = nagFixture();
    const id = await at.addNag({ curve: builtInCurves.minutes });
    await at.pass(10 * dayMs);
    const back = at.kernel.now();
    await at.startNagger();
    await at.startDeliverer();
    await at.pass(minuteMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([at.sent.length, outcome?.count], [1, 2]);
    assert.ok((outcome?.nextAt ?? 0) >= back + 5 * minuteMs);
  });

  test("a broken nag does not delay the others", async () => {
    const at = await runningFixture();
    const bad = await at.addNag({ about: { page: "gone" } });
    const worse = await at.addNag({ target: "nowhere:x" });
    const good = await Promise.all(Array.from({ length: 20 }, () => at.addNag()));
    await at.pass(hourMs);
    assert.equal(at.sent.length, 20);
    for (const id of good) assert.equal((await at.nag(id)).outcome?.count, 2);
    assert.deepEqual(
      [(await at.nag(bad)).state, (await at.nag(bad)).outcome?.count],
      ["active", 1],
      "it waits for its page",
    );
    assert.equal((await at.nag(worse)).outcome?.count, 1);
  });

  test("a send that takes hours is not repeated", async () => {
    const at = nagFixture();
    for (const holder of ["n1", "n2"]) await at.startNagger(holder);
    const id = await at.addNag({ target: `inbox:${owner}` });
    await at.pass(30 * hourMs);
    assert.equal((await at.notificationsOf(id)).length, 1);
    assert.equal((await at.nag(id)).outcome?.count, 1);
  });

  test("a claim is not a change that clients see", async () => {
    const at = nagFixture();
    const id = await at.addNag();
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

  test("a future nag waits, and a late one is sent at once", async () => {
    const at = await runningFixture();
    const startedAt = at.kernel.now();
    await at.addNag({ about: { text: "ahead" }, at: startedAt + 3 * hourMs });
    await at.addNag({ about: { text: "late" }, at: startedAt - 20 * hourMs });
    await at.pass(minuteMs);
    assert.deepEqual(
      at.sent.map(({ text }) => text),
      ["late"],
    );
    await at.pass(3 * hourMs);
    assert.deepEqual(
      at.sent.map(({ text, sentAt }) => [text, sentAt - startedAt]),
      [
        ["late", 0],
        ["ahead", 3 * hourMs],
      ],
    );
  });

  test("two owners with the same page id have separate pages", async () => {
    const at = await runningFixture();
    await at.addPage("p1", "mine");
    const mine = await at.addNag({ about: { page: "p1" }, at: at.kernel.now() + hourMs });
    const { kind, body, outcome } = await at.nag(mine);
    assert.ok(outcome);
    const other = at.ledger.of("jun", "jun");
    const { id } = await other.append({ kind, body, outcome, state: "active", wakeAt: body.at });
    await at.pass(2 * hourMs);
    assert.equal((await other.get(id))?.state, "active", "jun has no such page: it waits for it");
    assert.deepEqual(
      at.sent.map(({ text, owner: of }) => [text, of]),
      [["mine", owner]],
    );
    await assert.rejects(other.edit(finished(await at.nag(mine)).edit), { code: "not_found" });
  });

  test("a failed message is retried before the distance doubles", async () => {
    const at = await runningFixture();
    at.answer = () => ({ result: "rejected", reason: "no" });
    const id = await at.addNag();
    await at.pass(minuteMs);
    at.answer = () => ({ result: "delivered", receipt: null });
    await at.pass(hourMs);
    const { outcome } = await at.nag(id);
    assert.deepEqual([outcome?.count, outcome?.counted?.number], [2, 1]);
    assert.equal(
      outcome?.lastReceiptId,
      outcome?.lastDelivered,
      "the record's id, because the channel has none",
    );
  });
});
