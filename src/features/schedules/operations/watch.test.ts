import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { is, type Kind } from "../../../kernel/kind.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { taskKind } from "../../tasks/kind.ts";
import { scheduleKind } from "../kind.ts";
import { editSchedule } from "./edit.ts";
import { pingByToken, pingWatch } from "./ping.ts";
import { scheduleRuns } from "./runs.ts";
import { createWatch } from "./watch.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function made(at: BookFixture, asked: object = {}): Promise<{ id: string; token: string }> {
  const input = { name: "backup", every: "1d", ...asked };
  const context = { ...at.mina, baseUrl: () => "https://daybook.example/" };
  const { output } = await callOperation(context, createWatch, input, context);
  return output as { id: string; token: string };
}

async function rows(at: BookFixture, kind: Kind): Promise<readonly AnyRecord[]> {
  return (await at.ledger.of("mina", "x").list({ kind, limit: 500 })).records;
}

describe("a watch", () => {
  test("is a schedule with a URL that is shown once", async () => {
    const at = bookFixture();
    const watch = await made(at, { grace: "30m" });
    assert.ok("ping_url" in watch);
    assert.equal(watch.ping_url, `https://daybook.example/ping/${watch.token}`);
    const record = await at.ledger.of("mina", "x").get(watch.id);
    assert.ok(is(scheduleKind, record) && "ping" in record.body.run);
    assert.ok(!JSON.stringify(record).includes(watch.token.split(".")[2] ?? ""));
    assert.equal(record.wakeAt, at.clock.wall() + dayMs + hourMs / 2);
    const said = createWatch.render(watch as never, at.reader());
    assert.match(
      said,
      /^Watching 'backup', which reports every 1 d\. If a report is over 30 min late/,
    );
    assert.ok(said.includes(watch.token) && said.endsWith(watch.id));
  });
  test("takes its time as a phrase, too", async () => {
    const at = bookFixture();
    const { id } = await made(at, { every: undefined, when: "every weekday 9am" });
    const record = await at.ledger.of("mina", "x").get(id);
    assert.equal(record?.wakeAt, at.clock.wall() + 2 * hourMs);
  });
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ["no time at all", { every: undefined }, /give "every", such as "1d"/],
    ["two times", { when: "daily 9am" }, /give one of them/],
    [
      "a time that comes once",
      { every: undefined, when: "tomorrow 9am" },
      /needs a recurring time/,
    ],
    ["a grace that is none", { grace: "soon" }, /not a length/],
    ["too often", { every: "5s" }, /at least/],
    ["another's place", { target: "inbox:jun" }, /not yours/],
  ];
  for (const [what, asked, sentence] of refused) {
    test(`with ${what} is refused`, async () => {
      await assert.rejects(made(bookFixture(), asked), { message: sentence });
    });
  }
  test("needs a name of its own", async () => {
    const at = bookFixture();
    await made(at);
    await assert.rejects(made(at), { code: "held", message: /choose another name/ });
  });
});

describe("an edit of a watch", () => {
  test("gives it nothing to run, and keeps its URL", async () => {
    const at = bookFixture();
    const { id, token } = await made(at);
    for (const change of [
      { run: { command: ["./backup.sh"] } },
      { run: { in: "box" } },
      { goal: "back it up" },
    ]) {
      await assert.rejects(callOperation(at.mina, editSchedule, { id, ...change }, at.mina), {
        code: "refused",
        message:
          '"backup" is a watch, which waits for pings and runs nothing: create a schedule for the run.',
      });
    }
    await callOperation(at.mina, editSchedule, { id, when: "every 2 days" }, at.mina);
    assert.ok(await pingByToken(at.mina, token, { exit: 0, text: "" }));
  });
});

