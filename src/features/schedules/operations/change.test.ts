import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { is } from "../../../kernel/kind.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { taskKind } from "../../tasks/kind.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";
import { decideSlots } from "../verdict.ts";
import { createSchedule } from "./create.ts";
import { editSchedule } from "./edit.ts";
import { deleteSchedule, pauseSchedule, resumeSchedule } from "./lifecycle.ts";
import { runScheduleNow, scheduleRuns } from "./runs.ts";
import { showSchedule } from "./schedules.ts";

const run = { command: ["./report.sh"] };

async function make(at: BookFixture, more: object = {}): Promise<string> {
  const asked = { name: "brief", when: "weekdays 08:30", run, ...more };
  const { output } = await callOperation(at.mina, createSchedule, asked, at.mina);
  return createSchedule.output.parse(output).id;
}

async function edit(at: BookFixture, input: object, who: Context = at.mina) {
  const { output } = await callOperation(who, editSchedule, input, who);
  return editSchedule.output.parse(output);
}

describe("an edit", () => {
  const cases: [change: object, seen: object][] = [
    [{ name: "morning" }, { name: "morning" }],
    [{ when: "every day 7am" }, { when: "every day at 07:00 (Asia/Seoul)" }],
    [{ cadence: { type: "interval", every: "2h" } }, { when: "every 2 h", when_text: "every 2h" }],
    [
      { cadence_type: "cron", cadence_value: "0 3 * * *" },
      { when: "every day at 03:00 (Asia/Seoul)" },
    ],
    [{ timezone: "UTC" }, { when: "every weekday at 08:30 (UTC)", when_text: "weekdays 08:30" }],
    [{ goal: "tidy" }, { runner: "agent", run: { agent: "tidy" } }],
    [{ notification: "never" }, { notify: "never" }],
    [{ auto_disable_after_failures: 9 }, { disable_after_failures: 9 }],
    [{ target: "telegram:9" }, { target: "telegram:9", channel_id: "stdout" }],
    [
      { misfire: "none", overlap: "allow", rerun: true },
      { misfire: "none", overlap: "allow", rerun: true },
    ],
    [
      { timeout: 30, notify_after_failures: 0 },
      { timeout: 30, notify_after_failures: 0 },
    ],
    [{ budget: { cost_per_day: 2 } }, { budget: { runs_per_day: 4, cost_per_day: 2 } }],
    [{ budget: null }, { budget: null }],
    [{ status: "paused" }, { status: "paused", next: [], next_run_at: null }],
    [
      { status: "paused", name: "x" },
      { status: "paused", name: "x" },
    ],
  ];
  for (const [change, seen] of cases) {
    test(`of ${JSON.stringify(change)} changes that and nothing else`, async () => {
      const at = bookFixture();
      const id = await make(at, { budget: { runs_per_day: 4 } });
      const before = await showSchedule.run({ id }, at.mina);
      const after = await edit(at, { id: "brief", ...change });
      const names = Object.keys(seen);
      const picked = (view: object): object =>
        Object.fromEntries(Object.entries(view).filter(([name]) => names.includes(name)));
      assert.deepEqual(picked(after), seen);
      const meant = [
        "revision",
        "updated_at",
        "next",
        "next_run_at",
        "cadence",
        "when_text",
        "reason",
        "runner",
        "runs",
      ];
      const others = Object.keys(before).filter((name) => ![...names, ...meant].includes(name));
      for (const name of others as (keyof typeof after & keyof typeof before)[]) {
        assert.deepEqual(after[name], before[name], name);
      }
      assert.equal(after.revision, before.revision + 1);
    });
  }
  test("starts a new cadence now, and keeps its zone by default", async () => {
    const at = bookFixture();
    const id = await make(at);
    at.clock.advance(3_600_000);
    const { next_run_at: next } = await edit(at, {
      id,
      cadence: { type: "interval", every: "2h" },
    });
    assert.equal(next, "2026-11-16T02:00:00Z");
  });
  const everyDay = "FREQ=DAILY;INTERVAL=2";
  const again: [title: string, made: object, change: object, isSame: boolean][] = [
    ["an interval", { when: "every 2h" }, { when: "every 2h" }, true],
    ["an interval in other words", { when: "every 2h" }, { when: "every 120 min" }, true],
    [
      "an interval as data",
      { when: "every 2h" },
      { cadence: { type: "interval", every: 7_200 } },
      true,
    ],
    ["another interval", { when: "every 2h" }, { when: "every 3h" }, false],
    [
      "a rule",
      { cadence: { type: "rrule", rule: everyDay } },
      { cadence: { type: "rrule", rule: everyDay } },
      true,
    ],
    [
      "a rule with a start",
      { cadence: { type: "rrule", rule: everyDay } },
      { cadence: { type: "rrule", rule: everyDay, start: "2026-11-20T09:00" } },
      false,
    ],
    [
      "a rule in another zone",
      { cadence: { type: "rrule", rule: everyDay } },
      { cadence: { type: "rrule", rule: everyDay, timezone: "UTC" } },
      false,
    ],
    ["every other day", { when: "every 2 days 9am" }, { when: "every 2 days 9am" }, true],
    [
      "every other day at another time",
      { when: "every 2 days 9am" },
      { when: "every 2 days 10am" },
      false,
    ],
  ];
  for (const [title, made, change, isSame] of again) {
    const does = isSame ? "goes on as it was counted" : "begins now";
    test(`of ${title} ${does}`, async () => {
      const at = bookFixture();
      const id = await make(at, { when: undefined, ...made });
      at.clock.advance(24.5 * 3_600_000);
      const { next: before } = await edit(at, { id, name: "renamed" });
      const { next } = await edit(at, { id, ...change });
      assert.equal(JSON.stringify(next) === JSON.stringify(before), isSame);
    });
  }
  test("says what it assumed of a new time, but not of a rule that keeps its start", async () => {
    const at = bookFixture();
    const id = await make(at, { when: everyDay });
    at.clock.advance(90_000);
    const kept = await edit(at, { id, when: everyDay });
    assert.equal(kept.assumed, undefined);
    const changed = await edit(at, { id, when: "FREQ=DAILY;INTERVAL=3" });
    assert.equal(changed.assumed, "08:02");
    const hour = await edit(at, { id, when: "every day at 3" });
    assert.deepEqual([hour.assumed, hour.instead], ["15:00", "3 am"]);
    assert.match(editSchedule.render(hour, at.reader()), /; 15:00 assumed; write 3 am/);
  });
  test("with an older revision is refused", async () => {
    const at = bookFixture();
    const id = await make(at);
    await edit(at, { id, name: "a", revision: 1 });
    await assert.rejects(edit(at, { id, name: "b", revision: 1 }), { code: "stale" });
    assert.equal((await edit(at, { id, name: "b", revision: 2 })).name, "b");
  });
  test("to an HTTP call creates a secret, which another URL keeps", async () => {
    const at = bookFixture();
    const id = await make(at);
    const { secret = "" } = await edit(at, { id, run: { http: "https://example.org/a" } });
    assert.match(secret, /^whsec_/);
    const other = await edit(at, { id, run: { http: "https://example.org/b" } });
    assert.deepEqual([other.secret, other.run], [undefined, { http: "https://example.org/b" }]);
    const record = await at.ledger.of("mina", "mina").get(id);
    assert.ok(is(scheduleKind, record) && "http" in record.body.run);
    assert.equal(record.body.run.secret, secret);
  });
  const bad: [change: object, code: string, says: RegExp][] = [
    [{}, "invalid", /^The request changes nothing/],
    [{ when: "every 5s" }, "invalid", /at least 1 min/],
    [{ name: "other" }, "held", /already exists: choose another name/],
    [{ status: "disabled" }, "invalid", /one of active, paused/],
    [{ timezone: "Mars/Base" }, "invalid", /time zone/],
    [{ cadence_value: "0 3 * * *" }, "invalid", /give both/],
  ];
  for (const [change, code, says] of bad) {
    test(`of ${JSON.stringify(change)} is refused, and changes nothing`, async () => {
      const at = bookFixture();
      const id = await make(at);
      await make(at, { name: "other" });
      const before = await showSchedule.run({ id }, at.mina);
      await assert.rejects(edit(at, { id, ...change }), { code, message: says });
      assert.deepEqual(await showSchedule.run({ id }, at.mina), before);
    });
  }
  test("of a zone alone is refused for an interval", async () => {
    const at = bookFixture();
    const id = await make(at, { when: "every 2h" });
    await assert.rejects(edit(at, { id, timezone: "UTC" }), /an interval, which has no time zone/);
  });
});

