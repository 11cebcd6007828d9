import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, type BookFixture } from "../../../../test/book-fixture.ts";
import { is } from "../../../kernel/kind.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { operations } from "../../index.ts";
import { notificationKind } from "../kind.ts";
import { remind } from "./remind.ts";
import { update } from "./update.ts";

const { cancel } = operations;

const refusedAs = (code: ErrorCode, expected: RegExp) => (error: unknown) =>
  hasCode(error, code) && expected.test(error.message);

async function asked(at: BookFixture, more: Partial<Parameters<typeof remind.run>[0]> = {}) {
  return (await remind.run({ message: "hi", at: "+1h", ...more }, at.mina)).id;
}

async function claim(at: BookFixture): Promise<number> {
  const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
  return (await at.ledger.work.claim(request)).records[0]?.lease.fence ?? 0;
}

describe("update", () => {
  test("changes only the message, the time and the priority", async () => {
    const at = bookFixture();
    const id = await asked(at, { context: "weekly" });
    const answer = await update.run(
      { id, message: "ho", at: "tomorrow", priority: "high" },
      at.mina,
    );
    assert.deepEqual(
      [answer.message, answer.priority, answer.context, answer.revision, answer.assumed],
      ["ho", "high", "weekly", 2, "09:00"],
    );
    assert.equal(answer.due.utc, "2026-11-17T00:00:00Z");
    assert.equal(answer.next_at, "2026-11-17T00:00:00Z");
    const record = await at.ledger.of("mina", "x").get(id);
    assert.equal(is(notificationKind, record) && record.body.atText, "tomorrow");
    assert.equal(
      update.render(answer, at.reader()),
      `Changed: Tue 17 Nov 2026 09:00 Asia/Seoul (in 1 d 1 h; 09:00 assumed) → stdout:daemon\n${id}`,
    );
  });
  test("to a past time is due at once, and the answer says so", async () => {
    const at = bookFixture();
    const id = await asked(at);
    const answer = await update.run({ id, at: "2026-11-16 07:00" }, at.mina);
    assert.equal(answer.due.past, true);
    assert.match(update.render(answer, at.reader()), /so it is sent at once/);
    assert.ok((await claim(at)) > 0);
  });
  test("to another time makes an announced inbox message new again", async () => {
    const at = bookFixture();
    const id = await asked(at, { target: "inbox:mina" });
    const book = at.ledger.of("mina", "x");
    await book.edit({ kind: "notification", id, queue: "notification@unread" });
    await update.run({ id, message: "ho" }, at.mina);
    assert.equal((await book.get(id))?.queue, "notification@unread");
    await update.run({ id, at: "+2h" }, at.mina);
    assert.equal((await book.get(id))?.queue, "notification@session");
  });
  test("during a send waits for the new time instead of a retry", async () => {
    const at = bookFixture();
    const id = await asked(at);
    at.clock.advance(3_600_000);
    await claim(at);
    const answer = await update.run({ id, at: "+1h" }, at.mina);
    assert.equal(answer.due.utc, "2026-11-16T01:00:00Z");
    assert.equal(answer.state, "pending");
  });
  test("with a revision needs that revision", async () => {
    const at = bookFixture();
    const id = await asked(at);
    assert.equal((await update.run({ id, message: "a", revision: 1 }, at.mina)).revision, 2);
    await assert.rejects(
      update.run({ id, message: "b", revision: 1 }, at.mina),
      (error) => hasCode(error, "stale") && error.details["revision"] === 2,
    );
  });
  test("is written after a concurrent update", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await Promise.all([
      update.run({ id, message: "changed" }, at.mina),
      update.run({ id, at: "+2h" }, at.mina),
    ]);
    const record = await at.ledger.of("mina", "x").get(id);
    assert.ok(is(notificationKind, record));
    assert.deepEqual([record.body.message, record.body.at], ["changed", eight + 7_200_000]);
  });
  test("without a change is refused", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await assert.rejects(
      update.run({ id, timezone: "UTC" }, at.mina),
      refusedAs("invalid", /There is nothing to change/),
    );
  });
  test("to a time after the expiry is refused", async () => {
    const at = bookFixture();
    const id = await asked(at, { expires_at: "+2h" });
    await assert.rejects(
      update.run({ id, at: "+3h" }, at.mina),
      refusedAs("invalid", /would expire before it is due/),
    );
  });
  test("of an ended or cancelling notification is refused with its state", async () => {
    const at = bookFixture();
    const over = await asked(at);
    await cancel.run({ id: over }, at.mina);
    await assert.rejects(
      update.run({ id: over, message: "x" }, at.mina),
      refusedAs("ended", /It is cancelled already/),
    );
    const leased = await asked(at, { at: "+0s" });
    await claim(at);
    await cancel.run({ id: leased }, at.mina);
    await assert.rejects(
      update.run({ id: leased, message: "x" }, at.mina),
      refusedAs("ended", /being cancelled/),
    );
  });
  test("gives the same error for another owner's and a missing record", async () => {
    const at = bookFixture();
    const id = await asked(at);
    for (const which of [id, "banana"]) {
      await assert.rejects(
        update.run({ id: which, message: "x" }, at.jun),
        refusedAs("not_found", new RegExp(`There is no notification "${which}" in this book`)),
      );
    }
  });
});
