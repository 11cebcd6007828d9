import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Body } from "../../../kernel/shape.ts";
import { someSchedule } from "../../../testing/run-records.ts";
import type { ScheduleKind } from "../kind.ts";
import { planDeclared, removedReason, type Declared, type Step } from "./plan.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const hourMs = 3_600_000;
const now = 5_000_000;
const facts = { owner: "mina", now, limit: 50 };
const base = someSchedule().body;

const declare = (changes: Partial<Body<ScheduleKind>> = {}, adopt = false): Declared => ({
  key: "config:backup",
  body: { ...base, ...changes },
  adopt,
});

function only(steps: readonly Step[]): Step {
  assert.equal(steps.length, 1);
  const [step] = steps;
  assert.ok(step !== undefined);
  return step;
}

/** The record as a first apply leaves it, changed elsewhere since. */
function record(
  changes: Partial<Body<ScheduleKind>> = {},
  parts: Partial<Schedule> = {},
): Schedule {
  const step = only(planDeclared([declare()], [], facts));
  assert.ok(step.what === "create");
  return someSchedule({ id: "s1", ...parts }, { ...step.draft.body, ...changes });
}

describe("a declared schedule", () => {
  test("is created once, and unchanged when nothing differs", () => {
    const step = only(planDeclared([declare()], [], facts));
    assert.ok(step.what === "create");
    assert.equal(step.draft.body.declared, "config:backup");
    assert.equal(only(planDeclared([declare()], [record()], facts)).what, "same");
  });
  test("keeps the start of its interval at every restart", () => {
    const later: Body<ScheduleKind>["cadence"] = {
      type: "interval",
      everyMs: 3_600_000,
      anchor: 99,
    };
    assert.equal(only(planDeclared([declare({ cadence: later })], [record()], facts)).what, "same");
    const step = only(
      planDeclared([declare({ cadence: later, notify: "never" })], [record()], facts),
    );
    assert.ok(step.what === "change");
    assert.deepEqual(step.edit.body?.cadence, base.cadence);
    assert.deepEqual(step.fields, ["notify"]);
  });
  test("is changed where its declaration changed", () => {
    const cadence = { type: "cron", expression: "0 3 * * *", zone: "UTC" } as const;
    const step = only(
      planDeclared([declare({ cadence, whenText: "0 3 * * *" })], [record()], facts),
    );
    assert.ok(step.what === "change" && "wakeAt" in step.edit);
    assert.deepEqual([step.fields, step.isDrift], [["timezone", "when"], false]);
    assert.deepEqual(step.edit.body?.cadence, cadence);
  });
  test("that was changed elsewhere is reset, with a drift", () => {
    const step = only(planDeclared([declare()], [record({ timeoutMs: 7 })], facts));
    assert.ok(step.what === "change");
    assert.deepEqual([step.fields, step.isDrift], [["timeout"], true]);
    assert.equal(step.edit.body?.timeoutMs, base.timeoutMs);
  });
  test("with adopt keeps changes from elsewhere until its declaration changes", () => {
    const drifted = record({ timeoutMs: 7 });
    assert.deepEqual(only(planDeclared([declare({}, true)], [drifted], facts)), {
      what: "keep",
      key: "config:backup",
      fields: ["timeout"],
    });
    const step = only(planDeclared([declare({ notify: "never" }, true)], [drifted], facts));
    assert.equal(step.what, "change");
  });
  test("whose declaration catches up with a change has no drift", () => {
    const drifted = record({ timeoutMs: 7 });
    const step = only(planDeclared([declare({ timeoutMs: 7 })], [drifted], facts));
    assert.ok(step.what === "change" && step.edit.body !== undefined);
    const { body } = step.edit;
    const agreed = someSchedule({}, body);
    assert.equal(only(planDeclared([declare({ timeoutMs: 7 })], [agreed], facts)).what, "same");
  });
  test("that is paused or disabled stays so", () => {
    for (const state of ["paused", "disabled"] as const) {
      assert.equal(only(planDeclared([declare()], [record({}, { state })], facts)).what, "same");
      const step = only(
        planDeclared([declare({ notify: "never" })], [record({}, { state })], facts),
      );
      assert.ok(step.what === "change" && !("ends" in step.edit));
      assert.ok(step.edit.state === undefined || step.edit.state === state);
    }
  });
  test("that is removed ends with a reason", () => {
    const step = only(planDeclared([], [record()], facts));
    assert.ok(step.what === "remove" && "ends" in step.edit);
    assert.deepEqual([step.edit.ends, step.edit.note], ["completed", removedReason]);
    assert.equal(step.edit.outcome?.reason, removedReason);
  });
  test("that is removed leaves each slot a row, within one unit", () => {
    const step = only(planDeclared([], [record()], { ...facts, now: 2.5 * hourMs }));
    assert.ok(step.what === "remove");
    const became = step.rows.map(({ body, outcome }) => [body.at / hourMs, outcome?.reason]);
    assert.deepEqual(became, [
      [1, removedReason],
      [2, removedReason],
    ]);
    assert.deepEqual(step.edit.outcome?.cursor, 2.5 * hourMs);
    const many = Array.from({ length: 150 }, (_, index) =>
      record({ declared: `config:${index}` }, { id: `s${index}` }),
    );
    const steps = planDeclared([], many, { ...facts, now: 999.5 * hourMs });
    const rows = steps.flatMap((each) => (each.what === "remove" ? each.rows : []));
    assert.equal(rows.length, 300, "the newest, and one for those before");
  });
});

test("undeclared schedules are not touched", () => {
  const own = someSchedule({ id: "own" }, { name: "own" });
  assert.deepEqual(planDeclared([], [own], facts), []);
});
