import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, using, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { provide } from "../../../kernel/port.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { isId } from "../../../platform/ids.ts";
import { notificationKind } from "../kind.ts";
import { hasListener } from "../ports.ts";
import { remind } from "./remind.ts";
import { show } from "./show.ts";

const standUp = { message: "stand-up", at: "+30m" };

async function recordsAt(at: BookFixture): Promise<number> {
  return (await at.ledger.work.stats()).records;
}

describe("remind", () => {
  test("says when nobody receives it now, and how to change that", async () => {
    const at = bookFixture();
    const attached = new Set(["session:mina/editor"]);
    const mina = using(
      { ...at.mina, origin: null },
      provide(hasListener, () => (target) => attached.has(target)),
    );
    const alone = await remind.run(standUp, mina);
    assert.equal(alone.listening, false);
    const text = remind.render(alone, at.reader("en"));
    assert.match(text, /\nNo terminal shows inbox:mina now.*attach\. .*daybook profile --home/);
    assert.match(
      remind.render(alone, at.reader("ko")),
      /\n지금 받은함\(inbox:mina\)을 보는 터미널이 없습니다/,
    );
    const again = { ...standUp, key: "once" };
    await remind.run(again, mina);
    assert.equal((await remind.run(again, mina)).listening, undefined);
    const inSession = (origin: string) => remind.run(standUp, { ...mina, origin });
    assert.equal((await inSession("session:mina/editor")).listening, undefined);
    assert.equal((await inSession("session:mina/other")).listening, false);
    assert.equal((await inSession("telegram:7")).listening, undefined);
    attached.add("inbox:mina");
    assert.equal((await remind.run(standUp, mina)).listening, undefined);
    assert.equal((await remind.run(standUp, { ...at.mina, origin: null })).listening, undefined);
  });
  test("echoes the time and the target", async () => {
    const at = bookFixture();
    const answer = await remind.run(standUp, at.mina);
    assert.ok(isId(answer.id));
    assert.deepEqual(answer, {
      id: answer.id,
      state: "pending",
      target: "stdout:daemon",
      target_because: "origin",
      due: {
        utc: "2026-11-15T23:30:00Z",
        local: "2026-11-16T08:30:00+09:00[Asia/Seoul]",
        zone: "Asia/Seoul",
        zone_from: "setting",
        past: false,
        text: "Mon 16 Nov 2026 08:30 Asia/Seoul (in 30 min)",
      },
      scheduled_at_text: "+30m",
      message: "stand-up",
      type: "reminder",
      priority: "normal",
      created_at: "2026-11-15T23:00:00Z",
      created_by: "mina-at-cli",
      context: null,
      related_task_id: null,
      related_question_id: null,
      expires_at: null,
      at_most_once: false,
      collapse_key: null,
      next_at: "2026-11-15T23:30:00Z",
      waiting: null,
      delivered_at: null,
      cancelled_at: null,
      ended_at: null,
      cancelling: false,
      attempts: 0,
      receipt: null,
      reason: null,
      maybe_delivered: false,
      calendar: null,
      gcal_event_id: null,
      revision: 1,
      fresh: true,
    });
    assert.equal(
      remind.render(answer, at.reader()),
      `Mon 16 Nov 2026 08:30 Asia/Seoul (in 30 min) → stdout:daemon\n${answer.id}`,
    );
  });
  test("records the request, the caller, the typed time and the origin", async () => {
    const { mina } = bookFixture();
    const { id } = await remind.run({ ...standUp, target: "telegram:42" }, mina);
    const record = await mina.ledger.of("mina", "x").get(id);
    assert.deepEqual(record?.body, {
      message: "stand-up",
      at: eight + 30 * 60_000,
      atText: "+30m",
      target: "telegram:42",
      targetReason: "asked",
      origin: "stdout:daemon",
    });
    assert.equal(record?.by, "mina-at-cli");
    assert.equal(record?.lane, "telegram:42");
    assert.equal(record?.wakeAt, eight + 30 * 60_000);
  });
  test("keeps every input", async () => {
    const { mina } = bookFixture();
    const answer = await remind.run(
      {
        ...standUp,
        type: "deadline_alert",
        priority: "medium",
        related_task_id: "t1",
        related_question_id: "q1",
        context: "weekly",
        expires_at: "+2h",
        at_most_once: true,
        collapse_key: "build",
      },
      mina,
    );
    const { type, priority, related_task_id: task, related_question_id: question } = answer;
    assert.deepEqual([type, priority, task, question], ["deadline_alert", "normal", "t1", "q1"]);
    const { context, expires_at: end, at_most_once: once, collapse_key: key } = answer;
    assert.deepEqual([context, end, once, key], ["weekly", "2026-11-16T01:00:00Z", true, "build"]);
  });
  test("keeps the record as it is: `scheduled_at_text`: 원본 표현, `related_question_id`: None, `created_by`: worker", async () => {
    const { mina } = bookFixture();
    const request = {
      message: "회의 시작",
      scheduled_at: "2026-11-26T15:00:00",
      scheduled_at_text: "내일 3시",
      type: "reminder",
      priority: "medium",
      related_task_id: "task_xyz",
      related_question_id: null,
      context: "진행 상황 확인용",
      created_by: "worker",
    };
    const made = remind.output.parse((await callOperation(mina, remind, request, mina)).output);
    const shown = await show.run({ id: made.id }, mina);
    for (const { scheduled_at_text: text, created_by: by, ...rest } of [made, shown]) {
      assert.deepEqual([text, by], ["내일 3시", "worker"]);
      assert.deepEqual([rest.related_task_id, rest.related_question_id], ["task_xyz", null]);
      assert.equal(rest.due?.utc, "2026-11-26T06:00:00Z");
    }
    const record = await mina.ledger.of("mina", "x").get(made.id);
    assert.equal(record?.by, "mina-at-cli", "the history has the caller all the same");
    const plain = await remind.run({ message: "x", at: "+1h", created_by: null }, mina);
    assert.deepEqual([plain.created_by, plain.scheduled_at_text], ["mina-at-cli", "+1h"]);
    const long = remind.run({ message: "x", at: "+1h", created_by: "x".repeat(201) }, mina);
    await assert.rejects(long, (error) => hasCode(error, "too_large"));
  });
  test("reads the time in the requested or the owner's zone, and names it", async () => {
    const { mina } = bookFixture();
    const nine = { message: "hi", at: "tomorrow 9am" };
    const there = await remind.run({ ...nine, timezone: "America/New_York" }, mina);
    assert.equal(there.due?.utc, "2026-11-16T14:00:00Z");
    assert.deepEqual([there.due?.zone, there.due?.zone_from], ["America/New_York", "asked"]);
    const own = {
      ...mina,
      profile: { ...mina.profile, zone: "UTC", zoneFrom: "profile" } as const,
    };
    const here = await remind.run(nine, own);
    assert.equal(here.due?.utc, "2026-11-16T09:00:00Z");
    assert.equal(here.due?.zone_from, "profile");
  });
  test("names the assumed part of the time", async () => {
    const answer = await remind.run({ message: "hi", at: "tomorrow" }, bookFixture().mina);
    assert.equal(answer.assumed, "09:00");
    assert.match(answer.due?.text ?? "", /09:00 assumed/);
  });
  test("assumes the afternoon, and says what to write for the morning", async () => {
    const { mina } = bookFixture();
    const answer = await remind.run({ message: "hi", at: "tomorrow 3" }, mina);
    assert.deepEqual([answer.assumed, answer.instead], ["15:00", "3 am"]);
    assert.match(answer.due?.text ?? "", /; 15:00 assumed; write 3 am for the morning\)$/);
    const night = await remind.run({ message: "hi", at: "tomorrow 03:00" }, mina);
    assert.deepEqual([night.due?.utc, night.assumed], ["2026-11-16T18:00:00Z", undefined]);
  });
  test("takes a length as one from now", async () => {
    const { mina } = bookFixture();
    const answer = await remind.run({ message: "hi", at: "1.5h", expires_at: "2h" }, mina);
    assert.equal(answer.due?.utc, "2026-11-16T00:30:00Z");
    assert.equal(answer.expires_at, "2026-11-16T01:00:00Z");
  });
  test("refuses words for a time that has passed, whoever asks, and an ISO time of a person", async () => {
    const at = bookFixture();
    const person = { ...at.mina, typed: true };
    for (const mina of [at.mina, person]) {
      for (const text of ["yesterday 9am", "15 nov 2026", "지난 일요일"]) {
        await assert.rejects(remind.run({ message: "hi", at: text }, mina), {
          code: "invalid",
          message: `"${text}" is 2026-11-15 09:00 in Asia/Seoul, 23 hours ago: give a later time, or "now".`,
        });
      }
      const today = remind.run({ message: "hi", at: "오늘 오전 6시" }, mina);
      await assert.rejects(today, /"오늘 오전 6시" is 06:00 today in Asia\/Seoul, 2 hours ago/);
      const late = { message: "hi", at: "+1h", expires_at: "어제" };
      await assert.rejects(remind.run(late, mina), /"어제" is .* ago: give a later time\.$/);
    }
    const iso = { message: "hi", at: "2026-11-15 09:00" };
    await assert.rejects(remind.run(iso, person), /23 hours ago: give a later time, or "now"/);
    assert.equal(await recordsAt(at), 0);
    assert.equal((await remind.run(iso, at.mina)).due?.past, true);
    assert.equal((await remind.run({ message: "hi", at: "now" }, person)).due?.past, false);
  });
  test("outside a chat goes home, or to the inbox without a home", async () => {
    const { mina } = bookFixture();
    const outside = { ...mina, origin: null };
    const inbox = await remind.run(standUp, outside);
    assert.deepEqual([inbox.target, inbox.target_because], ["inbox:mina", "inbox"]);
    const profile = { ...mina.profile, home: "telegram:7" };
    const home = await remind.run(standUp, { ...outside, profile });
    assert.deepEqual([home.target, home.target_because], ["telegram:7", "home"]);
  });
  test("answers in Korean to a Korean reader", async () => {
    const at = bookFixture();
    const profile = { ...at.mina.profile, language: "ko" } as const;
    const answer = await remind.run(
      { message: "회의", at: "내일 오후 3시" },
      { ...at.mina, profile },
    );
    assert.equal(
      remind.render(answer, at.reader("ko")),
      `알림을 예약했습니다: 2026년 11월 17일 (화) 오후 3:00, Asia/Seoul (1일 7시간 뒤) → stdout:daemon\n${answer.id}`,
    );
  });
  test("with a past time is due at once, and the answer says so", async () => {
    const at = bookFixture();
    const { mina, ledger } = at;
    const answer = await remind.run({ message: "late", at: "2026-11-16T07:00+09:00" }, mina);
    assert.equal(answer.due?.past, true);
    assert.equal(
      remind.render(answer, at.reader()),
      `Mon 16 Nov 2026 07:00 Asia/Seoul (1 h ago) → stdout:daemon\nThat time has passed, so it is sent at once.\n${answer.id}`,
    );
    const claim = { kind: notificationKind, holder: "node", leaseMs: 1, limit: 9 } as const;
    const { records } = await ledger.work.claim(claim);
    assert.deepEqual(
      records.map(({ id }) => id),
      [answer.id],
    );
  });

  const bad: [name: string, change: Partial<Parameters<typeof remind.run>[0]>, ErrorCode][] = [
    ["a time that cannot be read", { at: "soon" }, "invalid"],
    ["an unknown zone", { timezone: "Asia/Soul" }, "invalid"],
    ["an end before it is due", { expires_at: "+29m" }, "invalid"],
    ["an end that is past", { at: "2026-11-16 06:00", expires_at: "2026-11-16 07:30" }, "invalid"],
    ["an end that cannot be read", { expires_at: "later" }, "invalid"],
    ["a message of a megabyte", { message: "x".repeat(1_000_000) }, "too_large"],
    ["a context too long", { context: "x".repeat(20_001) }, "too_large"],
    ["a channel that is not set up", { target: "telegrm:42" }, "invalid"],
    ["a time out of all bounds", { at: "+99999999d" }, "invalid"],
    ["a target without a channel", { target: "nowhere" }, "invalid"],
    ["an empty message", { message: " " }, "invalid"],
    ["a message too long", { message: "x".repeat(20_001) }, "too_large"],
  ];
  for (const [name, change, code] of bad) {
    test(`with ${name} is refused, and nothing is written`, async () => {
      const at = bookFixture();
      const asked = remind.run({ ...standUp, ...change }, at.mina);
      await assert.rejects(asked, (error) => hasCode(error, code));
      assert.equal(await recordsAt(at), 0);
    });
  }
});

