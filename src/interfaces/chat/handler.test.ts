import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, withRunners } from "../../../test/book-fixture.ts";
import { chatFixture, commands, type ChatFixture } from "../../../test/chat-fixture.ts";
import { textsOf } from "../../adapters/chats/texts.ts";
import { link } from "../../features/accounts/operations/link.ts";
import { unlink } from "../../features/accounts/operations/people.ts";
import { setProfile } from "../../features/accounts/operations/profile.ts";
import { personId } from "../../features/accounts/person.ts";
import { scheduleKind } from "../../features/schedules/kind.ts";
import { is } from "../../kernel/kind.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";

/** What is seen of an answer. */
function seen(text: string | undefined): string {
  return visible(readMarkdown(text ?? ""));
}

/** The short id that an answer ends with. */
function idIn(text: string): string {
  return /`([\da-f]{8})`$/.exec(text)?.[1] ?? assert.fail(text);
}

async function korean(at: ChatFixture): Promise<void> {
  await setProfile.run({ language: "ko" }, at.mina);
}

describe("/remind", () => {
  test("says when, and says it where it was asked", async () => {
    const at = chatFixture();
    const text = await at.text("/remind 내일 오후 3시 회의", { address: "-100:7" });
    const [record] = await at.live();
    assert.equal(record?.body.target, "telegram:-100:7");
    assert.equal(record?.body.origin, "telegram:-100:7");
    assert.equal(record?.body.message, "회의");
    assert.equal(record?.by, "telegram:7");
    assert.equal(
      seen(text),
      `⏰ Tue 17 Nov 2026 15:00 Asia/Seoul (in 1 d 7 h)\n회의\n${record?.id.slice(-8)}`,
    );
  });
  test("takes the time from either end, and a bot's name", async () => {
    const at = chatFixture();
    await at.text("/remind@DaybookBot call Bob tomorrow 9am");
    await at.text("remind me to stretch 10m");
    const said = (await at.live()).map(({ body }) => [body.message, body.atText]);
    assert.deepEqual(said, [
      ["stretch", "+10m"],
      ["call Bob", "tomorrow 9am"],
    ]);
  });
  test("asks for what is missing, and makes nothing", async () => {
    const at = chatFixture();
    assert.match(await at.text("/remind"), /No time found/);
    assert.match(await at.text("/remind call Bob"), /No time found/);
    assert.match(await at.text("/remind tomorrow 9am"), /^The text is missing/);
    assert.match(seen(await at.text("/remind 25일 회의")), /"25일 오전 9시"/);
    assert.match(
      seen(await at.text("/remind yesterday 9am call Bob")),
      /^"yesterday 9am" is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago: give a later time, or "now"\./,
    );
    assert.match(
      seen(await at.text("/remind 2026-11-15 09:00 call Bob")),
      /^"2026-11-15 09:00" is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago/,
    );
    assert.match(seen(await at.text("/remind 3/4 9am call Bob")), /2027-03-04 or 2027-04-03/);
    await korean(at);
    assert.match(await at.text("/remind 회의"), /시각이 없습니다/);
    assert.match(
      seen(await at.text("/remind 어제 오전 9시 회의")),
      /^"어제 오전 9시"는 Asia\/Seoul 시간으로 2026-11-15 09:00, 23시간 전입니다\. 더 늦은 시각이나 "지금"을 쓰세요\./,
    );
    assert.match(await at.text("/remind 내일"), /^내용이 없습니다/);
    assert.deepEqual(await at.live(), []);
  });
  test("that is heard twice makes one", async () => {
    const at = chatFixture();
    const first = await at.text("/remind 10m tea", { id: "same" });
    at.clock.advance(60_000);
    const again = await at.text("/remind 10m tea", { id: "same" });
    assert.equal(idIn(again), idIn(first));
    assert.equal((await at.live()).length, 1);
  });
  test("shows somebody's marks as they stand", async () => {
    const at = chatFixture();
    const message = "**x** <b> [a](http://b.c) `d` _e_ <!channel> 1. # &amp; \\ https://f.g";
    assert.equal(seen(await at.text(`/remind 10m ${message}`)).split("\n")[1], message);
  });
  test("refuses what is too long, in words", async () => {
    const at = chatFixture();
    const text = await at.text(`/remind 10m ${"x".repeat(1_000_000)}`);
    assert.match(text, /characters/);
    assert.ok(text.length < 2_000);
    assert.deepEqual(await at.live(), []);
  });
});