describe("a ping", () => {
  test("by URL counts for its watch", async () => {
    const at = bookFixture();
    const { id, token } = await made(at);
    at.clock.advance(hourMs);
    assert.ok(await pingByToken(at.mina, token, "start"));
    at.clock.advance(5_000);
    assert.ok(await pingByToken(at.mina, token, { exit: 0, text: "copied 3 files\n" }));
    const [row] = await rows(at, taskKind);
    assert.ok(is(taskKind, row) && row.state === "completed");
    assert.deepEqual([row.parent, row.by, row.outcome?.result], [id, "ping", "copied 3 files\n"]);
    assert.equal((row.outcome?.finishedAt ?? 0) - (row.outcome?.startedAt ?? 0), 5_000);
    const watch = await at.ledger.of("mina", "x").get(id);
    assert.equal(watch?.wakeAt, at.clock.wall() + dayMs + hourMs);
  });
  test("with a wrong URL, or of a deleted watch, is not found", async () => {
    const at = bookFixture();
    const { id, token } = await made(at);
    const [owner = "", , secret = ""] = token.split(".");
    const other = Buffer.from("jun").toString("base64url");
    const wrong = [
      "x",
      `${owner}.${id}.AAAA`,
      `${other}.${id}.${secret}`,
      `${owner}.nowhere.${secret}`,
    ];
    for (const each of wrong) {
      assert.equal(await pingByToken(at.mina, each, { exit: 0, text: "" }), false, each);
    }
    await at.ledger.of("mina", "x").cancel({ id });
    assert.equal(await pingByToken(at.mina, token, { exit: 0, text: "" }), false);
    assert.deepEqual(await rows(at, taskKind), []);
  });
  test("that comes days late leaves a row for each missed one", async () => {
    const at = bookFixture();
    const { id, token } = await made(at);
    at.clock.advance(3.5 * dayMs);
    assert.ok(await pingByToken(at.mina, token, { exit: 0, text: "" }));
    const { runs } = await scheduleRuns.run({ id, limit: 20 }, at.mina);
    assert.deepEqual(
      runs.map(({ status, slot }) => `${slot} ${status}`),
      [
        "2026-11-19T11:00:00Z completed",
        "2026-11-18T23:00:00Z missed",
        "2026-11-17T23:00:00Z missed",
        "2026-11-16T23:00:00Z missed",
      ],
    );
    assert.deepEqual(await rows(at, notificationKind), []);
    const watch = await at.ledger.of("mina", "x").get(id);
    assert.equal(watch?.wakeAt, at.clock.wall() + dayMs + hourMs);
  });
  test("is a row of its own among many at once", async () => {
    const at = bookFixture();
    const { token } = await made(at);
    const all = Array.from({ length: 20 }, (_, exit) =>
      pingByToken(at.mina, token, { exit, text: "" }),
    );
    assert.ok((await Promise.all(all)).every((taken) => taken));
    assert.equal((await rows(at, taskKind)).length, 20);
  });
  test("by name needs the owner, and is rendered in both languages", async () => {
    const at = bookFixture();
    await made(at);
    const ended = await pingWatch.run({ id: "Backup", exit: 2, output: "no space" }, at.mina);
    assert.deepEqual([ended.name, ended.state], ["backup", "failed"]);
    assert.equal(pingWatch.render(ended, at.reader()), "'backup': failed.");
    assert.equal(pingWatch.render(ended, at.reader("ko")), "'backup': 실패.");
    const [notice] = await rows(at, notificationKind);
    assert.ok(is(notificationKind, notice));
    assert.match(notice.body.message, /^❌ .* it ended with exit 2: no space$/);
    await assert.rejects(pingWatch.run({ id: "backup", exit: 0 }, at.jun), { code: "not_found" });
  });
  test("by name keeps the end of a long output", async () => {
    const at = bookFixture();
    await made(at);
    await pingWatch.run({ id: "backup", exit: 0, output: `${"가".repeat(40_000)}end` }, at.mina);
    const [row] = await rows(at, taskKind);
    assert.ok(is(taskKind, row));
    assert.deepEqual([row.outcome?.outputBytes, row.outcome?.outputCut], [65_535, true]);
  });
});
