import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../../test/book-fixture.ts";
import { nagBook, type NagBook } from "../../../../test/nag-book.ts";
import { provide } from "../../../kernel/port.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { operations } from "../../index.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { namedCurves } from "../ports.ts";
import { nag } from "./create.ts";
import { deleteNag, doneNag, pauseNag, resumeNag, snoozeNag } from "./lifecycle.ts";
import { listNags, showNag } from "./nags.ts";

const { cancel, done, snooze } = operations;

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

const refused =
  (code: ErrorCode, message: RegExp) =>
  (error: unknown): boolean =>
    hasCode(error, code) && message.test(error.message);

async function created(at: NagBook, more: object = {}): Promise<string> {
  return (await nag.run({ message: "pay rent", ...more }, at.mina)).id;
}

async function lastNotification(at: NagBook, id: string): Promise<string> {
  return (await at.notificationsOf(id)).filter(({ body }) => body.type === "nag").at(-1)?.id ?? "";
}

async function marksOn(at: NagBook, parent: string): Promise<readonly string[]> {
  const query = { kind: notificationKind, parent, limit: 500 } as const;
  const { records } = await at.ledger.of("mina", "x").list(query);
  return records.filter(({ body }) => body.type === "mark").map(({ body }) => body.message);
}

/** Keeps the next claim from being settled until the returned function is called. */
function holdSettle(at: NagBook): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  at.gates.settle = promise;
  return async () => {
    delete at.gates.settle;
    resolve();
    await at.pass(minuteMs);
  };
}

describe("nag", () => {
  test("is sent at once by default, and shows its count and next time", async () => {
    const at = await nagBook();
    const made = await nag.run({ message: "pay rent" }, at.mina);
    assert.deepEqual(
      [made.state, made.curve, made.sent_count, made.said, made.target, made.fresh],
      ["active", "otu", 1, 0, "fake:mina", true],
    );
    await at.pass(hourMs);
    const [shown] = (await listNags.run({ all: false, limit: 50 }, at.mina)).nags;
    assert.deepEqual(
      [shown?.sent_count, shown?.said, shown?.last_notification_id, shown?.processed_at],
      [2, 1, "m2", null],
    );
    assert.match(shown?.next?.local ?? "", /T10:00:00\+00:00/);
    assert.deepEqual(
      at.sent.map(({ text }) => text),
      ["pay rent"],
    );
  });
  test("is listed as being sent, unless it is paused", async () => {
    const at = await nagBook();
    const { promise, resolve } = Promise.withResolvers<void>();
    at.answer = async () => {
      await promise;
      return { result: "delivered", receipt: 1 };
    };
    const id = await created(at);
    await at.pass(1_000);
    const line = async (language: "en" | "ko"): Promise<string> => {
      const listed = await listNags.run({ all: false, limit: 50 }, at.mina);
      return listNags.render(listed, { language, zone: "UTC", now: at.mina.now() });
    };
    assert.match(await line("en"), /active .* pay rent +being sent/);
    assert.match(await line("ko"), /보내는 중/);
    await pauseNag.run({ id }, at.mina);
    resolve();
    await at.pass(minuteMs);
    assert.doesNotMatch(await line("en"), /being sent/);
  });
  test("with the same key is created once, and a different text conflicts", async () => {
    const at = await nagBook();
    const first = await nag.run({ message: "pay rent", key: "rent" }, at.mina);
    const again = await nag.run({ message: "pay rent", key: "rent" }, at.mina);
    assert.deepEqual([again.id, again.fresh], [first.id, false]);
    await assert.rejects(
      nag.run({ message: "pay tax", key: "rent" }, at.mina),
      refused("conflict", /./),
    );
  });
  const wrong: [input: object, code: ErrorCode, message: RegExp][] = [
    [{}, "invalid", /needs a message or a page/],
    [{ message: "a", page: "b" }, "invalid", /needs a message or a page/],
    [{ message: " " }, "invalid", /text is empty/],
    [{ message: "a".repeat(20_001) }, "too_large", /shorten it/],
    [{ message: "a", curve: "hurly" }, "invalid", /did you mean "hourly"\?/],
    [{ message: "a", curve: "toString" }, "invalid", /Unknown curve "toString"/],
    [{ message: "a", timezone: "Mars/One" }, "invalid", /Mars/],
    [{ message: "a", target: "inbox:jun" }, "refused", /not yours/],
    [{ page: "nowhere" }, "not_found", /no page "nowhere"/],
  ];
  for (const [input, code, message] of wrong) {
    test(`from ${JSON.stringify(input).slice(0, 40)} is refused, and nothing is written`, async () => {
      const at = await nagBook();
      await assert.rejects(nag.run(input, at.mina), refused(code, message));
      const { nags } = await listNags.run({ all: true, limit: 50 }, at.mina);
      assert.deepEqual(nags, []);
    });
  }
  test('may have an unreachable target with the scope "target"', async () => {
    const at = await nagBook();
    const made = await nag.run({ message: "a", target: "fkae:1" }, at.mina);
    assert.match(made.unreachable ?? "", /Did you mean "fake"/);
    assert.match(
      nag.render(made, { language: "en", zone: "UTC", now: 0 }),
      /cannot be delivered yet/,
    );
    const low = { ...at.mina, scopes: ["write"] as const };
    await assert.rejects(
      nag.run({ message: "a", target: "fkae:1" }, low),
      refused("invalid", /fkae/),
    );
  });
  test("is refused when its curve and the quiet hours leave no time of day", async () => {
    const at = await nagBook();
    const profile = { ...at.mina.profile, quiet: { from: "07:00", to: "22:00" } };
    const asks = nag.run({ message: "a" }, { ...at.mina, profile });
    await assert.rejects(asks, refused("invalid", /no time of day/));
  });
  test("takes a curve of the settings by its name", async () => {
    const curves = {
      slow: { base: { count: 3, unit: "days" }, factor: 1, cap: { count: 3, unit: "days" } },
    } as const;
    const at = await nagBook(provide(namedCurves, () => curves));
    const id = await created(at, { curve: "slow" });
    await at.pass(hourMs);
    const { next, curve } = await showNag.run({ id }, at.mina);
    assert.equal(curve, "slow");
    assert.equal(Math.round((Date.parse(next?.utc ?? "") - at.kernel.now()) / dayMs), 3);
  });
  test("is refused beside a thousand others until one of them is done", async () => {
    const { mina } = bookFixture();
    const ask = (count: number) => nag.run({ message: `n${count}`, at: "+5d" }, mina);
    const made: string[] = [];
    for (let count = 0; count < 1_000; count += 1) made.push((await ask(count)).id);
    await assert.rejects(ask(1_000), refused("held", /has 1000 nags, .*finish or delete one/));
    await pauseNag.run({ id: made[3] ?? "" }, mina);
    await assert.rejects(ask(1_000), refused("held", /has 1000 nags/));
    await doneNag.run({ id: made[7] ?? "" }, mina);
    assert.equal((await ask(1_000)).fresh, true);
  });
  test("of another owner is not found by any operation", async () => {
    const at = await nagBook();
    const id = await created(at);
    for (const asks of [
      showNag.run({ id }, at.jun),
      doneNag.run({ id }, at.jun),
      snoozeNag.run({ id, at: "+1h" }, at.jun),
      pauseNag.run({ id }, at.jun),
      resumeNag.run({ id }, at.jun),
      deleteNag.run({ id }, at.jun),
    ]) {
      await assert.rejects(asks, refused("not_found", /There is no nag/));
    }
    await assert.rejects(
      done.run({ id }, at.jun),
      refused("not_found", /There is no notification/),
    );
  });
});

