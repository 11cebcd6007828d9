import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Draft, EditOf } from "../../kernel/unit.ts";
import { someSchedule } from "../../testing/run-records.ts";
import type { Cadence } from "../../time/cadence.ts";
import { taskKind } from "../tasks/kind.ts";
import { atItsEnd, decideBacklog } from "./backlog.ts";
import { deletedSchedule, editedSchedule, pausedSchedule, resumedSchedule } from "./change.ts";
import type { ScheduleKind } from "./kind.ts";
import { countRun } from "./run-count.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const hourMs = 3_600_000;
const daily: Cadence = { type: "cron", expression: "0 9 * * *", zone: "UTC" };

function changed(record: Schedule, edit: EditOf<ScheduleKind>): Schedule {
  assert.ok(!("ends" in edit));
  const { state = record.state, body = record.body, outcome = record.outcome } = edit;
  return { ...record, state, body, outcome };
}

/** A row: its hour, and what became of it. */
function said(draft: Draft): string {
  assert.ok(is(taskKind, draft) && "ends" in draft);
  return `${(draft.body.slot?.at ?? 0) / hourMs} ${draft.ends}: ${draft.outcome?.reason}`;
}

/** Every row that the scheduler writes for what came before changes: its hour, and what became of it. */
function rowsOf(record: Schedule, claimedAt: number): readonly string[] {
  const rows: string[] = [];
  for (let now = record; ;) {
    const lease = { holder: "n1", fence: 1, claimedAt };
    const claimed: Claimed<ScheduleKind> = { ...now, wakeAt: claimedAt + 1, readyAt: 0, lease };
    const verdict = decideBacklog(claimed, { now: claimedAt, jitter: 0 });
    if (verdict === undefined) return rows;
    const appended = verdict.consequences?.append ?? [];
    assert.ok(appended.length > 0 && appended.length <= 201 && "state" in verdict);
    rows.push(...appended.map(said));
    now = { ...now, state: verdict.state, outcome: verdict.outcome ?? null };
  }
}

test("a new cadence starts now, and due slots get their rows at once", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, 2.5 * hourMs);
  assert.ok("wakeAt" in edit && typeof edit.wakeAt === "number" && edit.wakeAt <= 2.5 * hourMs);
  assert.equal(edit.outcome?.cursor, 2.5 * hourMs);
  assert.equal(edit.outcome.nextRunAt, 9 * hourMs);
  assert.deepEqual(rowsOf(changed(someSchedule(), edit), 3 * hourMs), [
    "1 missed: the schedule was changed",
    "2 missed: the schedule was changed",
  ]);
});

test("a change before any slot leaves no undecided slots", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, hourMs - 1);
  assert.equal(edit.outcome?.undecided, undefined);
  assert.equal("wakeAt" in edit ? edit.wakeAt : null, 9 * hourMs);
  assert.equal(rowsOf(changed(someSchedule(), edit), hourMs).length, 0);
});

test("slots of a pause are skipped, and slots after it are missed", () => {
  const until = 1.5 * hourMs;
  const pause = pausedSchedule(someSchedule(), { reason: "not now", until }, 10);
  const paused = changed(someSchedule(), pause);
  const resumed = changed(paused, resumedSchedule(paused, 2.5 * hourMs));
  assert.deepEqual(rowsOf(resumed, 3 * hourMs), [
    "1 skipped: paused",
    "2 missed: the schedule was changed",
  ]);
});

test("consecutive changes keep their slots, oldest first", () => {
  const paused = changed(someSchedule(), pausedSchedule(someSchedule(), { reason: "no" }, 10));
  const resumed = changed(paused, resumedSchedule(paused, 1.5 * hourMs));
  const edited = changed(resumed, editedSchedule(resumed, { cadence: daily }, 2.5 * hourMs));
  assert.deepEqual(rowsOf(edited, 3 * hourMs), [
    "1 skipped: paused",
    "2 missed: the schedule was changed",
  ]);
});

test("a run that disables its schedule leaves the due slot a row", () => {
  const schedule = someSchedule({}, { disableAfterFailures: 1 });
  const about = {
    schedule,
    others: [],
    reader: { zone: "UTC", language: "en" },
  } as const;
  const run = { state: "failed", reason: "no", cost: 0 } as const;
  const { edit } = countRun(run, about, { now: 1.5 * hourMs, jitter: 0 });
  assert.ok(edit !== undefined && "wakeAt" in edit && edit.wakeAt !== null);
  const disabled = changed(schedule, edit);
  assert.equal(disabled.state, "disabled");
  assert.deepEqual(rowsOf(disabled, 2 * hourMs), ["1 missed: the schedule was changed"]);
  const later = changed(disabled, resumedSchedule(disabled, 9.5 * hourMs));
  assert.equal(rowsOf(later, 10 * hourMs).length, 1);
  const lease = { holder: "n1", fence: 1, claimedAt: 2 * hourMs };
  const claimed = { ...disabled, wakeAt: 3 * hourMs, readyAt: 0, lease };
  const verdict = decideBacklog(claimed, { now: 2 * hourMs, jitter: 0 });
  // Whoever resumes it may have an earlier clock: what has its row is not decided again.
  const rests = { ...disabled, outcome: verdict?.outcome ?? null };
  const resumed = changed(rests, resumedSchedule(rests, 0.5 * hourMs));
  assert.equal(resumed.outcome?.cursor, 1.5 * hourMs);
});

