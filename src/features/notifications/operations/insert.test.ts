import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode } from "../../../platform/errors.ts";
import { operations } from "../../index.ts";
import { expiryKind } from "../expiry.ts";
import { notificationKind } from "../kind.ts";
import { remind } from "./remind.ts";
import { update } from "./update.ts";

const { cancel } = operations;

type Asked = Partial<Parameters<typeof remind.run>[0]>;
const ask = (who: Context, more: Asked) => remind.run({ message: "hi", at: "+1h", ...more }, who);
const task = { related_task_id: "t1" };

/** Every record of Mina's by message, with its state. */
async function states(at: BookFixture): Promise<Record<string, string>> {
  const { records } = await at.ledger.of("mina", "x").list({ kind: notificationKind });
  return Object.fromEntries(
    records.flatMap(({ kind, body, state }) =>
      kind === "notification" ? [[body.message, state]] : [],
    ),
  );
}

async function claim(at: BookFixture): Promise<number> {
  const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
  return (await at.ledger.work.claim(request)).records[0]?.lease.fence ?? 0;
}

describe("notifications about one task", () => {
  test("are limited to three that wait", async () => {
    const { mina } = bookFixture();
    const days = ["+1d", "+2d", "+3d"];
    const waiting = [];
    for (const at of days) waiting.push((await ask(mina, { ...task, at })).id);
    await assert.rejects(
      ask(mina, { ...task, at: "+4d" }),
      (error) =>
        hasCode(error, "held") &&
        error.message ===
          'The task "t1" already has 3 waiting notifications: cancel or update one of them.',
    );
    await ask(mina, { related_task_id: "t2", at: "+4d" });
    await cancel.run({ id: waiting[1] ?? "" }, mina);
    await ask(mina, { ...task, at: "+4d" });
  });
  test("are limited to one per type and day, which the error names", async () => {
    const { mina } = bookFixture();
    const { id } = await ask(mina, task);
    await assert.rejects(
      ask(mina, { ...task, at: "+3h" }),
      (error) =>
        hasCode(error, "held") &&
        error.message ===
          `The task "t1" already has a reminder on 2026-11-16, ${id}: update that one, or choose another day.`,
    );
    await ask(mina, { ...task, type: "deadline_alert" });
    await ask(mina, { ...task, at: "tomorrow" });
  });
  test("do not count against another owner", async () => {
    const at = bookFixture();
    for (const who of [at.mina, at.jun]) await ask(who, task);
  });
  test("are limited to three in concurrent requests", async () => {
    const { mina } = bookFixture();
    const days = Array.from({ length: 8 }, (_, day) => ask(mina, { ...task, at: `+${day + 1}d` }));
    const answers = await Promise.allSettled(days);
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 3);
  });
  test("take their new day when they are moved", async () => {
    const { mina } = bookFixture();
    const { id } = await ask(mina, task);
    await update.run({ id, at: "+1h 5min" }, mina);
    await update.run({ id, at: "tomorrow" }, mina);
    const today = await ask(mina, task);
    await assert.rejects(
      update.run({ id, at: "+2h" }, mina),
      (error) => hasCode(error, "held") && error.message.includes(today.id),
    );
  });
});

