import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { operations } from "../index.ts";
import { expiryKind } from "../notifications/expiry.ts";
import { type NotificationKind, notificationKind } from "../notifications/kind.ts";
import { list } from "../notifications/operations/list.ts";
import { remind } from "../notifications/operations/remind.ts";
import { update } from "../notifications/operations/update.ts";

const { cancel, done, explain, snooze } = operations;

type Extra = Partial<Parameters<typeof remind.run>[0]>;

async function asked(at: BookFixture, extra: Extra = {}): Promise<string> {
  return (await remind.run({ message: "tea", at: "+0s", ...extra }, at.mina)).id;
}

/** Claims the due record and returns a function that settles it. */
async function claim(at: BookFixture): Promise<(ends: "delivered" | "failed") => Promise<void>> {
  const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
  const [{ id, lease } = assert.fail("nothing is due")] = (await at.ledger.work.claim(request))
    .records;
  return async (ends) => {
    const { revision } = await get(at, id);
    await at.ledger.work.settle([{ id, fence: lease.fence, revision, ends }]);
  };
}

async function deliver(at: BookFixture): Promise<void> {
  await (
    await claim(at)
  )("delivered");
}

async function get(at: BookFixture, id: string): Promise<LedgerRecord<NotificationKind>> {
  const record = await at.ledger.of("mina", "x").get(id);
  return is(notificationKind, record) ? record : assert.fail(`there is no ${id}`);
}

async function waiting(at: BookFixture): Promise<readonly string[]> {
  const query = { kind: notificationKind, live: true } as const;
  const { records } = await at.ledger.of("mina", "x").list(query);
  return records.filter(({ body }) => body.type !== "mark").map(({ id }) => id);
}

describe("snooze of a waiting notification", () => {
  test("moves its time, and names the new one", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    const answer = await snooze.run({ id, at: "tomorrow 9am" }, at.mina);
    assert.deepEqual([answer.id, answer.result, answer.snoozed], [id, "moved", id]);
    assert.equal(answer.next_at, "2026-11-17T00:00:00Z");
    const when = "Tue 17 Nov 2026 09:00 Asia/Seoul (in 1 d 1 h)";
    assert.equal(snooze.render(answer, at.reader()), `Snoozed: ${when} → stdout:daemon\n${id}`);
    assert.match(snooze.render(answer, at.reader("ko")), /^미뤘습니다: /);
    assert.deepEqual(await waiting(at), [id]);
  });
  test("drops an expiry time before the new time", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h", expires_at: "+2h" });
    assert.equal((await snooze.run({ id, at: "+90m" }, at.mina)).expires_at !== null, true);
    assert.equal((await snooze.run({ id, at: "+3h" }, at.mina)).expires_at, null);
  });
  test("respects the limits of its task, like every change of time", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "tomorrow 9am", related_task_id: "t" });
    await asked(at, { at: "2026-11-20 09:00", related_task_id: "t" });
    await assert.rejects(snooze.run({ id, at: "2026-11-20 10:00" }, at.mina), {
      code: "held",
      message: /already has a reminder on 2026-11-20/,
    });
  });
  test("during a send sends it again later, without a retry now", async () => {
    for (const [ends, state] of [
      ["delivered", "delivered"],
      ["failed", "failed"],
    ] as const) {
      const at = bookFixture();
      const id = await asked(at);
      const settle = await claim(at);
      const { result, id: copy } = await snooze.run({ id, at: "+10m" }, at.mina);
      assert.equal(result, "again");
      assert.equal((await get(at, id)).cancelling, true);
      await settle(ends);
      assert.equal((await get(at, id)).state, state);
      assert.deepEqual(await waiting(at), [copy]);
    }
  });
  test("that races with a claim is not lost", async () => {
    const at = bookFixture();
    const id = await asked(at);
    let settle: ((ends: "delivered") => Promise<void>) | undefined;
    const context = before(at.mina, "edit", async () => {
      settle ??= await claim(at);
    });
    const { id: copy, result } = await snooze.run({ id, at: "+10m" }, context);
    await settle?.("delivered");
    assert.deepEqual([result, (await get(at, id)).state], ["again", "delivered"]);
    assert.deepEqual(await waiting(at), [copy]);
  });
  test("that races with a delivery sends the message again", async () => {
    const at = bookFixture();
    const id = await asked(at);
    let isSaid = false;
    const context = before(at.mina, "edit", async () => {
      if (!isSaid) await deliver(at);
      isSaid = true;
    });
    const { id: copy, result } = await snooze.run({ id, at: "+10m" }, context);
    assert.equal(result, "again");
    assert.deepEqual(await waiting(at), [copy]);
  });
});