describe("/list", () => {
  test("shows what goes here by time, and counts the rest", async () => {
    const at = chatFixture();
    assert.equal(await at.text("/list"), "Nothing is due here.");
    const later = idIn(await at.text("/remind tomorrow 9am later"));
    const sooner = idIn(await at.text("/remind 10m sooner"));
    await at.say("/remind 1h secret", { address: "-100" });
    await at.say("/every weekday 9am read the news");
    const lines = seen(await at.text("/list")).split("\n");
    assert.deepEqual(lines.slice(0, 2), [
      `• in 10 min: sooner ${sooner}`,
      `• in 1 d 1 h: later ${later}`,
    ]);
    assert.match(lines[2] ?? "", /^↻ read the news: .*weekday.*, next in /i);
    assert.deepEqual(lines.slice(3), ["1 more is sent elsewhere: /list all"]);
    assert.doesNotMatch(await at.text("/list"), /secret/);
    assert.match(await at.text("/list all"), /secret/);
    assert.doesNotMatch(await at.text("/list all", { from: "8" }), /sooner|secret/);
  });
  test("ends after a screen", async () => {
    const at = chatFixture();
    for (let count = 0; count < 23; count += 1) await at.say(`/remind ${count + 1}m x`);
    const lines = seen(await at.text("/list")).split("\n");
    assert.equal(lines.length, 21);
    assert.equal(lines.at(-1), "… and 3 more.");
  });
});