describe("a collapse key", () => {
  const build = { collapse_key: "build" };

  test("replaces the older notification in one unit", async () => {
    const at = bookFixture();
    const older = await ask(at.mina, { ...build, message: "1 of 5" });
    const newer = await ask(at.mina, { ...build, message: "2 of 5" });
    assert.equal(newer.replaces, older.id);
    assert.equal(newer.fresh, true);
    assert.match(remind.render(newer, at.reader()), new RegExp(`It replaces ${older.id}\\.`));
    assert.deepEqual(await states(at), { "1 of 5": "cancelled", "2 of 5": "pending" });
    const { changes } = await at.ledger.of("mina", "x").changes({ id: older.id });
    assert.equal(changes.at(-1)?.note, `replaced by ${newer.id}`);
  });
  test("replaces one notification after another", async () => {
    const at = bookFixture();
    for (const message of ["1", "2", "3"]) await ask(at.mina, { ...build, message });
    assert.deepEqual(await states(at), { 1: "cancelled", 2: "cancelled", 3: "pending" });
  });
  test("does not affect other keys, targets or owners", async () => {
    const at = bookFixture();
    await ask(at.mina, { ...build, message: "one" });
    await ask(at.mina, { collapse_key: "deploy", message: "two" });
    await ask(at.mina, { ...build, message: "three", target: "telegram:1" });
    const theirs = await ask(at.jun, build);
    assert.equal(theirs.replaces, undefined);
    assert.deepEqual(await states(at), { one: "pending", two: "pending", three: "pending" });
  });
  test("requests a cancel of a send in progress, and the newer waits beside it", async () => {
    const at = bookFixture();
    const older = await ask(at.mina, { ...build, message: "1", at: "+0s" });
    const fence = await claim(at);
    const newer = await ask(at.mina, { ...build, message: "2" });
    assert.equal(newer.replaces, older.id);
    const third = await ask(at.mina, { ...build, message: "3" });
    assert.equal(third.fresh, true);
    assert.deepEqual(await states(at), { 1: "pending", 2: "pending", 3: "pending" });
    const ends = { id: older.id, fence, revision: 2, ends: "delivered" } as const;
    const [settled] = await at.ledger.work.settle([ends]);
    assert.equal(settled?.result, "settled");
  });
  test("does not prevent a move of a notification beside a send", async () => {
    const at = bookFixture();
    await ask(at.mina, { ...build, at: "+0s" });
    await claim(at);
    const { id } = await ask(at.mina, { ...build, ...task });
    const moved = await update.run({ id, at: "tomorrow" }, at.mina);
    assert.equal(moved.due.utc, "2026-11-17T00:00:00Z");
  });
  test("replaces before the limit of the task and day is checked", async () => {
    const at = bookFixture();
    await ask(at.mina, { ...build, ...task, message: "1" });
    await ask(at.mina, { ...build, ...task, message: "2" });
    assert.deepEqual(await states(at), { 1: "cancelled", 2: "pending" });
  });
  test("changes nothing if a limit refuses the newer notification", async () => {
    const at = bookFixture();
    await ask(at.mina, { ...task, message: "guard" });
    await ask(at.mina, { ...build, message: "older" });
    const refused = ask(at.mina, { ...build, ...task, message: "newer" });
    await assert.rejects(refused, (error) => hasCode(error, "held"));
    assert.deepEqual(await states(at), { guard: "pending", older: "pending" });
  });
  test("with an idempotency key is written once", async () => {
    const at = bookFixture();
    await ask(at.mina, { ...build, message: "older" });
    const keyed = { ...build, message: "newer", key: "k" };
    const answers = await Promise.all([ask(at.mina, keyed), ask(at.mina, keyed)]);
    const again = await ask(at.mina, keyed);
    assert.equal(new Set([...answers, again].map(({ id }) => id)).size, 1);
    assert.equal(again.fresh, false);
    assert.deepEqual(await states(at), { older: "cancelled", newer: "pending" });
  });
  test("leaves one notification waiting after concurrent requests", async () => {
    const at = bookFixture();
    const all = ["1", "2", "3", "4"].map((message) => ask(at.mina, { ...build, message }));
    await Promise.all(all);
    const left = Object.values(await states(at)).filter((state) => state === "pending");
    assert.equal(left.length, 1);
  });
});

describe("an expiring notification for a listener", () => {
  const ends = async (at: BookFixture): Promise<readonly unknown[]> => {
    const { records } = await at.ledger.of("mina", "x").list({ kind: expiryKind });
    return records.map(({ parent }) => parent);
  };
  test("is written with its expiry record in one unit", async () => {
    const at = bookFixture();
    await ask(at.mina, {});
    const asked = { target: "inbox:mina", expires_at: "+2h", key: "k" };
    const { id } = await ask(at.mina, asked);
    await ask(at.mina, asked);
    assert.deepEqual(await ends(at), [id]);
  });
  test("is written with its expiry record also when it replaces another", async () => {
    const at = bookFixture();
    const asked = { target: "inbox:mina", expires_at: "+2h", collapse_key: "c" };
    const first = await ask(at.mina, asked);
    const second = await ask(at.mina, { ...asked, at: "2026-01-01T00:00:00Z" });
    const queue = "notification@session";
    const lease = { kind: notificationKind, queue, holder: "n", leaseMs: 9_000, limit: 1 } as const;
    assert.equal((await at.ledger.work.claim(lease)).records.length, 1);
    const third = await ask(at.mina, asked);
    assert.equal(third.replaces, second.id);
    assert.deepEqual(await ends(at), [first.id, second.id, third.id]);
  });
  test("has no expiry record on other channels", async () => {
    const at = bookFixture();
    await ask(at.mina, { target: "stdout:daemon", expires_at: "+2h" });
    assert.deepEqual(await ends(at), []);
  });
});
