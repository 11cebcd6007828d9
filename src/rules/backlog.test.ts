import assert from "node:assert/strict";
import { test } from "node:test";
import { someSchedule } from "../testing/run-records.ts";
import { decideBacklog } from "./backlog.ts";
import type { Cadence } from "./cadence.ts";
import type { Claimed, LedgerRecord } from "./record.ts";
import { countRun } from "./run-count.ts";
import { editedSchedule, pausedSchedule, resumedSchedule } from "./schedule-change.ts";
import type { EditOf } from "./unit.ts";

type Schedule = LedgerRecord<"schedule">;

const hourMs = 3_600_000;
const daily: Cadence = { type: "cron", expression: "0 9 * * *", zone: "UTC" };

function changed(record: Schedule, edit: EditOf<"schedule">): Schedule {
  assert.ok(!("ends" in edit));
  const { state = record.state, body = record.body, outcome = record.outcome } = edit;
  return { ...record, state, body, outcome };
}

/** Every row that the scheduler writes for what came before changes: its hour, and what became of it. */
function rowsOf(record: Schedule, claimedAt: number): readonly string[] {
  const rows: string[] = [];
  for (let now = record; ;) {
    const lease = { holder: "n1", fence: 1, claimedAt };
    const claimed: Claimed<"schedule"> = { ...now, wakeAt: claimedAt + 1, readyAt: 0, lease };
    const verdict = decideBacklog(claimed, { now: claimedAt, jitter: 0 });
    if (verdict === undefined) return rows;
    const appended = verdict.follows?.append ?? [];
    assert.ok(appended.length > 0 && appended.length <= 201 && "state" in verdict);
    for (const draft of appended) {
      assert.ok(draft.kind === "task" && "ends" in draft);
      const hour = (draft.body.slot?.at ?? 0) / hourMs;
      rows.push(`${hour} ${draft.ends}: ${draft.outcome?.reason}`);
    }
    now = { ...now, state: verdict.state, outcome: verdict.outcome ?? null };
  }
}

test("another cadence begins now, and slots that had come get their rows at once", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, 2.5 * hourMs);
  assert.ok("wakeAt" in edit && typeof edit.wakeAt === "number" && edit.wakeAt <= 2.5 * hourMs);
  assert.equal(edit.outcome?.cursor, 2.5 * hourMs);
  assert.equal(edit.outcome.nextRunAt, 9 * hourMs);
  assert.deepEqual(rowsOf(changed(someSchedule(), edit), 3 * hourMs), [
    "1 missed: the schedule was changed",
    "2 missed: the schedule was changed",
  ]);
});

test("a change that came before any slot leaves nothing behind", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, hourMs - 1);
  assert.equal(edit.outcome?.undecided, undefined);
  assert.equal("wakeAt" in edit ? edit.wakeAt : null, 9 * hourMs);
  assert.equal(rowsOf(changed(someSchedule(), edit), hourMs).length, 0);
});

test("what came while it was paused was passed over, and what came after its pause is missed", () => {
  const until = 1.5 * hourMs;
  const pause = pausedSchedule(someSchedule(), { reason: "not now", until }, 10);
  const paused = changed(someSchedule(), pause);
  const resumed = changed(paused, resumedSchedule(paused, 2.5 * hourMs));
  assert.deepEqual(rowsOf(resumed, 3 * hourMs), [
    "1 skipped: paused",
    "2 missed: the schedule was changed",
  ]);
});

test("changes that come one after the other each leave their slots, oldest first", () => {
  const paused = changed(someSchedule(), pausedSchedule(someSchedule(), { reason: "no" }, 10));
  const resumed = changed(paused, resumedSchedule(paused, 1.5 * hourMs));
  const edited = changed(resumed, editedSchedule(resumed, { cadence: daily }, 2.5 * hourMs));
  assert.deepEqual(rowsOf(edited, 3 * hourMs), [
    "1 skipped: paused",
    "2 missed: the schedule was changed",
  ]);
});

test("a run's end that disables a schedule leaves the slot that came meanwhile, and it rests then", () => {
  const schedule = someSchedule({}, { disableAfterFailures: 1 });
  const about = {
    schedule,
    others: [],
    reader: { zone: "UTC", language: "en" },
    concurrency: undefined,
  } as const;
  const run = { state: "failed", reason: "no", cost: 0 } as const;
  const { edit } = countRun(run, about, { now: 1.5 * hourMs, jitter: 0 });
  assert.ok(edit !== undefined && "wakeAt" in edit && edit.wakeAt !== null);
  const disabled = changed(schedule, edit);
  assert.equal(disabled.state, "disabled");
  assert.deepEqual(rowsOf(disabled, 2 * hourMs), ["1 missed: the schedule was changed"]);
  const later = changed(disabled, resumedSchedule(disabled, 9.5 * hourMs));
  assert.equal(rowsOf(later, 10 * hourMs).length, 1);
});

test("after a long time the newest thousand have a row each, and what lies before has one", () => {
  const edit = editedSchedule(someSchedule(), { cadence: daily }, 1_300 * hourMs);
  const rows = rowsOf(changed(someSchedule(), edit), 1_301 * hourMs);
  assert.equal(rows.length, 1_001);
  assert.match(rows[0] ?? "", /^300 missed: 300 slots from 1970-01-01T01:00:00Z to /);
  assert.equal(rows.at(-1), "1300 missed: the schedule was changed");
  assert.equal(new Set(rows).size, rows.length);
});
