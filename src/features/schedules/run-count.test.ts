import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { End } from "../../kernel/shape.ts";
import { claimedTask, someSchedule } from "../../testing/run-records.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { countRun, type RunAround } from "./run-count.ts";

type Schedule = ReturnType<typeof someSchedule>;

const facts = { now: 9_000, jitter: 0 };
const about = (schedule: Schedule | undefined, others = 0): RunAround => ({
  schedule,
  others: Array.from({ length: others }, () => claimedTask({ id: "other" })),
  reader: { zone: "Asia/Seoul", language: "en" },
});
const run = (state: End<TaskKind>, cost = 0): Parameters<typeof countRun>[0] => ({
  state,
  reason: state === "completed" ? null : "disk full",
  cost,
});

/** The schedule as the edit leaves it, and the first character of each notice. */
function count(schedule: Schedule, state: End<TaskKind>): { schedule: Schedule; notices: string } {
  const { edit, notices } = countRun(run(state), about(schedule), facts);
  assert.ok(edit?.outcome);
  assert.equal(edit.ifRevision, schedule.revision);
  const next = "state" in edit && edit.state !== undefined ? { state: edit.state } : {};
  const signs = notices.map(({ body }) => Array.from(body.message)[0]).join("");
  return {
    schedule: { ...schedule, ...next, revision: schedule.revision + 1, outcome: edit.outcome },
    notices: signs,
  };
}

test("consecutive failures are counted, and each threshold is notified once", () => {
  const ends = fc.array(
    fc.constantFrom<End<TaskKind>>(
      "failed",
      "failed",
      "failed",
      "interrupted",
      "completed",
      "cancelled",
    ),
    { maxLength: 30 },
  );
  const numbers = fc.tuple(fc.nat(6), fc.nat(6));
  fc.assert(
    fc.property(ends, numbers, (states, [notifyAfter, disableAfter]) => {
      const numbers = { notifyAfterFailures: notifyAfter, disableAfterFailures: disableAfter };
      let schedule = someSchedule({}, numbers);
      let known: Known = { failures: 0, told: false, disabled: false, says: "" };
      for (const state of states) {
        known = expectedAfter(known, state, [notifyAfter, disableAfter]);
        const seen = count(schedule, state);
        ({ schedule } = seen);
        const { outcome } = schedule;
        assert.equal(seen.notices, known.says);
        assert.equal(outcome?.consecutiveFailures, known.failures);
        assert.deepEqual([outcome?.lastRunState, outcome?.isNotified], [state, known.told]);
        assert.equal(schedule.state, known.disabled ? "disabled" : "active");
      }
    }),
  );
});

interface Known {
  failures: number;
  told: boolean;
  disabled: boolean;
  says: string;
}

/** The same in other words: what was promised, end by end. */
function expectedAfter(known: Known, state: string, [tell, disable]: [number, number]): Known {
  if (state === "cancelled") return { ...known, says: "" };
  if (state === "completed") {
    return { ...known, failures: 0, told: false, says: known.told ? "✅" : "" };
  }
  const failures = known.failures + 1;
  const isDisabling = disable > 0 && failures >= disable && !known.disabled;
  const says = `${tell > 0 && failures === tell ? "❌" : ""}${isDisabling ? "⛔" : ""}`;
  const disabled = known.disabled || isDisabling;
  return { failures, says, disabled, told: known.told || says !== "" };
}

test("a lowered threshold is notified at the next failure", () => {
  const schedule = someSchedule({}, { notifyAfterFailures: 2, disableAfterFailures: 0 });
  const outcome = { ...someSchedule().outcome, consecutiveFailures: 5 } as Schedule["outcome"];
  assert.equal(count({ ...schedule, outcome }, "failed").notices, "❌");
});

test("notices have an error of at most 200 characters", () => {
  const schedule = someSchedule({}, { notifyAfterFailures: 1, disableAfterFailures: 1 });
  const reason = `line one\n${"👍".repeat(300)}`;
  const { notices } = countRun({ ...run("failed"), reason }, about(schedule), facts);
  assert.deepEqual(
    notices.map(({ body }) => [body.message, body.type, body.target]),
    [
      [
        `❌ Scheduled task 'backup' has failed 1 times in a row. Latest error: line one ${"👍".repeat(190)}…`,
        "notice",
        "fake:a",
      ],
      ["⛔ Scheduled task 'backup' was disabled after 1 consecutive failures.", "notice", "fake:a"],
    ],
  );
});

