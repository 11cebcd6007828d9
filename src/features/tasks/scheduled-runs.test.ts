import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { sleep } from "../../platform/clock.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { notificationKind } from "../notifications/kind.ts";
import { pausedSchedule, resumedSchedule } from "../schedules/change.ts";
import { scheduler } from "../schedules/controller.ts";
import { runHold } from "../schedules/holds.ts";
import { type ScheduleKind, scheduleKind } from "../schedules/kind.ts";
import { taskKind, type NotifyPolicy } from "./kind.ts";
import type { Ran } from "./runner.ts";

const done: Ran = { result: "completed" };
const failed: Ran = { result: "failed", reason: "disk full" };

/** One run after another, each ended before the next. */
async function runs(
  at: RunFixture,
  schedule: LedgerRecord<ScheduleKind>,
  count: number,
): Promise<string> {
  let id = "";
  for (let n = 0; n < count; n += 1) {
    id = await at.slot(schedule, { at: at.kernel.now() + n });
    await at.pass(5_000);
  }
  return id;
}
/** Virtual time stands still while nothing waits for it. */
async function idle(at: RunFixture, ms: number): Promise<void> {
  at.clock.after(ms, () => undefined);
  await at.pass(ms);
}
const book = (at: RunFixture): ReturnType<RunFixture["ledger"]["of"]> =>
  at.ledger.of("mina", "mina");