describe("/cancel", () => {
  test("takes back by the end of an id, with or without #, or by an answer", async () => {
    const at = chatFixture();
    const id = idIn(await at.text("/remind 10m tea"));
    assert.equal(await at.text(`/cancel #${id.toUpperCase()}`), "✗ Cancelled: tea");
    assert.equal(await at.text(`/cancel ${id}`), "Already cancelled: tea");
    await at.say("/remind 10m milk");
    const [record] = await at.live();
    assert.equal(await at.text(`cancel ${record?.id}`), "✗ Cancelled: milk");
    assert.deepEqual(await at.live(), []);
  });
  test("says what is wrong with an id", async () => {
    const at = chatFixture();
    await at.say("/remind 10m tea");
    const [record] = await at.live();
    const id = record?.id ?? "";
    assert.match(await at.text("/cancel"), /^Which one\?/);
    for (const typed of ["zzzzzzzz", "00000000", id.slice(-3), "x; drop", "../..", "#1"]) {
      assert.match(seen(await at.text(`/cancel ${typed}`)), /^There is no "/, typed);
    }
    assert.match(seen(await at.text(`/cancel ${id}`, { from: "8" })), /^There is no "/);
    assert.equal((await at.live()).length, 1);
  });
  test("asks for more of an id that two have", async () => {
    const at = chatFixture();
    const book = at.ledger.of("mina", "test");
    const body = { message: "x", at: 5, atText: "then", target: "inbox:mina", origin: null };
    for (const first of ["a", "b"]) {
      const id = `${first}0000000-0000-7000-8000-00000000beef`;
      await book.append({ kind: "notification", state: "pending", wakeAt: 5, id, body });
    }
    assert.match(seen(await at.text("/cancel 0000beef")), /^More than one id ends in "0000beef"/);
    assert.equal((await at.live()).length, 2);
  });
  test("ends a schedule", async () => {
    const at = chatFixture();
    const id = idIn(await at.text("/every weekday 9am read the news"));
    assert.equal(await at.text(`/cancel ${id}`), "✗ Schedule deleted: read the news");
    assert.equal(await at.text("/list"), "Nothing is due here.");
  });
});

describe("/snooze and /done", () => {
  test("of an answer mean the message that was answered to", async () => {
    const at = chatFixture();
    await at.say("/remind 10m tea");
    const id = await at.delivered(41);
    const text = await at.text("/snooze 2h", { replyTo: 41 });
    assert.match(seen(text), /^⏰ Snoozed: .* \(in 2 h\)\ntea\n/);
    const [copy] = await at.live();
    assert.equal(copy?.body.snoozedFrom, id);
    assert.equal(copy?.body.target, "telegram:7");
    assert.equal(await at.text("/done", { replyTo: "41" }), "✓ Done: tea");
    assert.deepEqual(await at.live(), []);
  });
  test("put off what waits by its id, ten minutes unless told", async () => {
    const at = chatFixture();
    const id = idIn(await at.text("/remind tomorrow 9am tea"));
    assert.match(seen(await at.text(`/snooze ${id}`)), /\(in 10 min\)/);
    assert.match(seen(await at.text(`/snooze ${id} 내일 오후 3시`)), /15:00/);
    assert.equal((await at.live()).length, 1);
    assert.equal(await at.text(`done ${id}`), "✓ Done: tea");
    assert.deepEqual(await at.live(), []);
  });
  test("ask which one is meant, and say why a time cannot be read", async () => {
    const at = chatFixture();
    const id = idIn(await at.text("/remind tomorrow 9am tea"));
    assert.match(await at.text("/snooze 10m"), /^Which one\?/);
    assert.match(await at.text("/done"), /^Which one\?/);
    assert.match(await at.text("/done the dishes"), /^Which one\?/);
    assert.match(seen(await at.text(`/snooze ${id} soon`)), /"soon" is not a time/);
    assert.match(await at.text("/done", { replyTo: 99 }), /^Which one\?/);
    await korean(at);
    assert.match(await at.text("/done"), /^어느 것인지 알 수 없습니다/);
  });
});

describe("a button", () => {
  test("puts a reminder off, and shows when", async () => {
    const at = chatFixture();
    await at.say("/remind 10m tea", { address: "-100:7" });
    const id = await at.delivered(41, "-100:7");
    const told = await at.press(`10m:${id}`, { address: "-100:7" });
    assert.match(told.mark ?? "", /^⏰ Snoozed: .* \(in 10 min\)$/);
    assert.equal(told.toast, told.mark);
    assert.equal(told.text, undefined);
    const [copy] = await at.live();
    assert.equal(copy?.body.target, "telegram:-100:7");
    await at.press(`1h:${id}`, { address: "-100:7" });
    const moved = await at.live();
    assert.deepEqual(
      moved.map((record) => [record.id, record.body.at - at.clock.wall()]),
      [[copy?.id, 3_600_000]],
    );
    await at.press(`tomorrow:${id}`);
    assert.match((await at.press(`tomorrow:${id}`)).mark ?? "", /09:00/);
  });
  test("says that it is done, in the owner's language", async () => {
    const at = chatFixture();
    await korean(at);
    await at.say("/remind 10m tea");
    const id = await at.delivered(41);
    await at.press(`10m:${id}`);
    assert.deepEqual(await at.press(`done:${id}`), { mark: "✓ 완료", toast: "✓ 완료" });
    assert.deepEqual(await at.live(), []);
  });
  test("of another's reminder, or of nobody's, changes nothing", async () => {
    const at = chatFixture();
    await at.say("/remind 10m tea");
    const [record] = await at.live();
    const id = record?.id ?? "";
    const told = await at.press(`done:${id}`, { from: "8" });
    assert.match(told.toast ?? "", /^There is no notification/);
    assert.equal(told.mark, undefined);
    assert.deepEqual(await at.press(`done:${id}`, { from: "99" }), {});
    for (const data of [
      "",
      "done",
      `done:${id}:x`,
      `constructor:${id}`,
      `2h:${id}`,
      "x".repeat(999),
    ]) {
      assert.deepEqual(await at.press(data), {}, data);
    }
    assert.match((await at.press("done:gone")).toast ?? "", /^There is no notification "gone"/);
    assert.deepEqual(
      (await at.live()).map(({ id }) => id),
      [id],
    );
  });
});

describe("somebody who is not known", () => {
  test("is not answered, whatever they say, and is written down once", async () => {
    const at = chatFixture();
    for (const said of ["/remind 10m x", "hello", "/help", "/start", "link", "link to a page"]) {
      assert.deepEqual(await at.say(said, { from: "99" }), {}, said);
    }
    assert.deepEqual(await at.press("done:x", { from: "99" }), {});
    assert.equal(at.lines.length, 1);
    assert.match(at.lines[0] ?? "", /"chat.stranger".*"sender":"99"/);
    await at.say("hello", { from: "98" });
    assert.equal(at.lines.length, 2);
  });
  test("is somebody on one channel and nobody on another", async () => {
    const at = chatFixture();
    assert.deepEqual(await at.say("/list", { channel: "slack", from: "7" }), {});
  });
  test("joins with a code that was made for it, once", async () => {
    const at = chatFixture();
    const admin = { ...at.mina, scopes: ["admin"] as const };
    const { say, code } = await link.run({}, admin);
    const from = { from: "99", address: "99" };
    assert.match(await at.text(say, from), /^You are linked: .* book of mina/);
    assert.match(await at.text("/remind 10m tea", from), /tea/);
    const [record] = await at.live();
    assert.equal(record?.by, "telegram:99");
    assert.equal(record?.body.target, "telegram:99");
    assert.match(await at.text(`/start ${code}`, { from: "98" }), /^This code is wrong/);
    assert.match(await at.text("/start", from), /\*\*Commands\*\*/);
    await unlink.run({ id: personId({ channel: "telegram", sender: "99" }) }, admin);
    assert.deepEqual(await at.say("/list", from), {});
  });
  test("joins where a slash is not to be had, and reads their own language", async () => {
    const at = chatFixture();
    const { code } = await link.run({ owner: "jun" }, { ...at.mina, scopes: ["admin"] });
    const sender = { id: "U1", name: "jun\n\u202Eevil", language: "ko" } as const;
    const slack = { channel: "slack", address: "D1", sender } as const;
    assert.match(await at.text("/start 000000000000", slack), /^코드가 틀렸거나/);
    assert.match(await at.text(`link ${code.toUpperCase()}`, slack), /^You are linked: .* jun/);
    await at.say("remind 10m tea", slack);
    assert.equal((await at.live("jun")).length, 1);
    assert.doesNotMatch(at.lines.join(""), /\u202E/);
  });
  test("who guesses on is not answered any more", async () => {
    const at = chatFixture();
    const answers: boolean[] = [];
    for (let count = 0; count < 12; count += 1) {
      answers.push((await at.say("/start 000000000000", { from: "99" })).text !== undefined);
    }
    assert.deepEqual(answers, [...Array.from({ length: 10 }, () => true), false, false]);
  });
});

describe("where it was said", () => {
  test("is where it is answered, whoever shares the book", async () => {
    const at = chatFixture();
    await at.say("/remind 10m one", { address: "-100:7" });
    await at.say("/remind 10m two", { address: "-200" });
    await at.say("/every weekday 9am news", { address: "-100:7" });
    const targets = (await at.live()).map(({ body }) => [
      body.message,
      body.target,
      body.targetReason,
    ]);
    assert.deepEqual(targets, [
      ["two", "telegram:-200", "origin"],
      ["one", "telegram:-100:7", "origin"],
    ]);
    const { records } = await at.ledger.of("mina", "test").list({ kind: scheduleKind });
    const [schedule] = records.filter((record) => is(scheduleKind, record));
    assert.deepEqual(
      [schedule?.body.target, schedule?.body.origin],
      ["telegram:-100:7", "telegram:-100:7"],
    );
  });
  test("others' talk is heard only for commands", async () => {
    const at = chatFixture();
    const among = { address: "-100", overheard: true };
    for (const said of ["hello", "list", "help me", "remind me later", "/unknown", "/ban@Other"]) {
      assert.deepEqual(await at.say(said, among), {}, said);
    }
    assert.match(await at.text("/list", among), /^Nothing/);
  });
});

describe("words", () => {
  test("that are no command are answered with a hint, and a slip with what was meant", async () => {
    const at = chatFixture();
    assert.match(await at.text("hello"), /^Unknown command.*\/help/);
    assert.match(await at.text(""), /^Unknown command/);
    assert.equal(
      seen(await at.text("/remnid x")),
      "Unknown command /remnid. Did you mean /remind? /help lists all commands.",
    );
    await korean(at);
    assert.match(await at.text("안녕"), /^없는 명령입니다/);
    assert.match(await at.text("도움말"), /\*\*명령\*\*/);
  });
  test("help names every command in both languages", async () => {
    const at = chatFixture();
    const english = await at.text("/help");
    await korean(at);
    const hangul = await at.text("/help");
    const names = commands.map(({ name }) => name);
    for (const name of names.filter((each) => each !== "start")) {
      assert.match(english, new RegExp(`\`/${name}\\b`));
      assert.match(hangul, new RegExp(`\`/${name}\\b`));
    }
    assert.match(hangul, /[가-힣]/);
    assert.doesNotMatch(english.replaceAll(/`.*?`/g, ""), /[가-힣]/);
  });
  test("each command has a summary that fits a menu", () => {
    for (const language of ["en", "ko"] as const) {
      for (const { texts } of commands) {
        const { summary } = texts[language];
        assert.ok(summary !== "" && summary.length <= 100, summary);
      }
      assert.match(textsOf(language).textOption, /^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u);
    }
  });
  test("the time zone is shown, set and checked", async () => {
    const at = chatFixture();
    assert.match(seen(await at.text("/timezone")), /^Times are read in Asia\/Seoul/);
    assert.match(
      seen(await at.text("/timezone Europe/Berlin")),
      /^Times are read in Europe\/Berlin/,
    );
    assert.match(await at.text("/remind tomorrow 9am x"), /Berlin/);
    assert.match(seen(await at.text("/timezone Mars/Base")), /Mars\/Base/);
    assert.match(seen(await at.text("/timezone")), /Europe\/Berlin/);
  });
});

describe("what goes wrong", () => {
  const broken = (error: Error) => ({
    readProfile: () => Promise.reject(error),
  });
  test("here is said without its inside, and written down", async () => {
    const at = chatFixture(broken(new TypeError("secret of ours")));
    assert.match(await at.text("/list"), /^Something went wrong/);
    assert.match((await at.press("done:x")).toast ?? "", /^Something went wrong/);
    assert.match(at.lines.join(""), /"chat.failed".*secret of ours/);
  });
  test("for a while is said so", async () => {
    const at = chatFixture(broken(new DaybookError("unavailable", "The disk is at /x.")));
    assert.match(await at.text("/list"), /Try again in a minute/);
    assert.match(at.lines.join(""), /"warn".*"chat.failed"/);
  });
  test("nobody runs goals where no agent is set up", async () => {
    const at = chatFixture(withRunners(bookFixture().mina, { command: true }));
    assert.match(await at.text("/every weekday 9am x"), /^No agent is configured here/);
    const other = chatFixture();
    assert.match(await other.text("/every now and then look"), /How often is missing/);
    assert.match(seen(await other.text("/every 10 s look")), /at least/);
  });
});
