import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { claimedTask, someSchedule, someSlot } from "../../testing/run-records.ts";
import { emptyOutcome } from "../tasks/outcome.ts";
import { budgetLines, budgetOf } from "./budget.ts";
import type { Budget } from "./kind.ts";

const now = Date.parse("2026-11-16T23:30:00Z");
const reader = { now, zone: "Asia/Seoul", language: "en" } as const;
const seoul = { day: "2026-11-17", runs: 3, cost: 0.1 + 0.2 };

describe("a budget", () => {
  const cases: [name: string, budget: Budget | undefined, says: string[]][] = [
    ["that is none says nothing", undefined, []],
    ["of runs", { runsPerDay: 4 }, ["budget of 2026-11-17: 3 of 4 runs"]],
    [
      "of cost that is used up",
      { costPerDay: 0.3 },
      ["budget of 2026-11-17: cost 0.3 of 0.3, used up: no more runs that day"],
    ],
    [
      "of both",
      { runsPerDay: 9, costPerDay: 5 },
      ["budget of 2026-11-17: 3 of 9 runs, cost 0.3 of 5"],
    ],
    ["of a run alone is none of the day's", { costPerRun: 1 }, []],
  ];
  for (const [name, budget, says] of cases) {
    test(`${name}, in the owner's days`, () => {
      const schedule = someSchedule({}, budget === undefined ? {} : { budget }, { spent: seoul });
      const view = budgetOf(schedule, undefined, reader);
      assert.deepEqual(budgetLines({ kind: "schedule", budget: view }, reader), says);
    });
  }
  test("counts the days of the schedule's zone", () => {
    const cadence = { type: "cron", expression: "0 9 * * *", zone: "UTC" } as const;
    const schedule = someSchedule({}, { cadence, budget: { runsPerDay: 4 } }, { spent: seoul });
    const view = budgetOf(schedule, undefined, reader);
    assert.deepEqual([view?.day, view?.runs], ["2026-11-16", { used: 0, allowed: 4 }]);
  });
  test("of a run shows the run's own use, even without its schedule", () => {
    const slot = { ...someSlot, turnsMax: 10, costMax: 0.5 };
    const outcome = { ...emptyOutcome, turns: 4, cost: 0.11 };
    const view = budgetOf(undefined, claimedTask({ outcome, createdAt: now }, { slot }), reader);
    assert.deepEqual(budgetLines({ kind: "task", budget: view }, reader), [
      "budget of the run: 4 of 10 turns, cost 0.11 of 0.5",
    ]);
  });
  test("of a past day shows the limits without the use", () => {
    const schedule = someSchedule({}, { budget: { runsPerDay: 4 } }, { spent: seoul });
    const run = claimedTask({ createdAt: now - 86_400_000 }, { slot: someSlot });
    const budget = budgetOf(schedule, run, reader);
    assert.deepEqual(budgetLines({ kind: "task", budget }, reader), [
      "budget of 2026-11-16: at most 4 runs",
    ]);
  });
});