describe("the output of a run", () => {
  const marked = "  [NOTIFY] disk is full";
  const choice = (notify: boolean): string => JSON.stringify({ notify, message: "m" });
  const table: readonly [NotifyPolicy, Ran, string | null, told: string | null, kept: string][] = [
    ["always", { ...done, said: marked }, null, marked, marked],
    ["always", done, choice(false), choice(false), choice(false)],
    ["always", done, "written", "written", "written"],
    ["always", done, null, "'backup' ran, without output.", ""],
    ["always", { ...done, returned: { notify: false, message: "m" } }, null, "m", "m"],
    ["conditional", { ...done, said: marked }, null, "disk is full", "disk is full"],
    ["conditional", { ...done, said: "all is well" }, null, null, "all is well"],
    ["conditional", { ...done, said: "well [NOTIFY]" }, null, null, "well [NOTIFY]"],
    ["conditional", done, "\n [NOTIFY]\n\nwritten", "written", "written"],
    ["conditional", done, "[NOTIF", null, "[NOTIF"],
    ["conditional", done, "[NOTIFY]", "'backup' ran, without output.", ""],
    ["conditional", { ...done, returned: { notify: true, message: "m" } }, null, "m", "m"],
    ["conditional", { ...done, returned: { notify: false, message: "m" } }, null, null, "m"],
    ["conditional", { ...done, returned: "[NOTIFY] m", said: "[NOTIFY] m" }, null, "m", "m"],
    ["conditional", { ...done, said: choice(true) }, null, "m", choice(true)],
    ["conditional", { ...done, said: choice(false) }, null, null, choice(false)],
    ["conditional", done, choice(true), "m", choice(true)],
    [
      "conditional",
      done,
      `\`\`\`json\n${choice(true)}\n\`\`\``,
      "m",
      `\`\`\`json\n${choice(true)}\n\`\`\``,
    ],
    ["conditional", done, choice(false), null, choice(false)],
    ["never", { ...done, said: marked }, null, null, marked],
    ["always", failed, "written", null, "written"],
    ["conditional", failed, "[NOTIFY] written", null, "written"],
  ];
  for (const [notify, ran, wrote, told, kept] of table) {
    test(`${notify}: ${JSON.stringify([ran, wrote])} is sent as ${JSON.stringify(told)}`, async () => {
      const at = runFixture();
      const schedule = await at.schedule({ notify });
      const runner = fakeRunner((_job, fixture) => {
        for (const character of wrote ?? "") fixture.write(character);
        return ran;
      });
      const id = await at.slot(schedule);
      await at.node(runner);
      await at.pass(5_000);
      assert.deepEqual(await at.messages(), told === null ? [] : [told]);
      assert.equal(await at.output(id), kept);
      const { outcome } = await at.task(id);
      const isChoice = notify === "conditional" && kept.includes(choice(true).slice(0, 9));
      assert.equal(outcome?.summary, isChoice ? "m" : kept.trim() || null);
      if (notify === "conditional") assert.doesNotMatch(JSON.stringify(outcome), /"\[NOTIFY\]/);
    });
  }
  test("is sent by its own marker, whatever errors come before, between and after it", async () => {
    const table: readonly [wrote: string, told: string | null, kept: string][] = [
      [" [NOTIFY] disk full", "warning\ndisk fu!ll!", "warning\ndisk fu!ll!"],
      [choice(true), "m", 'warning\n{"notify":true,"m!essage":"m"}!'],
      [choice(false), null, 'warning\n{"notify":false,"!message":"m"}!'],
    ];
    for (const [wrote, told, kept] of table) {
      const at = runFixture();
      const schedule = await at.schedule({ notify: "conditional" });
      const id = await at.slot(schedule);
      await at.node(
        fakeRunner((_job, fixture) => {
          fixture.write("warning\n", "errors");
          fixture.write(wrote.slice(0, 17));
          fixture.write("!", "errors");
          fixture.write(wrote.slice(17));
          fixture.write("!", "errors");
          return done;
        }),
      );
      await at.pass(5_000);
      assert.deepEqual(await at.messages(), told === null ? [] : [told]);
      assert.equal(await at.output(id), kept);
      const { outcome } = await at.task(id);
      assert.equal(outcome?.summary, wrote.startsWith("{") ? "m" : kept);
    }
  });
  test("is not sent when the run had nothing to do, and the run shows the reason", async () => {
    for (const notify of ["always", "conditional", "never"] as const) {
      const at = runFixture();
      const id = await at.slot(await at.schedule({ notify }));
      await at.node(
        fakeRunner((_job, fixture) => {
          fixture.write("[NOTIFY] no letters\n");
          return { ...done, nothingToDo: "the check found nothing to do" };
        }),
      );
      await at.pass(5_000);
      assert.deepEqual(await at.messages(), []);
      assert.match((await at.output(id)) ?? "", /no letters\n$/);
      const { state, outcome } = await at.task(id);
      assert.deepEqual([state, outcome?.reason], ["completed", "the check found nothing to do"]);
    }
  });
  test("is sent to the target of the task, as a child of the task", async () => {
    const at = runFixture();
    const id = await at.slot(await at.schedule());
    await at.node(fakeRunner(() => ({ ...done, said: "hi" })));
    await at.pass(1_000);
    const [notice] = (await book(at).list({ kind: notificationKind })).records;
    assert.ok(is(notificationKind, notice));
    const { target, origin, type } = notice.body;
    assert.deepEqual([target, origin, type, notice.parent], ["fake:a", "fake:me", "run", id]);
  });
  test("is cut at the length of a message, with the command for the rest", async () => {
    const at = runFixture();
    const id = await at.slot(await at.schedule());
    await at.node(fakeRunner(() => ({ ...done, said: "😀".repeat(30_000) })));
    await at.pass(1_000);
    const [message = ""] = await at.messages();
    assert.ok(message.length <= 20_000 && message.isWellFormed());
    assert.ok(message.endsWith(`…\nThe rest: daybook run output ${id}`));
    const { outcome } = await at.task(id);
    assert.equal(outcome?.summary, `${"😀".repeat(499)}…`);
    assert.equal(await at.output(id), "😀".repeat(30_000));
  });
});

const failing = "❌ Scheduled task 'backup' has failed 3 times in a row. Latest error: disk full";
const disabled = "⛔ Scheduled task 'backup' was disabled after 5 consecutive failures.";

describe("failures", () => {
  test("are reported at exactly the third and the fifth, which disables the schedule", async () => {
    const at = runFixture();
    const schedule = await at.schedule({ notify: "never" });
    await at.node(fakeRunner(() => failed));
    await runs(at, schedule, 2);
    assert.deepEqual(await at.messages(), []);
    await runs(at, schedule, 1);
    assert.deepEqual(await at.messages(), [failing]);
    await runs(at, schedule, 1);
    assert.deepEqual(await at.messages(), [failing]);
    await runs(at, schedule, 1);
    assert.deepEqual(await at.messages(), [failing, disabled]);
    const { state, outcome, wakeAt } = await at.scheduleOf(schedule.id);
    assert.deepEqual(
      [state, outcome?.reason, outcome?.nextRunAt, wakeAt],
      ["disabled", "disabled after 5 consecutive failures", null, null],
    );
    await runs(at, schedule, 2);
    assert.deepEqual(await at.messages(), [failing, disabled]);
  });
  test("are reported in the language of the owner", async () => {
    const at = runFixture();
    const schedule = await at.schedule();
    await at.node(
      fakeRunner(() => failed),
      { language: "ko" },
    );
    await runs(at, schedule, 3);
    assert.deepEqual(await at.messages(), [
      "❌ 예약 작업 'backup'이 3번 연속 실패했습니다. 마지막 오류: disk full",
    ]);
  });
  test("that were reported are followed by one notice of recovery", async () => {
    const at = runFixture();
    let answer: Ran = failed;
    const schedule = await at.schedule({ notify: "never" });
    await at.node(fakeRunner(() => answer));
    await runs(at, schedule, 4);
    answer = done;
    await runs(at, schedule, 2);
    assert.deepEqual(await at.messages(), [
      failing,
      "✅ Scheduled task 'backup' works again, after 4 failures.",
    ]);
    answer = failed;
    await runs(at, schedule, 2);
    answer = done;
    await runs(at, schedule, 1);
    assert.equal((await at.messages()).length, 2);
  });
  test("are followed by the recovery notice also after a pause or a disabled schedule", async () => {
    const again = "✅ Scheduled task 'backup' works again.";
    for (const [count, said] of [
      [3, [failing, again]],
      [5, [failing, disabled, again]],
      [2, []],
    ] as const) {
      const at = runFixture();
      let answer: Ran = failed;
      const schedule = await at.schedule({ notify: "never" });
      await at.node(fakeRunner(() => answer));
      await runs(at, schedule, count);
      const now = at.kernel.now();
      const before = await at.scheduleOf(schedule.id);
      if (before.state === "active") {
        await book(at).edit(pausedSchedule(before, { reason: "rest" }, now));
      }
      await book(at).edit(resumedSchedule(await at.scheduleOf(schedule.id), now));
      answer = done;
      await runs(at, schedule, 2);
      assert.deepEqual(await at.messages(), said);
    }
  });
  test("are reported together if both numbers are equal, and never if they are 0", async () => {
    for (const after of [2, 0]) {
      const at = runFixture();
      const numbers = { notifyAfterFailures: after, disableAfterFailures: after };
      const schedule = await at.schedule(numbers);
      await at.node(fakeRunner(() => failed));
      await runs(at, schedule, 7);
      assert.equal((await at.messages()).length, after);
      const { state, outcome } = await at.scheduleOf(schedule.id);
      assert.deepEqual(
        [state, outcome?.consecutiveFailures],
        [after === 0 ? "active" : "disabled", 7],
      );
    }
  });
  test("do not include cancelled runs, which are no success either", async () => {
    const at = runFixture();
    const schedule = await at.schedule();
    let answer: Ran | undefined = failed;
    await at.node(
      fakeRunner(async (_job, { signal }) => {
        if (answer === undefined) await sleep(at.clock, 60_000, signal);
        return answer ?? failed;
      }),
    );
    await runs(at, schedule, 2);
    answer = undefined;
    const id = await at.slot(schedule);
    await at.pass(1_000);
    await book(at).cancel({ id });
    await at.pass(10_000);
    assert.equal((await at.task(id)).state, "cancelled");
    const { outcome } = await at.scheduleOf(schedule.id);
    assert.deepEqual([outcome?.consecutiveFailures, outcome?.lastRunState], [2, "cancelled"]);
    assert.deepEqual(await at.messages(), []);
  });
  test("of 60 runs that end together are all counted, and reported once", async () => {
    const at = runFixture();
    const schedule = await at.schedule({ overlap: "allow" });
    const runner = fakeRunner(async () => {
      await sleep(at.clock, 1_000);
      return failed;
    });
    for (let n = 0; n < 60; n += 1) await at.slot(schedule, { at: at.kernel.now() + n });
    await at.node(runner);
    await at.pass(120_000);
    assert.equal((await at.scheduleOf(schedule.id)).outcome?.consecutiveFailures, 60);
    assert.deepEqual((await at.messages()).toSorted(), [disabled, failing].toSorted());
    assert.equal(runner.jobs.length, 60);
  });
});

describe("a run of a schedule", () => {
  test("cut off by a crash ends interrupted, or runs again if the schedule allows it", async () => {
    for (const rerun of [false, true]) {
      const at = runFixture();
      const schedule = await at.schedule({ rerun });
      const id = await at.slot(schedule);
      const claim = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 1_000 } as const;
      await at.ledger.work.claim({ ...claim, limit: 1 });
      const runner = fakeRunner(() => done);
      await at.node(runner);
      await at.pass(60_000);
      assert.equal((await at.task(id)).state, rerun ? "completed" : "interrupted");
      assert.equal(runner.jobs.length, rerun ? 1 : 0);
      const { outcome } = await at.scheduleOf(schedule.id);
      assert.equal(outcome?.consecutiveFailures, rerun ? 0 : 1);
      assert.equal(outcome?.lastRunState, rerun ? "completed" : "interrupted");
    }
  });
  test("that crashes its node each time is given up", async () => {
    const at = runFixture();
    const id = await at.slot(await at.schedule({ rerun: true }));
    const claim = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 1_000 } as const;
    for (let n = 0; n < 4; n += 1) {
      const { records } = await at.ledger.work.claim({ ...claim, limit: 1 });
      assert.equal(records.length, 1);
      await idle(at, 2_000);
    }
    const runner = fakeRunner(() => done);
    await at.node(runner);
    await at.pass(60_000);
    assert.equal((await at.task(id)).state, "interrupted");
  });
  test("cut off by a stop ends interrupted, unless it may run again", async () => {
    for (const rerun of [false, true]) {
      const at = runFixture();
      const id = await at.slot(await at.schedule({ rerun }));
      const node = await at.node(
        fakeRunner(async (_job, { signal }) => {
          await sleep(at.clock, 60_000, signal);
          return failed;
        }),
      );
      await at.pass(1_000);
      const stopped = node.stop();
      await at.pass(20_000);
      await stopped;
      assert.equal((await at.task(id)).state, rerun ? "pending" : "interrupted");
    }
  });
  test("keeps its record when the schedule is deleted", async () => {
    const at = runFixture();
    const schedule = await at.schedule();
    const id = await at.slot(schedule);
    await at.node(
      fakeRunner(async (_job, fixture) => {
        fixture.write("all of it");
        await book(at).cancel({ id: schedule.id });
        return done;
      }),
    );
    await at.pass(5_000);
    const { state, outcome } = await at.task(id);
    assert.deepEqual([state, outcome?.summary], ["completed", "all of it"]);
    assert.equal((await at.scheduleOf(schedule.id)).state, "cancelled");
  });
  test("never overwrites an edit of the schedule, and is counted", async () => {
    const at = runFixture();
    const schedule = await at.schedule();
    const id = await at.slot(schedule);
    let edits = 0;
    at.fault = (verb) => {
      // Between what was read and what is settled.
      if (verb !== "settle" || edits >= 2) return;
      edits += 1;
      void book(at).edit({
        kind: "schedule",
        id: schedule.id,
        body: { ...schedule.body, name: `renamed ${edits}` },
      });
    };
    await at.node(fakeRunner(() => failed));
    await at.pass(5_000);
    assert.equal((await at.task(id)).state, "failed");
    const { body, outcome } = await at.scheduleOf(schedule.id);
    assert.equal(edits, 2);
    assert.deepEqual([body.name, outcome?.consecutiveFailures], ["renamed 2", 1]);
  });
  test("waits for its turn, and starts when the previous run ends", async () => {
    const at = runFixture();
    const schedule = await at.schedule({ overlap: "queue" });
    const starts: number[] = [];
    const runner = fakeRunner(async () => {
      starts.push(at.kernel.now());
      await sleep(at.clock, 20_000);
      return done;
    });
    const turns = [runHold(schedule.id)];
    const begin = at.kernel.now();
    for (let n = 0; n < 3; n += 1) {
      const holds = n === 0 ? {} : { holds: [`queued:${schedule.id}:${n}`] };
      await at.slot(schedule, { at: begin + n, turns, ...holds });
    }
    await at.node(runner);
    await at.node(runner, { holder: "n2" });
    await at.pass(70_000);
    const [first = 0, second = 0, third = 0] = starts;
    assert.equal(starts.length, 3);
    assert.ok(second - first >= 20_000 && second - first < 21_000, `${second - first}`);
    assert.ok(third - second >= 20_000 && third - second < 21_000, `${third - second}`);
    const { records } = await book(at).list({ kind: taskKind });
    assert.deepEqual(new Set(records.map(({ state }) => state)), new Set(["completed"]));
  });
  test("of a backfill starts at its own time, also long after the previous run", async () => {
    const at = runFixture();
    const cadence = { type: "interval", everyMs: 60_000, anchor: at.kernel.now() } as const;
    const schedule = await at.schedule({ cadence, misfire: "all" });
    await idle(at, 4 * 60_000 + 5_000);
    const starts: number[] = [];
    const runner = fakeRunner(async () => {
      starts.push(at.kernel.now());
      await sleep(at.clock, starts.length === 3 ? 1_500 : 10);
      return done;
    });
    await at.node(runner);
    const slots = scheduler({ ...at, profile: async () => plainProfile });
    await runController(slots, at.ports, at.options).start();
    await at.pass(20_000);
    const seconds = starts.map((start) => (start - (starts[0] ?? 0)) / 1_000);
    // The fourth has waited for its turn, and is woken by the end of the third.
    assert.deepEqual(seconds.map(Math.floor), [0, 1, 2, 3]);
    assert.ok((seconds[3] ?? 0) >= 3.5, `${seconds[3]}`);
    const { records } = await book(at).list({ kind: taskKind, parent: schedule.id });
    assert.deepEqual(
      records.map(({ state }) => state),
      Array.from({ length: 4 }, () => "completed"),
    );
  });
  test("keeps its holds, also with a concurrency limit", async () => {
    const at = runFixture();
    const schedule = await at.schedule();
    const holds = [runHold(schedule.id)];
    await at.slot(schedule, { holds });
    await at.node(
      fakeRunner(async () => {
        await sleep(at.clock, 20_000);
        return done;
      }, 2),
    );
    await at.pass(5_000);
    await assert.rejects(at.slot(schedule, { at: 1, holds }), { code: "held" });
    await at.pass(20_000);
    await at.slot(schedule, { at: 2, holds });
  });
  test("ends its one-shot schedule also while that is leased", async () => {
    const at = runFixture();
    const cadence = { type: "once", at: at.kernel.now() + 1_000 } as const;
    const schedule = await at.schedule({ cadence });
    const id = await at.slot(schedule);
    await idle(at, 1_000);
    const { outcome } = schedule;
    assert.ok(outcome);
    const decided = { ...outcome, cursor: cadence.at, nextRunAt: null };
    await book(at).edit({ kind: "schedule", id: schedule.id, outcome: decided });
    const claim = { kind: scheduleKind, holder: "busy", leaseMs: 4_000, limit: 1 } as const;
    assert.equal((await at.ledger.work.claim(claim)).records.length, 1);
    const runner = fakeRunner(() => done);
    await at.node(runner);
    await at.pass(2_000);
    assert.equal((await at.task(id)).state, "pending");
    await at.pass(10_000);
    assert.equal((await at.task(id)).state, "completed");
    assert.equal((await at.scheduleOf(schedule.id)).state, "completed");
    assert.equal(runner.jobs.length, 1);
  });
  test("ends a one-shot schedule, which stays active if the run failed", async () => {
    for (const answer of [done, failed]) {
      const at = runFixture();
      const cadence = { type: "once", at: at.kernel.now() + 1_000 } as const;
      const schedule = await at.schedule({ cadence });
      await idle(at, 1_000);
      const { outcome } = schedule;
      assert.ok(outcome);
      const decided = { ...outcome, cursor: cadence.at, nextRunAt: null };
      await book(at).edit({ kind: "schedule", id: schedule.id, outcome: decided, wakeAt: null });
      await at.slot(await at.scheduleOf(schedule.id));
      await at.node(fakeRunner(() => answer));
      await at.pass(5_000);
      const left = await at.scheduleOf(schedule.id);
      assert.deepEqual(
        [left.state, left.outcome?.lastRunState, left.outcome?.reason],
        answer === done
          ? ["completed", "completed", null]
          : ["disabled", "failed", "its run ended failed: disk full"],
      );
    }
  });
});