/** Calls a function just before each such write. */
function before(context: Context, verb: "edit" | "append", act: () => Promise<void>): Context {
  const ledger: Ledger = {
    ...context.ledger,
    of(owner, by) {
      const book = context.ledger.of(owner, by);
      return {
        ...book,
        async [verb](...asked: readonly unknown[]) {
          await act();
          return (book[verb] as (...asked: readonly unknown[]) => Promise<unknown>)(...asked);
        },
      };
    },
  };
  return { ...context, ledger };
}

describe("snooze of a delivered notification", () => {
  test("sends a copy to the same target, with the first as its cause", async () => {
    const at = bookFixture();
    const id = await asked(at, { type: "deadline_alert", priority: "high", context: "why" });
    await deliver(at);
    const answer = await snooze.run({ id, at: "+10m" }, at.mina);
    assert.deepEqual([answer.result, answer.snoozed, answer.state], ["again", id, "pending"]);
    const [first, copy] = [await get(at, id), await get(at, answer.id)];
    const { at: dueAt, atText } = copy.body;
    assert.deepEqual(copy.body, { ...first.body, at: dueAt, atText, snoozedFrom: id });
    assert.deepEqual([copy.parent, copy.priority, copy.lane], [id, "high", first.lane]);
    assert.equal(dueAt, at.clock.wall() + 600_000);
    assert.equal(first.state, "delivered");
  });
  test("again moves the waiting copy, so that there is never more than one", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await deliver(at);
    const all = await Promise.all(
      ["+10m", "+1h", "+2h", "+3h"].map((time) => snooze.run({ id, at: time }, at.mina)),
    );
    assert.equal(new Set(all.map((answer) => answer.id)).size, 1);
    const last = await snooze.run({ id, at: "+1d" }, at.mina);
    assert.deepEqual([last.result, await waiting(at)], ["moved", [last.id]]);
    assert.equal(last.next_at, "2026-11-16T23:00:00Z");
  });
  test("of a delivered copy is a copy of the first, found from each", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await deliver(at);
    const { id: second } = await snooze.run({ id, at: "+10m" }, at.mina);
    at.clock.advance(600_000);
    await deliver(at);
    const { id: third, result } = await snooze.run({ id: second, at: "+10m" }, at.mina);
    assert.equal(result, "again");
    assert.equal((await get(at, third)).parent, id);
    assert.equal((await snooze.run({ id, at: "+20m" }, at.mina)).id, third);
    assert.deepEqual(await waiting(at), [third]);
  });
  test("of a copy that is being sent creates another beside it", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await deliver(at);
    const { id: second } = await snooze.run({ id, at: "+10m" }, at.mina);
    at.clock.advance(600_000);
    const settle = await claim(at);
    const { id: third } = await snooze.run({ id, at: "+10m" }, at.mina);
    await settle("delivered");
    assert.equal((await get(at, second)).state, "delivered");
    assert.deepEqual(await waiting(at), [third]);
    assert.equal((await snooze.run({ id: second, at: "+20m" }, at.mina)).id, third);
  });
  test("is not limited by its task, and takes no collapse key", async () => {
    const at = bookFixture();
    const about = { related_task_id: "t", collapse_key: "k" };
    const id = await asked(at, about);
    await deliver(at);
    for (const day of [18, 19, 20]) {
      await asked(at, { at: `2026-11-${day} 09:00`, related_task_id: "t" });
    }
    const { id: copy } = await snooze.run({ id, at: "2026-11-18 10:00" }, at.mina);
    await update.run({ id: copy, at: "2026-11-19 10:00" }, at.mina);
    assert.equal((await snooze.run({ id, at: "+1h" }, at.mina)).id, copy);
    assert.equal((await get(at, copy)).body.collapseKey, undefined);
  });
  test("of a system message is a reminder of it", async () => {
    const at = bookFixture();
    const body = { message: "hi", at: 5, atText: "then", target: "inbox:mina", origin: null };
    const draft = { kind: "notification", ends: "delivered" } as const;
    const book = at.ledger.of("mina", "x");
    const { id } = await book.append({ ...draft, body: { ...body, type: "question" } });
    assert.equal((await snooze.run({ id, at: "+1h" }, at.mina)).type, "reminder");
    const digest = await book.append({ ...draft, body: { ...body, type: "digest" } });
    await assert.rejects(snooze.run({ id: digest.id, at: "+1h" }, at.mina), {
      code: "invalid",
      message: /digest of several messages/,
    });
  });
  test("writes the copy and its expiry record in one unit", async () => {
    const at = bookFixture();
    const body = { message: "hi", at: 5, atText: "then", target: "inbox:mina", origin: null };
    const expiresAt = at.clock.wall() + 7_200_000;
    const book = at.ledger.of("mina", "x");
    const draft = { kind: "notification", ends: "delivered" } as const;
    const { id } = await book.append({ ...draft, body: { ...body, expiresAt } });
    const { id: copy } = await snooze.run({ id, at: "+1h" }, at.mina);
    const { records } = await book.list({ kind: expiryKind, parent: copy });
    assert.equal(records[0]?.wakeAt, expiresAt);
  });
});