describe("remind with a key", () => {
  const keyed = { ...standUp, key: "daily" };

  test("sent twice is written once, with the same answer", async () => {
    const at = bookFixture();
    const first = await remind.run(keyed, at.mina);
    at.clock.advance(60_000);
    const second = await remind.run(keyed, at.mina);
    assert.equal(second.fresh, false);
    assert.equal(second.id, first.id);
    assert.equal(second.due?.utc, first.due?.utc);
    assert.equal(await recordsAt(at), 1);
    assert.equal(
      remind.render(second, at.reader()),
      `Already requested with this key (pending): Mon 16 Nov 2026 08:30 Asia/Seoul (in 29 min) → stdout:daemon\n${first.id}`,
    );
  });
  test("sent again after its time is the same request, not one for a time that has passed", async () => {
    const at = bookFixture();
    const person = { ...at.mina, typed: true };
    const request = { message: "hi", at: "today 9am", key: "once" };
    const first = await remind.run(request, person);
    at.clock.advance(2 * 3_600_000);
    const again = await remind.run(request, person);
    assert.deepEqual([again.id, again.fresh], [first.id, false]);
  });
  const others = [
    { message: "other" },
    { at: "+31m" },
    { target: "telegram:1" },
    { priority: "high" as const },
    { context: "why" },
  ];
  for (const change of others) {
    test(`that was used with another ${Object.keys(change)[0]} is a conflict`, async () => {
      const at = bookFixture();
      const { id } = await remind.run(keyed, at.mina);
      await assert.rejects(
        remind.run({ ...keyed, ...change }, at.mina),
        (error) => hasCode(error, "conflict") && error.details["id"] === id,
      );
      assert.equal(await recordsAt(at), 1);
    });
  }
  test("and another spelling of its priority is the same request", async () => {
    const { mina } = bookFixture();
    await remind.run({ ...keyed, priority: "medium" }, mina);
    assert.equal((await remind.run({ ...keyed, priority: "normal" }, mina)).fresh, false);
  });
  test("does not share its key with another owner", async () => {
    const at = bookFixture();
    const first = await remind.run(keyed, at.mina);
    const other = await remind.run({ ...keyed, message: "other" }, at.jun);
    assert.equal(other.fresh, true);
    assert.notEqual(other.id, first.id);
  });
  test("whose record was pruned is not written again", async () => {
    const at = bookFixture();
    const { id } = await remind.run(keyed, at.mina);
    await at.ledger.of("mina", "x").cancel({ id });
    at.clock.advance(1);
    assert.equal(await at.ledger.work.prune({ endedBefore: at.clock.wall(), limit: 9 }), 1);
    const again = await remind.run(keyed, at.mina);
    const { fresh, state, due } = again;
    assert.deepEqual([again.id, fresh, state, due], [id, false, "forgotten", null]);
    assert.equal(
      remind.render(again, at.reader()),
      `Already requested with this key. It has ended, and its record has been pruned.\n${id}`,
    );
    assert.equal(await recordsAt(at), 0);
  });
});