test("a notice has the reason in its reader's language", () => {
  const schedule = someSchedule({}, { notifyAfterFailures: 1, disableAfterFailures: 0 });
  const korean: RunAround = {
    ...about(schedule),
    reader: { zone: "Asia/Seoul", language: "ko" },
  };
  const { notices } = countRun({ ...run("failed"), reason: "exit 1: no disk" }, korean, facts);
  assert.match(notices[0]?.body.message ?? "", /종료 코드 1: no disk/);
});

test("a schedule that has ended is neither edited nor notified", () => {
  assert.deepEqual(countRun(run("failed"), about(undefined), facts), {
    edit: undefined,
    notices: [],
  });
});

describe("the last run", () => {
  const once = { cadence: { type: "once", at: 5_000 } } as const;
  const over = { cursor: 6_000, nextRunAt: null };
  const table: [string, Schedule, End<TaskKind>, number, string | undefined][] = [
    ["completes a one-shot", someSchedule({}, once, over), "completed", 0, "completed"],
    [
      "that failed leaves a one-shot disabled",
      someSchedule({}, once, over),
      "failed",
      0,
      "disabled",
    ],
    ["that was cut off too", someSchedule({}, once, over), "interrupted", 0, "disabled"],
    ["that was cancelled too", someSchedule({}, once, over), "cancelled", 0, "disabled"],
    [
      "is not the last while another is at work",
      someSchedule({}, once, over),
      "completed",
      1,
      undefined,
    ],
    ["is not the last before its slot", someSchedule({}, once), "completed", 0, undefined],
    [
      "by hand completes a one-shot that had failed",
      someSchedule({ state: "disabled" }, once, over),
      "completed",
      0,
      "completed",
    ],
    [
      "completes a paused one",
      someSchedule({ state: "paused" }, once, over),
      "completed",
      0,
      "completed",
    ],
    [
      "of a paused one that goes on",
      someSchedule({ state: "paused" }, {}, { nextRunAt: null }),
      "completed",
      0,
      undefined,
    ],
    [
      "by hand of one that is disabled",
      someSchedule({ state: "disabled" }, {}, { nextRunAt: null }),
      "completed",
      0,
      undefined,
    ],
    [
      "of a rule that is used up completes it, however it ended",
      someSchedule(
        {},
        { cadence: { type: "rrule", rule: "FREQ=DAILY;COUNT=1", start: 5_000, zone: "UTC" } },
        over,
      ),
      "failed",
      0,
      "completed",
    ],
  ];
  for (const [name, schedule, state, others, expected] of table) {
    test(name, () => {
      const { edit } = countRun(run(state), about(schedule, others), facts);
      assert.ok(edit);
      const left = "ends" in edit ? edit.ends : edit.state;
      assert.equal(left, expected);
      assert.equal(edit.outcome?.lastRunState, state);
    });
  }
});

test("a run's cost counts towards the budget of its local day", () => {
  const spentOf = (schedule: Schedule, cost: number): unknown =>
    countRun(run("completed", cost), about(schedule), { now: 16 * 3_600_000, jitter: 0 }).edit
      ?.outcome?.spent;
  const budget = { costPerDay: 5 };
  const spent = { day: "1970-01-02", runs: 2, cost: 1 };
  assert.equal(spentOf(someSchedule(), 2), undefined);
  assert.deepEqual(spentOf(someSchedule({}, { budget }, { spent }), 2), { ...spent, cost: 3 });
  assert.deepEqual(spentOf(someSchedule({}, { budget }, { spent }), 0), spent);
  const yesterday = { ...spent, day: "1970-01-01" };
  assert.deepEqual(spentOf(someSchedule({}, { budget }, { spent: yesterday }), 2), {
    day: "1970-01-02",
    runs: 0,
    cost: 2,
  });
});