describe("snooze", () => {
  test("of a cancelled notification is refused with advice", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    await cancel.run({ id }, at.mina);
    await assert.rejects(snooze.run({ id, at: "+1h" }, at.mina), {
      code: "ended",
      message: "It is cancelled already, so it cannot be snoozed: create a new notification.",
    });
    assert.deepEqual(await waiting(at), []);
  });
  test("to a past time sends it at once, and the answer says so", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    const answer = await snooze.run({ id, at: "2026-11-16 07:00" }, at.mina);
    assert.match(snooze.render(answer, at.reader()), /That time has passed, so it is sent at once/);
  });
  test("to a past time is refused when a person typed it", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    for (const text of ["2026-11-16 07:00", "today 7am"]) {
      const typed = snooze.run({ id, at: text }, { ...at.mina, typed: true });
      await assert.rejects(typed, /is 07:00 today in Asia\/Seoul, 60 minutes ago: give a later/);
    }
  });
  test("takes a length as one from now, and says which hour it assumed", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1m" });
    for (const length of ["2h", "두 시간"]) {
      const { due } = await snooze.run({ id, at: length }, at.mina);
      assert.equal(due.utc, "2026-11-16T01:00:00Z");
    }
    const answer = await snooze.run({ id, at: "내일 3시" }, at.mina);
    assert.deepEqual([answer.assumed, answer.instead], ["15:00", "3 am"]);
    assert.match(snooze.render(answer, at.reader()), /15:00 assumed; write 3 am for the morning/);
  });
  test("refuses an unreadable or past time and another owner's notification", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    await assert.rejects(
      snooze.run({ id, at: "last monday" }, at.mina),
      /"last monday" is 2026-11-09 09:00 in Asia\/Seoul, 6 days ago/,
    );
    await assert.rejects(snooze.run({ id, at: "some day" }, at.mina), { code: "invalid" });
    await assert.rejects(snooze.run({ id, at: "+1h" }, at.jun), { code: "not_found" });
  });
});