test("after a long time the newest thousand slots have a row each", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, 1_300 * hourMs);
  const rows = rowsOf(changed(someSchedule(), edit), 1_301 * hourMs);
  assert.equal(rows.length, 1_001);
  assert.match(rows[0] ?? "", /^300 missed: 300 slots from 1970-01-01T01:00:00Z to /);
  assert.equal(rows.at(-1), "1300 missed: the schedule was changed");
  assert.equal(new Set(rows).size, rows.length);
});

describe("a schedule that ends", () => {
  const now = 2.5 * hourMs;
  const paused = (until?: number): Schedule => {
    const asked = { reason: "not now", ...(until === undefined ? {} : { until }) };
    return changed(someSchedule(), pausedSchedule(someSchedule(), asked, 10));
  };
  const resumed = changed(paused(), resumedSchedule(paused(), 1.5 * hourMs));
  const watch = someSchedule({}, { run: { ping: "hash", graceMs: 600_000 } }, { cursor: 60_000 });
  const table: [what: string, record: Schedule, at: number, rows: readonly string[]][] = [
    ["nothing that came", someSchedule(), hourMs - 1, []],
    ["two slots that nobody decided", someSchedule(), now, ["1 missed: over", "2 missed: over"]],
    ["one before the cursor", someSchedule({}, {}, { cursor: hourMs }), now, ["2 missed: over"]],
    ["a pause", paused(), now, ["1 skipped: paused", "2 skipped: paused"]],
    ["a pause that is over", paused(90 * 60_000), now, ["1 skipped: paused", "2 missed: over"]],
    ["slots from before a change", resumed, now, ["1 skipped: paused", "2 missed: over"]],
    ["only those", resumed, 1.7 * hourMs, ["1 skipped: paused"]],
    ["a clock that went back", someSchedule({}, {}, { cursor: 5 * hourMs }), now, []],
    ["what it does not run while disabled", someSchedule({ state: "disabled" }), now, []],
    [
      "what it had not decided when it was disabled",
      { ...resumed, state: "disabled" },
      now,
      ["1 skipped: paused"],
    ],
    ["a ping that did not come", watch, 1.5 * hourMs, [`${1 + 1 / 60} missed: over`]],
  ];
  for (const [what, record, at, rows] of table) {
    test(`with ${what} behind it has ${rows.length} rows, and nothing is left`, () => {
      const end = atItsEnd(record, at, "over");
      assert.deepEqual(end.rows.map(said), rows);
      assert.equal(end.outcome.undecided, undefined);
      assert.equal(end.outcome.nextRunAt, null);
      assert.ok(end.outcome.cursor >= at);
      const again = atItsEnd({ ...record, outcome: end.outcome }, at, "over");
      assert.deepEqual(again.rows, []);
    });
  }
  test("after a long gap has a row for each of the newest slots", () => {
    const edit = editedSchedule(someSchedule(), { cadence: daily }, 300 * hourMs);
    const record = changed(someSchedule(), edit);
    const { rows } = atItsEnd(record, 348 * hourMs, "over");
    const texts = rows.map(said);
    assert.equal(texts.length, 201);
    assert.match(texts[0] ?? "", /^102 missed: 102 slots from 1970-01-01T01:00:00Z to /);
    assert.deepEqual(texts.slice(-3), ["300 missed: over", "321 missed: over", "345 missed: over"]);
    assert.equal(new Set(rows.map(({ key }) => key?.name)).size, 201);
    const few = atItsEnd(record, 348 * hourMs, "over", 1).rows.map(said);
    assert.deepEqual(few.length, 3);
    assert.match(few[0] ?? "", /^300 missed: 300 slots from /);
    assert.deepEqual(few.slice(1), ["321 missed: over", "345 missed: over"]);
  });
  test("by deletion cancels its waiting runs, at the revision that was read", () => {
    const asked = { reason: "enough", waiting: ["t1"] };
    const { edit, consequences } = deletedSchedule(someSchedule({ revision: 7 }), asked, now);
    assert.deepEqual([edit.ifRevision, "ends" in edit, "wakeAt" in edit], [7, false, false]);
    assert.deepEqual(consequences.cancel, [
      { id: "s1", reason: "enough" },
      { id: "t1", reason: "its schedule was deleted" },
    ]);
    const words = "missed: the schedule was deleted";
    assert.deepEqual(consequences.append?.map(said), [`1 ${words}`, `2 ${words}`]);
  });
});
