import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { is } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { operations } from "../../index.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { list } from "./list.ts";
import { remind } from "./remind.ts";
import { update } from "./update.ts";

const { cancel, done, next, snooze } = operations;

type Notification = LedgerRecord<NotificationKind>;

const target = "telegram:7";

async function asked(
  at: BookFixture,
  extra: { at?: string; target?: string } = {},
): Promise<string> {
  return (await remind.run({ message: "tea", at: "+0s", target, ...extra }, at.mina)).id;
}

async function claim(at: BookFixture): Promise<Notification> {
  const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 9 } as const;
  const { records } = await at.ledger.work.claim(request);
  return records.find(({ body }) => body.type !== "mark") ?? assert.fail("nothing is due");
}

/** Sends due notifications as this message of the chat. */
async function deliver(at: BookFixture, message = 41): Promise<string> {
  return settle(at, await claim(at), message);
}

async function settle(
  at: BookFixture,
  { id, lease }: Notification,
  message: number,
): Promise<string> {
  const outcome = {
    receipt: { chat: 7, messages: [message] },
    reason: null,
    maybeDelivered: false,
  };
  const { revision } = await get(at, id);
  const fence = lease?.fence ?? 0;
  await at.ledger.work.settle([{ id, fence, revision, ends: "delivered", outcome }]);
  return id;
}

async function get(at: BookFixture, id: string): Promise<Notification> {
  const record = await at.ledger.of("mina", "x").get(id);
  return is(notificationKind, record) ? record : assert.fail(`there is no ${id}`);
}

/** The marks, their messages and their states, oldest first. */
async function marks(at: BookFixture): Promise<readonly (readonly [string, string, string])[]> {
  const { records } = await at.ledger.of("mina", "x").list({ kind: notificationKind, limit: 500 });
  return records
    .filter(({ body }) => body.type === "mark")
    .map(({ body, state }) => [body.marks?.of ?? "", body.message, state] as const);
}

const put = (when: string): string => `⏰ Snoozed: ${when}`;
const inAnHour = put("Mon 16 Nov 2026 09:00 Asia/Seoul (in 1 h)");
const inTwoHours = put("Mon 16 Nov 2026 10:00 Asia/Seoul (in 2 h)");

describe("a sent message", () => {
  test('shows "done" once, in the owner\'s language', async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    const own = { ...at.mina.profile, language: "ko" } as const;
    const korean = { ...at.mina, readProfile: async () => own }; // asks in English
    await done.run({ id }, korean);
    await done.run({ id }, korean);
    assert.deepEqual(await marks(at), [[id, "✓ 완료", "pending"]]);
  });
  test("shows one mark after concurrent requests", async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    await Promise.all([done.run({ id }, at.mina), done.run({ id }, at.mina)]);
    assert.deepEqual(await marks(at), [[id, "✓ Done", "pending"]]);
  });
  test("shows each snooze and the result of it", async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    await done.run({ id }, at.mina);
    const { id: copy } = await snooze.run({ id, at: "+1h" }, at.mina);
    await snooze.run({ id: copy, at: "+2h" }, at.mina);
    await update.run({ id: copy, at: "+1h" }, at.mina);
    await done.run({ id }, at.mina);
    assert.deepEqual(
      (await marks(at)).map(([said, words]) => [said, words]),
      [
        [id, "✓ Done"],
        [id, inAnHour],
        [id, inTwoHours],
        [id, inAnHour],
        [id, "✓ Done"],
      ],
    );
  });
  test("shows that its snoozed copy was cancelled", async () => {
    for (const reason of [undefined, "no time"]) {
      const at = bookFixture();
      await asked(at);
      const id = await deliver(at);
      const { id: copy } = await snooze.run({ id, at: "+1h" }, at.mina);
      await cancel.run({ id: copy, ...(reason === undefined ? {} : { reason }) }, at.mina);
      const shown = (await marks(at)).map(([said, words]) => [said, words]);
      assert.deepEqual(shown.at(-1), [id, "✗ Cancelled"]);
    }
  });
  test('and its copy both show "done"', async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    const { id: copy } = await snooze.run({ id, at: "+0s" }, at.mina);
    await deliver(at, 42);
    await done.run({ id }, at.mina);
    const last = (await marks(at)).slice(-2).map(([said, words]) => [said, words]);
    assert.deepEqual(last, [
      [id, "✓ Done"],
      [copy, "✓ Done"],
    ]);
  });
  test("is unchanged if only the text of its copy changes", async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    const { id: copy } = await snooze.run({ id, at: "+1h" }, at.mina);
    await update.run({ id: copy, message: "green tea" }, at.mina);
    assert.equal((await marks(at)).length, 1);
  });
});