describe("done", () => {
  test("ends a waiting notification as done, wherever it is shown", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    const answer = await done.run({ id }, at.mina);
    assert.deepEqual([answer.state, answer.result, answer.taken_back], ["done", "cancelled", []]);
    assert.equal(done.render(answer, at.reader()), "Done. What was waiting is not sent.");
    const again = await done.run({ id }, at.mina);
    assert.equal(again.result, "cancelled_before");
    assert.equal(done.render(again, at.reader()), "It was marked as done before.");
    const listed = await list.run({ state: "done", limit: 5, all: false }, at.mina);
    assert.deepEqual(
      listed.notifications.map((each) => each.id),
      [id],
    );
    assert.match(list.render(listed, at.reader("ko")), /완료/);
    const told = await explain.run({ id }, at.mina);
    const inEnglish = explain.render(told, at.reader());
    assert.match(inEnglish, /^notification \S+ {2}done Mon 16 Nov/);
    assert.match(inEnglish, /^ {2}changes {3}done by mina-at-cli on Mon 16 Nov 2026 08:00:00$/m);
    assert.match(explain.render(told, at.reader("ko")), /mina-at-cli: 완료/);
    await assert.rejects(cancel.run({ id, reason: "" }, at.mina), {
      message: "It is done already, so it cannot be cancelled.",
    });
    await assert.rejects(snooze.run({ id, at: "+1h" }, at.mina), {
      message: "It is done already, so it cannot be snoozed: create a new notification.",
    });
  });
  test("ends the waiting copy of a delivered notification", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await deliver(at);
    assert.equal(done.render(await done.run({ id }, at.mina), at.reader()), "Done.");
    const { id: copy } = await snooze.run({ id, at: "+10m" }, at.mina);
    const answer = await done.run({ id }, at.mina);
    assert.deepEqual([answer.id, answer.result, answer.taken_back], [id, "done", [copy]]);
    assert.match(done.render(answer, at.reader()), /waiting is not sent/);
    assert.equal((await get(at, copy)).state, "done");
    // A copy for the same time again.
    assert.equal((await snooze.run({ id, at: "+10m" }, at.mina)).result, "again");
  });
  test("on one of many copies ends the waiting one", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await deliver(at);
    const { id: second } = await snooze.run({ id, at: "+10m" }, at.mina);
    at.clock.advance(600_000);
    await deliver(at);
    const { id: third } = await snooze.run({ id: second, at: "+10m" }, at.mina);
    assert.deepEqual((await done.run({ id: second }, at.mina)).taken_back, [third]);
    assert.deepEqual(await waiting(at), []);
    const { result, taken_back: taken } = await done.run({ id: third }, at.mina);
    assert.deepEqual([result, taken], ["cancelled_before", []]);
  });
  test("during a send prevents retries and ends the copy", async () => {
    const at = bookFixture();
    const id = await asked(at);
    await claim(at);
    const { id: copy } = await snooze.run({ id, at: "+10m" }, at.mina);
    const answer = await done.run({ id }, at.mina);
    assert.deepEqual([answer.result, answer.taken_back], ["cancelling", [copy]]);
    assert.equal((await get(at, copy)).state, "done");
  });
  test("does not affect other records with the same cause", async () => {
    const at = bookFixture();
    const id = await asked(at, { collapse_key: "k" });
    const settle = await claim(at);
    const beside = await asked(at, { collapse_key: "k", message: "more tea" });
    assert.equal((await get(at, beside)).parent, id);
    await settle("delivered");
    assert.deepEqual((await done.run({ id }, at.mina)).taken_back, []);
    assert.deepEqual(await waiting(at), [beside]);
  });
  test("does not affect another owner", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    await assert.rejects(done.run({ id }, at.jun), { code: "not_found" });
  });
});
