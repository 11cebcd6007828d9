import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { alarm, both, none, pull, push, trip } from "../../../../test/sync-client.ts";
import { callOperation } from "../../../kernel/call.ts";
import { is } from "../../../kernel/kind.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { hasCode } from "../../../platform/errors.ts";
import { type NagKind, nagKind } from "../kind.ts";
import { pageRecordId } from "../page.ts";
import { alarmRecordId } from "./alarm.ts";
import { syncPush } from "./push.ts";

/** How many changes the book has: a refused push adds none. */
async function history({ ledger }: BookFixture): Promise<number> {
  return (await ledger.of("mina", "x").changes({ limit: 500 })).changes.length;
}

async function nagAt({ ledger }: BookFixture, id: string): Promise<LedgerRecord<NagKind>> {
  const record = await ledger.of("mina", "x").get(alarmRecordId("mina", id));
  assert.ok(is(nagKind, record));
  return record;
}

describe("a push", () => {
  test("creates a page and its nag, due now, in one unit", async () => {
    const at = bookFixture();
    const { written, ignored } = await push(at.mina, both);
    assert.equal(written, 2);
    assert.deepEqual(ignored, [
      "alarm.last_notification_id",
      "alarm.next_alarm_time",
      "alarm.sent_count",
      "alarm.updated_at",
    ]);
    const nag = await nagAt(at, "a1");
    assert.deepEqual(
      [nag.state, nag.body.about, nag.body.at, nag.outcome?.count, nag.parent],
      ["active", { page: "p1" }, at.clock.wall(), 1, pageRecordId("mina", "p1")],
    );
  });
  test("may have the tables alone", async () => {
    const at = bookFixture();
    await callOperation(at.mina, syncPush, { ...both, folder: none, lastPulledAt: 0 }, at.mina);
    const { changes } = await pull(at.mina);
    assert.deepEqual([changes.page.created.length, changes.alarm.created.length], [1, 1]);
  });
  test("writes nothing when it is repeated after a lost answer", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const before = await history(at);
    assert.equal((await push(at.mina, both)).written, 0);
    assert.equal(await history(at), before);
  });
  test("never writes fields that only the server sets", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    const own = { ...alarm, next_alarm_time: 7, sent_count: 40, last_notification_id: "mine" };
    const { written } = await push(at.mina, { alarm: { updated: [own] } }, timestamp);
    const { outcome } = await nagAt(at, "a1");
    assert.deepEqual(
      [written, outcome?.count, outcome?.nextAt, outcome?.lastReceiptId],
      [0, 1, at.clock.wall(), null],
    );
  });
  test("is refused when it would overwrite newer changes", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    at.clock.advance(1_000);
    await push(at.mina, { page: { updated: [{ ...trip, title: "Newer" }] } }, timestamp);
    const before = await history(at);
    const late = {
      page: {
        created: [{ id: "p2", title: "Other" }],
        updated: [{ ...trip, title: "Late" }],
      },
    };
    await assert.rejects(push(at.mina, late, timestamp), (error) => {
      assert.ok(hasCode(error, "stale"));
      assert.match(error.message, /pull first/);
      assert.deepEqual(error.details["paths"], ["changes.page.updated.0"]);
      return true;
    });
    assert.equal(await history(at), before);
    await push(at.mina, late, (await pull(at.mina, timestamp)).timestamp);
    const { changes } = await pull(at.mina);
    assert.deepEqual(changes.page.created.map(({ title }) => title).toSorted(), ["Late", "Other"]);
  });
  test("of a second nag for a page is reported as deleted", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    await push(at.mina, { alarm: { created: [{ ...alarm, id: "a2" }] } }, timestamp);
    const { changes } = await pull(at.mina, timestamp);
    assert.deepEqual(changes.alarm, { ...none, deleted: ["a2"] });
    assert.equal((await nagAt(at, "a1")).state, "active");
    assert.equal((await nagAt(at, "a2")).state, "cancelled");
  });
  test("may delete a nag and create another one for its page", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    const again = { alarm: { deleted: ["a1"], created: [{ ...alarm, id: "a2" }] } };
    await push(at.mina, again, timestamp);
    assert.deepEqual(
      [(await nagAt(at, "a1")).state, (await nagAt(at, "a2")).state],
      ["cancelled", "active"],
    );
    const twice = { alarm: { created: [{ ...alarm, id: "a3" }] } };
    await push(at.mina, twice, (await pull(at.mina)).timestamp);
    assert.equal((await nagAt(at, "a3")).state, "cancelled", "the second nag has the page");
  });
  test("may create a nag while the page's old one is being cancelled", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const claim = { kind: nagKind, holder: "n1", leaseMs: 60_000, limit: 1 } as const;
    assert.equal((await at.ledger.work.claim(claim)).records.length, 1);
    await push(at.mina, { alarm: { deleted: ["a1"] } }, (await pull(at.mina)).timestamp);
    assert.equal((await nagAt(at, "a1")).cancelling, true);
    await push(at.mina, { alarm: { created: [{ ...alarm, id: "a2" }] } });
    assert.equal((await nagAt(at, "a2")).state, "active");
  });
  test("is refused over the owner's limit, but may replace a nag", async () => {
    const at = bookFixture();
    const pages = Array.from({ length: 1_001 }, (_, n) => ({ id: `p${n}` }));
    const alarms = pages.map(({ id }, n) => ({ id: `a${n}`, page_id: id }));
    const tooMany = { page: { created: pages }, alarm: { created: alarms } };
    await assert.rejects(push(at.mina, tooMany), (error) => hasCode(error, "held"));
    assert.equal(await history(at), 0);
    await push(at.mina, { page: { created: pages }, alarm: { created: alarms.slice(0, 1_000) } });
    const { timestamp } = await pull(at.mina);
    const more = { alarm: { created: alarms.slice(1_000) } };
    await assert.rejects(push(at.mina, more, timestamp), (error) => hasCode(error, "held"));
    const instead = { alarm: { deleted: ["a0"], created: [{ id: "b0", page_id: "p0" }] } };
    await push(at.mina, instead, timestamp);
    assert.equal((await nagAt(at, "b0")).state, "active");
  });
  test("deletes a page, its nag and its notification in one unit", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "x");
    await push(at.mina, both);
    const nag = await nagAt(at, "a1");
    const body = { message: "m", at: 1, atText: "", target: "inbox:mina", origin: null } as const;
    const pending = await book.append({ kind: "notification", state: "pending", body });
    const outcome = { ...(nag.outcome ?? assert.fail()), saying: pending.id, nextAt: null };
    await book.edit({ kind: "nag", id: nag.id, outcome, wakeAt: null });
    const { timestamp } = await pull(at.mina);
    const { cursor } = await book.changes({ limit: 500 });
    await push(at.mina, { page: { deleted: ["p1"] } }, timestamp);
    const { changes } = await pull(at.mina, timestamp);
    assert.deepEqual(changes, {
      page: { ...none, deleted: ["p1"] },
      alarm: { ...none, deleted: ["a1"] },
    });
    assert.equal((await book.get(pending.id))?.state, "cancelled");
    const deletedBody = (await book.get(pageRecordId("mina", "p1")))?.body;
    assert.deepEqual(deletedBody, { pageId: "p1", title: "", body: "" });
    const rows = (await book.changes({ after: cursor })).changes;
    assert.deepEqual(rows.map(({ kind, state }) => `${kind} ${state}`).toSorted(), [
      "nag active",
      "nag cancelled",
      "notification cancelled",
      "page deleted",
    ]);
    await push(at.mina, both, (await pull(at.mina)).timestamp);
    assert.equal(
      (await book.get(pageRecordId("mina", "p1")))?.state,
      "kept",
      "a deleted page may be restored",
    );
  });
  const hostile: readonly [title: string, changes: object, path: string][] = [
    [
      "an id that is too long",
      { page: { created: [{ id: "x".repeat(201) }] } },
      "page.created.0.id",
    ],
    ["an id with a control character", { page: { deleted: ["a\u0000b"] } }, "page.deleted.0"],
    ["an id that is not a string", { alarm: { deleted: [7] } }, "alarm.deleted.0"],
    [
      "a title that is not a string",
      { page: { updated: [{ id: "p", title: 7 }] } },
      "page.updated.0.title",
    ],
    [
      "a body that is too long",
      { page: { created: [{ id: "p", body: "x".repeat(100_001) }] } },
      "page.created.0",
    ],
    ["an alarm without a page", { alarm: { created: [{ id: "a9" }] } }, "alarm.created.0.page_id"],
    [
      "an alarm of an unknown page",
      { alarm: { created: [{ id: "a9", page_id: "no" }] } },
      "alarm.created.0.page_id",
    ],
    [
      "an alarm that moves to another page",
      { page: { created: [{ id: "p2" }] }, alarm: { updated: [{ ...alarm, page_id: "p2" }] } },
      "alarm.updated.0.page_id",
    ],
    [
      "the same record twice",
      { page: { created: [{ id: "p3" }], deleted: ["p3"] } },
      "page.deleted.0",
    ],
    ["rows that are not a list", { page: { created: {} } }, "page.created"],
  ];
  for (const [title, changes, path] of hostile) {
    test(`with ${title} is refused with the path, and not written`, async () => {
      const at = bookFixture();
      await push(at.mina, both);
      const before = await history(at);
      const { page = {}, ...rest } = changes as { page?: { updated?: object[] } };
      const updated = [...(page.updated ?? []), { id: "good" }];
      const mixed = { ...rest, page: { ...page, updated } };
      await assert.rejects(push(at.mina, mixed, 8e15), (error) => {
        assert.ok(hasCode(error, "invalid"), String(error));
        const [problem] = error.details["problems"] as { path: string }[];
        assert.equal(problem?.path, `changes.${path}`);
        return true;
      });
      assert.equal(await history(at), before);
    });
  }
  test("with the ids of another owner's records writes its own", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    await push(at.jun, { page: { created: [{ ...trip, title: "Mine" }] }, alarm: both.alarm });
    const [mina, jun] = [await pull(at.mina), await pull(at.jun)];
    assert.deepEqual(
      [mina, jun].map(({ changes }) => changes.page.created.map(({ title }) => title)),
      [["Trip"], ["Mine"]],
    );
    const stolen = alarmRecordId("mina", "a1");
    assert.equal((await push(at.jun, { alarm: { deleted: [stolen] } }, jun.timestamp)).written, 0);
  });
});