describe("a pause", () => {
  test("stops a schedule until it is resumed, which resets its failures", async () => {
    const at = bookFixture();
    const id = await make(at);
    const paused = await pauseSchedule.run({ id: "brief", reason: "holiday" }, at.mina);
    assert.deepEqual([paused.status, paused.reason, paused.next], ["paused", "holiday", []]);
    at.clock.advance(86_400_000);
    const active = await resumeSchedule.run({ id }, at.mina);
    assert.deepEqual([active.status, active.reason], ["active", null]);
    assert.equal(active.next_run_at, "2026-11-16T23:30:00Z");
  });
  test("with an end shows the first run after it", async () => {
    const at = bookFixture();
    await make(at);
    const paused = await pauseSchedule.run({ id: "brief", until: "wednesday 12:00" }, at.mina);
    assert.deepEqual(
      [paused.paused_until, paused.next_run_at, paused.next[0]?.utc],
      ["2026-11-18T03:00:00Z", "2026-11-18T23:30:00Z", "2026-11-18T23:30:00Z"],
    );
    const past = pauseSchedule.run({ id: "brief", until: "2026-11-01" }, at.mina);
    await assert.rejects(past, { code: "invalid", message: /give a later time/ });
  });
});

describe("a schedule that was deleted", () => {
  test("frees its name, and is still found by id and name", async () => {
    const at = bookFixture();
    const id = await make(at);
    const { deleted, status } = await deleteSchedule.run(
      { id: "BRIEF", reason: "enough" },
      at.mina,
    );
    assert.deepEqual([deleted, status], [true, "cancelled"]);
    assert.deepEqual((await deleteSchedule.run({ id }, at.mina)).deleted, false);
    assert.equal((await showSchedule.run({ id: "brief" }, at.mina)).id, id);
    const other = await make(at);
    assert.equal((await showSchedule.run({ id: "brief" }, at.mina)).id, other);
  });
  test("after a gap has a row for each due slot", async () => {
    const at = bookFixture();
    await make(at, { name: "one", when: "every 2h" });
    await make(at, { name: "two", when: "every 2h" });
    await pauseSchedule.run({ id: "two" }, at.mina);
    at.clock.advance(5 * 3_600_000);
    for (const [id, became] of [
      ["one", "missed: the schedule was deleted"],
      ["two", "skipped: paused"],
    ] as const) {
      assert.equal((await deleteSchedule.run({ id }, at.mina)).deleted, true);
      const { runs } = await scheduleRuns.run({ id, limit: 20 }, at.mina);
      assert.deepEqual(
        runs.map(({ slot, status, reason }) => `${slot} ${status}: ${reason}`),
        [`2026-11-16T03:00:00Z ${became}`, `2026-11-16T01:00:00Z ${became}`],
      );
    }
  });
  test("while its slots are decided has each of them once", async () => {
    const at = bookFixture();
    const id = await make(at, { when: "every 2h" });
    at.clock.advance(5 * 3_600_000);
    const asked = { kind: scheduleKind, holder: "n1", leaseMs: 60_000, limit: 1 } as const;
    const [claimed] = (await at.ledger.work.claim(asked)).records;
    assert.ok(claimed !== undefined);
    for (const _ of [1, 2]) assert.ok((await deleteSchedule.run({ id }, at.mina)).deleted);
    const settle = async (record: Claimed<ScheduleKind>) => {
      const facts = { now: at.clock.wall(), jitter: 0 };
      const verdict = decideSlots(record, facts, { live: [], held: [], zone: "UTC" });
      const { fence } = claimed.lease;
      const unit = { kind: "schedule", id, fence, revision: record.revision, ...verdict } as const;
      return (await at.ledger.work.settle([unit]))[0];
    };
    const first = await settle(claimed);
    assert.ok(first?.result === "moved");
    assert.equal((await settle(first.record as Claimed<ScheduleKind>))?.result, "settled");
    const { runs } = await scheduleRuns.run({ id, limit: 20 }, at.mina);
    assert.deepEqual(
      runs.map(({ status }) => status),
      ["missed", "missed"],
    );
    assert.equal((await showSchedule.run({ id }, at.mina)).status, "cancelled");
  });
  test("cancels every waiting run", async () => {
    const at = bookFixture();
    const id = await make(at, { overlap: "allow" });
    for (let count = 0; count < 620; count += 1) await runScheduleNow.run({ id }, at.mina);
    await deleteSchedule.run({ id }, at.mina);
    const query = { kind: taskKind, parent: id, live: true } as const;
    assert.deepEqual(await Array.fromAsync(recordsIn(at.ledger.of("mina", "mina"), query)), []);
  });
  test("by several requests at once is deleted by one of them", async () => {
    const at = bookFixture();
    const id = await make(at, { when: "every 2h" });
    at.clock.advance(5 * 3_600_000);
    const changes = ["a", "b"].map((name) => edit(at, { id, name }).catch(() => undefined));
    const all = [1, 2, 3].map(() => deleteSchedule.run({ id }, at.mina));
    const deleted = (await Promise.all(all)).filter((each) => each.deleted);
    await Promise.all(changes);
    assert.equal(deleted.length, 1);
    assert.equal((await scheduleRuns.run({ id, limit: 20 }, at.mina)).count, 2);
  });
  test("cannot be changed", async () => {
    const at = bookFixture();
    const id = await make(at);
    await deleteSchedule.run({ id }, at.mina);
    const sentence = "The schedule is deleted and cannot be changed: create another one.";
    await assert.rejects(edit(at, { id, name: "x" }), { code: "ended", message: sentence });
    await assert.rejects(pauseSchedule.run({ id }, at.mina), { code: "ended", message: sentence });
  });
});

test("a schedule of another book and a missing one give the same error", async () => {
  const at = bookFixture();
  const theirs = await make(at);
  const ways: ((id: string) => Promise<unknown>)[] = [
    (id) => showSchedule.run({ id }, at.jun),
    (id) => edit(at, { id, name: "x" }, at.jun),
    (id) => pauseSchedule.run({ id }, at.jun),
    (id) => resumeSchedule.run({ id }, at.jun),
    (id) => deleteSchedule.run({ id }, at.jun),
  ];
  const gone = "01a1e170-0000-7000-8000-000000000000";
  for (const way of ways) {
    const said = async (id: string): Promise<string> => {
      const error = await way(id).then(
        () => assert.fail("it was there"),
        (error: Error) => error,
      );
      return error.message.replaceAll(id, "ID");
    };
    assert.equal(await said(theirs), await said(gone));
    assert.equal((await said("brief")).replace("brief", "ID"), await said(gone));
  }
});