describe("a message that is being sent", () => {
  const asks: Record<string, (id: string, context: Context) => Promise<unknown>> = {
    "✓ Done": (id, context) => done.run({ id }, context),
    "✗ Cancelled": (id, context) => cancel.run({ id }, context),
    [inAnHour]: (id, context) => snooze.run({ id, at: "+1h" }, context),
  };
  for (const [words, ask] of Object.entries(asks)) {
    test(`shows its mark if it arrives after all: ${words}`, async () => {
      const at = bookFixture();
      await asked(at);
      const claimed = await claim(at);
      await ask(claimed.id, at.mina);
      assert.deepEqual(await marks(at), [[claimed.id, words, "pending"]]);
      await settle(at, claimed, 41);
      if (words === "✓ Done") await done.run({ id: claimed.id }, at.mina);
      assert.equal((await marks(at)).length, 1);
    });
  }
});

describe("no mark is shown", () => {
  test("on a message that was never sent", async () => {
    const at = bookFixture();
    const id = await asked(at, { at: "+1h" });
    await snooze.run({ id, at: "+2h" }, at.mina);
    await update.run({ id, at: "+3h" }, at.mina);
    await cancel.run({ id }, at.mina);
    await done.run({ id: await asked(at, { at: "+1h" }) }, at.mina);
    assert.deepEqual(await marks(at), []);
  });
  test("on a channel that cannot change messages", async () => {
    const at = bookFixture();
    const id = await asked(at, { target: "stdout:daemon" });
    const { lease, revision } = await claim(at);
    const outcome = { receipt: { at: 1 }, reason: null, maybeDelivered: false };
    const fence = lease?.fence ?? 0;
    await at.ledger.work.settle([{ id, fence, revision, ends: "delivered", outcome }]);
    await snooze.run({ id, at: "+1h" }, at.mina);
    await done.run({ id }, at.mina);
    assert.deepEqual(await marks(at), []);
  });
});

describe("a button press", () => {
  const pressed = (at: BookFixture, message: number, origin = target): Context => ({
    ...at.mina,
    origin,
    pressed: message,
  });
  test("is shown by its chat, and its mark is recorded as shown", async () => {
    const at = bookFixture();
    await asked(at);
    const id = await deliver(at);
    await snooze.run({ id, at: "+1h" }, at.mina);
    await done.run({ id }, pressed(at, 41));
    assert.deepEqual((await marks(at)).at(-1), [id, "✓ Done", "delivered"]);
    await done.run({ id }, at.mina);
    assert.equal((await marks(at)).length, 2, "and it need not be shown again");
    await snooze.run({ id, at: "+1h" }, at.mina);
    await done.run({ id }, at.mina);
    const [, , ...later] = await marks(at);
    assert.deepEqual(later, [
      [id, inAnHour, "pending"],
      [id, "✓ Done", "pending"],
    ]);
  });
  test("on another message or in another chat is shown on this message too", async () => {
    for (const [message, origin] of [
      [40, target],
      [41, "telegram:8"],
    ] as const) {
      const at = bookFixture();
      await asked(at);
      const id = await deliver(at);
      await done.run({ id }, pressed(at, message, origin));
      assert.deepEqual(await marks(at), [[id, "✓ Done", "pending"]]);
    }
  });
});

test("a list of notifications has no marks", async () => {
  const at = bookFixture();
  await asked(at);
  const id = await deliver(at);
  await done.run({ id }, at.mina);
  assert.equal((await marks(at)).length, 1);
  assert.deepEqual((await list.run({ all: false, limit: 50 }, at.mina)).notifications, []);
  const all = await list.run({ all: true, limit: 50 }, at.mina);
  assert.deepEqual(
    all.notifications.map((each) => each.id),
    [id],
  );
  assert.deepEqual((await next.run({ within: "1d", limit: 50 }, at.mina)).notifications, []);
});
