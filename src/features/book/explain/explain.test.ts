import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, type BookFixture } from "../../../../test/book-fixture.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { hasCode } from "../../../platform/errors.ts";
import type { Language } from "../../../platform/language.ts";
import { operations } from "../../index.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../../notifications/kind.ts";
import { remind } from "../../notifications/operations/remind.ts";
import { update } from "../../notifications/operations/update.ts";
import { registerWebhook } from "../../notifications/operations/webhooks.ts";

const { explain } = operations;

const half = 30 * 60_000;

async function claim(at: BookFixture, holder: string): Promise<Claimed<NotificationKind>> {
  const request = { kind: notificationKind, holder, leaseMs: 15_000, limit: 1 } as const;
  const [record] = (await at.ledger.work.claim(request)).records;
  assert.ok(record);
  return record;
}

/** The text, with ID for the record's id. */
async function explained(at: BookFixture, id: string, language: Language = "en"): Promise<string> {
  const text = explain.render(await explain.run({ id }, at.mina), at.reader(language));
  return text.replaceAll(id, "ID");
}

describe("explain", () => {
  test("gives the full history of a message delivered at the third attempt", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "stand-up\nin room 3", at: "+30m" }, at.mina);
    at.clock.advance(half + 7);
    await claim(at, "node-a");
    at.clock.advance(15_000);
    const second = await claim(at, "node-b");
    at.clock.advance(250);
    await at.ledger.work.settle([
      {
        id,
        fence: second.lease.fence,
        revision: 1,
        state: "pending",
        wakeAt: at.clock.wall() + 2_000,
        note: "503 from the server",
      },
    ]);
    at.clock.advance(2_000);
    const third = await claim(at, "node-b");
    at.clock.advance(17);
    const outcome = { receipt: { line: 1 }, reason: null, maybeDelivered: true };
    await at.ledger.work.settle([
      { id, fence: third.lease.fence, revision: 2, ends: "delivered", outcome },
    ]);
    assert.equal(
      await explained(at, id),
      `notification ID  delivered Mon 16 Nov 2026 08:30:17 Asia/Seoul to stdout:daemon, receipt {"line":1}; an earlier attempt may also have arrived
  message   stand-up in room 3
  request   by mina-at-cli on Mon 16 Nov 2026 08:00:00 in stdout:daemon; the request came from there
  time      Mon 16 Nov 2026 08:30:00 Asia/Seoul, typed as "+30m", delivered 17 s later
  attempts  1 on node-a was interrupted: its result is unknown, started Mon 16 Nov 2026 08:30:00
  attempts  2 on node-b left it pending after 250 ms, started Mon 16 Nov 2026 08:30:15: 503 from the server
  attempts  3 on node-b left it delivered after 17 ms, started Mon 16 Nov 2026 08:30:17`,
    );
    assert.equal(
      await explained(at, id, "ko"),
      `알림 ID  전달됨 2026년 11월 16일 (월) 오전 8:30:17 Asia/Seoul → stdout:daemon, 수신 확인 {"line":1}; 앞선 시도도 도착했을 수 있습니다
  내용  stand-up in room 3
  요청  mina-at-cli, 2026년 11월 16일 (월) 오전 8:00:00, stdout:daemon에서 요청; 요청한 곳으로 보냅니다
  시각  2026년 11월 16일 (월) 오전 8:30:00 Asia/Seoul, 입력한 시각 "+30m", 17초 늦게 전달
  시도  1번째 node-a: 도중에 중단되어 결과를 알 수 없음, 2026년 11월 16일 (월) 오전 8:30:00 시작
  시도  2번째 node-b: 대기 중 (250밀리초 걸림), 2026년 11월 16일 (월) 오전 8:30:15 시작: 503 from the server
  시도  3번째 node-b: 전달됨 (17밀리초 걸림), 2026년 11월 16일 (월) 오전 8:30:17 시작`,
    );
  });
  test("gives the reason of the target", async () => {
    const at = bookFixture();
    const outside = { ...at.mina, origin: null };
    const atHome = { ...outside, profile: { ...outside.profile, home: "telegram:7" } };
    const asked = { message: "hi", at: "+30m" };
    const named = { ...asked, target: "telegram:42" };
    const cases = [
      [asked, at.mina, / in stdout:daemon; the request came from there$/m],
      [named, at.mina, / in stdout:daemon; the request named this target$/m],
      [asked, atHome, /08:00:00; no target was named: it goes to the owner's home$/m],
      [asked, outside, /08:00:00; no target was named and no home is set: it goes to the inbox$/m],
    ] as const;
    for (const [input, context, expected] of cases) {
      const { id } = await remind.run(input, context);
      assert.match(await explained(at, id), expected);
    }
  });
  test("gives no reason for a record from before reasons were stored", async () => {
    const at = bookFixture();
    const body = { message: "hi", at: eight, atText: "now", target: "stdout:daemon" };
    const draft = makeNotification({ ...body, origin: "stdout:daemon" });
    const { id } = await at.ledger.of("mina", "x").append(draft);
    const story = await explain.run({ id }, at.mina);
    assert.equal(story.notification?.target_because, null);
    assert.match(await explained(at, id), /^ {2}request .* in stdout:daemon$/m);
  });
  test("gives the due time of a waiting notification", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
    assert.equal(
      await explained(at, id),
      `notification ID  pending to stdout:daemon
  message   hi
  request   by mina-at-cli on Mon 16 Nov 2026 08:00:00 in stdout:daemon; the request came from there
  time      Mon 16 Nov 2026 08:30:00 Asia/Seoul, typed as "+30m"
  next      due Mon 16 Nov 2026 08:30:00 (in 30 min)`,
    );
  });
  test("names the rules that apply and who changed the record", async () => {
    const at = bookFixture();
    const quiet = { from: "08:00", to: "09:00" };
    const mina = { ...at.mina, profile: { ...at.mina.profile, quiet } };
    const { id } = await remind.run(
      {
        message: "hi",
        at: "+30m",
        priority: "high",
        expires_at: "+2h",
        at_most_once: true,
        collapse_key: "build",
      },
      mina,
    );
    await update.run({ id, message: "ho" }, mina);
    const lines = explain.render(await explain.run({ id }, mina), at.reader()).split("\n");
    assert.deepEqual(lines.slice(4, 6), [
      '  rules     quiet hours 08:00-09:00 apply at its time · high priority: quiet hours do not delay it · at most once: never sent twice, and possibly lost · expires at Mon 16 Nov 2026 10:00:00 · a newer notification with the collapse key "build" replaces it',
      "  changes   edited by mina-at-cli on Mon 16 Nov 2026 08:00:00",
    ]);
  });
  test("names the notification that it replaced", async () => {
    const at = bookFixture();
    const build = { message: "hi", at: "+30m", collapse_key: "build" };
    const older = await remind.run(build, at.mina);
    const { id } = await remind.run(build, at.mina);
    const line = `  cause     it replaced ${older.id} (cancelled): same collapse key\n`;
    assert.ok((await explained(at, id)).includes(line));
  });
  test("leaves out the start of a long history", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
    for (let count = 0; count < 15; count += 1) await update.run({ id, at: "+30m" }, at.mina);
    const line = (await explained(at, id)).split("\n").find((each) => each.startsWith("  changes"));
    assert.match(line ?? "", /^ {2}changes {3}3 earlier ones not shown · edited/);
  });
  test("shows no secret of a webhook", async () => {
    const at = bookFixture();
    const { id, secret } = await registerWebhook.run({ url: "https://example.org/" }, at.mina);
    const answer = await explain.run({ id }, at.mina);
    assert.ok(!JSON.stringify(answer).includes(secret));
    assert.equal(answer.notification, null);
    assert.match(await explained(at, id), /^webhook ID {2}active\n {2}request/);
  });

  const nexts: [name: string, happen: (at: BookFixture) => Promise<unknown>, next: string][] = [
    [
      "is due without a running node",
      async ({ clock }) => clock.advance(half + 90_000),
      "due for 1 min 30 s; if that is long, check that `daybook start` is running",
    ],
    [
      "is being sent",
      async (at) => {
        at.clock.advance(half);
        await claim(at, "node-a");
      },
      "in progress on node-a",
    ],
    [
      "was cut off",
      async (at) => {
        at.clock.advance(half);
        await claim(at, "node-a");
        at.clock.advance(16_000);
      },
      "interrupted on node-a, due again for 1 s; if that is long, check that `daybook start` is running",
    ],
    [
      "is parked behind others",
      ({ ledger }) => {
        const to = eight + 2 * half;
        return ledger.work.move({ queue: "notification", lane: "stdout:daemon", to, limit: 9 });
      },
      "due Mon 16 Nov 2026 09:00:00 (in 1 h), behind others for the same target",
    ],
    [
      "waits without a reason",
      async ({ ledger }) => {
        const book = ledger.of("mina", "x");
        const [record] = (await book.list({})).records;
        await book.edit({ kind: "notification", id: record?.id ?? "", wakeAt: null });
      },
      "it waits for an answer or an edit",
    ],
  ];
  for (const [name, happen, next] of nexts) {
    test(`describes a record that ${name}`, async () => {
      const at = bookFixture();
      const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
      await happen(at);
      assert.equal((await explained(at, id)).split("\n").at(-1), `  next      ${next}`);
    });
  }

  test("says that an inbox message needs a listener", async () => {
    const at = bookFixture();
    const asked = { message: "hi", at: "+30m" };
    const { id } = await remind.run(asked, { ...at.mina, origin: null });
    assert.match(await explained(at, id), /^ {2}next {6}due .* \(in 30 min\)$/m);
    at.clock.advance(half);
    const next = "it is delivered as soon as a listener attaches to inbox:mina: daybook attach";
    assert.equal((await explained(at, id)).split("\n").at(-1), `  next      ${next}`);
  });
  test("names the end of quiet hours as the time of the send, in both languages", async () => {
    const at = bookFixture();
    const quiet = { from: "08:15", to: "09:00" };
    const mina = { ...at.mina, profile: { ...at.mina.profile, quiet } };
    const { id } = await remind.run({ message: "hi", at: "+30m" }, mina);
    const answer = await explain.run({ id }, mina);
    assert.match(
      explain.render(answer, at.reader()),
      /^ {2}next {6}due Mon 16 Nov 2026 09:00:00 \(in 1 h\): quiet hours until Mon 16 Nov 2026 09:00:00$/m,
    );
    const korean = { ...mina, profile: { ...mina.profile, language: "ko" as const } };
    assert.match(
      explain.render(await explain.run({ id }, korean), at.reader("ko")),
      /오전 9:00:00.*: 2026년 11월 16일 \(월\) 오전 9:00:00까지 조용한 시간입니다$/m,
    );
  });
  test("leaves out quiet hours that do not apply, and the edit that a cancel makes", async () => {
    const at = bookFixture();
    const quiet = { from: "22:00", to: "07:00" };
    const mina = { ...at.mina, profile: { ...at.mina.profile, quiet } };
    const { id } = await remind.run({ message: "hi", at: "+30m" }, mina);
    await operations.cancel.run({ id, reason: "not today" }, mina);
    const text = explain.render(await explain.run({ id }, mina), at.reader());
    assert.doesNotMatch(text, /quiet hours|edited/);
    assert.match(text, /^ {2}changes +cancelled by mina-at-cli on [^·]*: not today$/m);
  });
  test("reports both the send and its cancel", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
    at.clock.advance(half);
    const { lease } = await claim(at, "node-a");
    const book = at.ledger.of("mina", "mina");
    await book.cancel({ id, reason: "not today" });
    assert.match(await explained(at, id), /in progress on node-a, then cancelled$/);
    const outcome = { receipt: null, reason: "no answer", maybeDelivered: true };
    await at.ledger.work.settle([
      { id, fence: lease.fence, revision: 2, state: "pending", outcome },
    ]);
    const text = await explained(at, id);
    assert.match(
      text,
      /^notification ID {2}cancelled .*an attempt may have arrived all the same$/m,
    );
    assert.match(text, /cancel requested by mina on .*, during an attempt: not today$/m);
    assert.match(text, /^ {2}attempts {2}1 on node-a left it cancelled after 0 ms$/m);
    assert.doesNotMatch(text, /^ {2}next/m);
  });
  test("lists the causes, nearest first, up to one outside the book", async () => {
    const at = bookFixture();
    const draft = (message: string) =>
      makeNotification({ message, at: eight, atText: "now", target: "x:y", origin: "x:y" });
    const theirs = await at.ledger.of("jun", "jun").append(draft("theirs"));
    const book = at.ledger.of("mina", "mina");
    const top = await book.append({ ...draft("top"), parent: theirs.id });
    const middle = await book.append({ ...draft("middle"), parent: top.id });
    const { id } = await book.append({ ...draft("leaf"), parent: middle.id });
    const { because } = await explain.run({ id }, at.mina);
    assert.deepEqual(
      because.map((cause) => cause.id),
      [middle.id, top.id],
    );
    const text = await explained(at, id);
    assert.ok(text.includes(`  cause     notification ${middle.id}, pending\n`));
    assert.ok(!text.includes(theirs.id));
  });
  test("ends at a cycle of causes", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "mina");
    const body = { message: "hi", at: eight, atText: "now", target: "x:y", origin: "x:y" };
    await book.append({ ...makeNotification(body), id: "one", parent: "two" });
    await book.append({ ...makeNotification(body), id: "two", parent: "one" });
    assert.equal((await explain.run({ id: "one" }, at.mina)).because.length, 16);
  });
  test("prints no control characters of a message or a note", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "\u001B[2J", at: "+30m" }, at.mina);
    await at.ledger.of("mina", "mina").cancel({ id, reason: "\u001B]0;owned\u0007\nfake line" });
    assert.doesNotMatch((await explained(at, id)).replaceAll("\n", ""), /\p{Cc}/u);
  });
  test("gives the same error for another owner's and a missing record", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ message: "secret", at: "+30m" }, at.mina);
    for (const asked of [id, "banana"]) {
      await assert.rejects(
        explain.run({ id: asked }, at.jun),
        (error) =>
          hasCode(error, "not_found") &&
          error.message ===
            `There is no record and no schedule "${asked}" in this book: see daybook list and daybook schedule list.`,
      );
    }
  });
});