describe("done", () => {
  for (const by of ["its own id", "its notification"] as const) {
    test(`by ${by} ends the nag and marks the message`, async () => {
      const at = await nagBook();
      const id = await created(at);
      await at.pass(hourMs);
      const said = await lastNotification(at, id);
      const answer = await done.run({ id: by === "its own id" ? id : said }, at.mina);
      assert.deepEqual(
        [answer.id, answer.nag_id, answer.state, answer.result],
        [id, id, "done", "done"],
      );
      assert.deepEqual(await marksOn(at, said), ["✓ Done"]);
      await at.pass(30 * dayMs);
      assert.equal((await at.notificationsOf(id)).length, 1);
      const again = await doneNag.run({ id }, at.mina);
      assert.equal(again.changed, false);
      assert.deepEqual(await marksOn(at, said), ["✓ Done"]);
    });
  }
  test("shows at once while the nag is leased", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+1h" });
    const release = holdSettle(at);
    await at.pass(hourMs + minuteMs);
    assert.notEqual((await at.nag(id)).lease, null);
    const answer = await doneNag.run({ id }, at.mina);
    assert.deepEqual([answer.state, answer.changed, answer.next], ["done", true, null]);
    await release();
    assert.equal((await at.nag(id)).state, "done");
    assert.deepEqual(at.sent, []);
  });
  test("ends a nag that is being sent", async () => {
    const at = await nagBook();
    const sending = Promise.withResolvers<void>();
    at.answer = async () => {
      await sending.promise;
      return { result: "delivered", receipt: { messages: ["m1"] } };
    };
    const id = await created(at);
    await at.pass(1_000);
    const said = await lastNotification(at, id);
    assert.match((await showNag.run({ id }, at.mina)).processed_at ?? "", /^\d{4}-/);
    await done.run({ id: said }, at.mina);
    sending.resolve();
    await at.pass(30 * dayMs);
    assert.deepEqual([(await at.nag(id)).state, at.sent.length], ["done", 1]);
    assert.deepEqual(await marksOn(at, said), ["✓ Done"]);
  });
  test("requested eight times at once changes the nag once", async () => {
    const at = await nagBook();
    const id = await created(at);
    await at.pass(hourMs);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => doneNag.run({ id }, at.mina)),
    );
    assert.equal(answers.filter(({ changed }) => changed).length, 1);
    assert.equal((await marksOn(at, await lastNotification(at, id))).length, 1);
  });
});

describe("snooze", () => {
  for (const by of ["its own id", "its notification"] as const) {
    test(`by ${by} moves the next time, and the curve continues from there`, async () => {
      const at = await nagBook();
      const id = await created(at, { curve: "daily" });
      await at.pass(minuteMs);
      const said = await lastNotification(at, id);
      const answer = await snooze.run({ id: by === "its own id" ? id : said, at: "+2h" }, at.mina);
      assert.deepEqual([answer.id, answer.nag_id, answer.result], [id, id, "moved"]);
      assert.match((await marksOn(at, said)).join(), /^⏰ Snoozed/);
      await at.pass(3 * hourMs);
      assert.equal(at.sent.length, 2);
      const { next, said: count } = await showNag.run({ id }, at.mina);
      assert.equal(count, 2);
      assert.equal(Math.round((Date.parse(next?.utc ?? "") - at.kernel.now()) / hourMs), 23);
    });
  }
  test("cancels a notification that waits", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "retry", reason: "down" });
    const id = await created(at);
    await at.pass(minuteMs);
    const said = await lastNotification(at, id);
    await snoozeNag.run({ id, at: "tomorrow 10am" }, at.mina);
    const record = await at.ledger.of("mina", "x").get(said);
    assert.notEqual(record?.endedAt, null);
    assert.deepEqual((await showNag.run({ id }, at.mina)).failures, 0);
  });
  test("of a nag that is done is refused", async () => {
    const at = await nagBook();
    const id = await created(at);
    await doneNag.run({ id }, at.mina);
    await assert.rejects(snooze.run({ id, at: "+1h" }, at.mina), refused("ended", /already done/));
  });
});

describe("pause and resume", () => {
  test("report whether they changed the state", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+1h" });
    const first = await pauseNag.run({ id }, at.mina);
    const second = await pauseNag.run({ id }, at.mina);
    assert.deepEqual([first.state, first.changed, second.changed], ["paused", true, false]);
    await at.pass(3 * dayMs);
    assert.deepEqual(at.sent, []);
    const on = await resumeNag.run({ id }, at.mina);
    assert.deepEqual([on.state, on.changed], ["active", true]);
    assert.equal((await resumeNag.run({ id }, at.mina)).changed, false);
    await at.pass(minuteMs);
    assert.equal(at.sent.length, 1);
  });
  test("pause wins over a lease", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+1h" });
    const release = holdSettle(at);
    await at.pass(hourMs + minuteMs);
    await pauseNag.run({ id }, at.mina);
    await release();
    await at.pass(dayMs);
    assert.deepEqual([(await at.nag(id)).state, at.sent], ["paused", []]);
  });
});

describe("delete and cancel", () => {
  test("delete ends a nag that is not done, also while it is leased", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+1h" });
    const release = holdSettle(at);
    await at.pass(hourMs + minuteMs);
    const answer = await deleteNag.run({ id, reason: "moved out" }, at.mina);
    assert.deepEqual([answer.state, answer.deleted], ["cancelled", true]);
    await release();
    assert.deepEqual([(await at.nag(id)).state, at.sent], ["cancelled", []]);
    assert.equal((await deleteNag.run({ id }, at.mina)).deleted, false);
  });
  test("cancel by id deletes a nag, and is refused once it is done", async () => {
    const at = await nagBook();
    const [id, other] = [await created(at), await created(at, { message: "b" })];
    assert.equal((await cancel.run({ id }, at.mina)).result, "cancelled");
    assert.equal((await cancel.run({ id }, at.mina)).result, "cancelled_before");
    await doneNag.run({ id: other }, at.mina);
    await assert.rejects(
      cancel.run({ id: other }, at.mina),
      refused("ended", /It is done already/),
    );
  });
  test("cancel of its notification leaves the nag active", async () => {
    const at = await nagBook();
    const sending = Promise.withResolvers<void>();
    at.answer = async () => {
      await sending.promise;
      return { result: "retry", reason: "later" };
    };
    const id = await created(at, { curve: "minutes" });
    await at.pass(1_000);
    await cancel.run({ id: await lastNotification(at, id) }, at.mina);
    sending.resolve();
    at.answer = () => ({ result: "delivered", receipt: null });
    await at.pass(2 * hourMs);
    const { state, said } = await showNag.run({ id }, at.mina);
    assert.deepEqual([state, said > 0], ["active", true]);
  });
});
