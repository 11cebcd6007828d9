import assert from "node:assert/strict";
import { test } from "node:test";
import { claimedTask, someSlot } from "../../testing/run-records.ts";
import {
  waitForTurn,
  holdsWhileWaiting,
  sleepAgain,
  nextStep,
  takeTurn,
  type NextStep,
} from "./capacity.ts";
import type { TaskKind } from "./kind.ts";
import { emptyOutcome, type TaskOutcome } from "./outcome.ts";

const retry = { attempts: 3, firstMs: 1, factor: 1, maxMs: 1 };
const slot = someSlot;
const rerun = { ...slot, rerun: true };

interface Case {
  record?: Parameters<typeof claimedTask>[0];
  body?: Partial<TaskKind["body"]>;
  outcome?: Partial<TaskOutcome>;
  concurrency?: number;
}

const table: [string, Case, NextStep][] = [
  ["for the first time", {}, "run"],
  ["as a slot", { body: { slot } }, "run"],
  ["without its turn", { body: { turns: ["run:s1"] } }, "turn"],
  ["with its turn", { body: { turns: ["run:s1"] }, outcome: { hasTurn: true } }, "run"],
  ["without a place", { concurrency: 2 }, "turn"],
  ["with a place", { concurrency: 2, outcome: { hasTurn: true } }, "run"],
  ["unanswered by a person", { record: { state: "needs_human" } }, "asleep"],
  [
    "before its answer's time is over",
    { record: { state: "needs_human" }, outcome: { askedUntil: 5_001 } },
    "asleep",
  ],
  [
    "when its answer's time is over",
    { record: { state: "needs_human" }, outcome: { askedUntil: 5_000 } },
    "unanswered",
  ],
  ["answered at the last moment", { outcome: { askedUntil: 5_000 } }, "run"],
  ["before its callback", { outcome: { awaitsUntil: 5_001 } }, "asleep"],
  ["after its callback's time", { outcome: { awaitsUntil: 5_000 } }, "unanswered"],
  ["with its callback", { outcome: { awaitsUntil: 5_000, callback: 1 } }, "run"],
  ["cut off", { record: { lapses: 1, attempt: 2 } }, "interrupted"],
  ["cut off with attempts left", { record: { lapses: 1, attempt: 2 }, body: { retry } }, "run"],
  ["cut off at the last", { record: { lapses: 1, attempt: 4 }, body: { retry } }, "interrupted"],
  ["cut off as a slot", { record: { lapses: 1 }, body: { slot, retry } }, "interrupted"],
  ["cut off as a slot to run again", { record: { lapses: 1 }, body: { slot: rerun } }, "run"],
  ["cut off too often", { record: { lapses: 4 }, body: { slot: rerun } }, "interrupted"],
  ["cut off with its callback", { record: { lapses: 1 }, outcome: { callback: 1 } }, "run"],
  [
    "cut off before it had its turn",
    { record: { lapses: 1 }, body: { slot, turns: ["run:s1"] } },
    "turn",
  ],
];
for (const [name, given, expected] of table) {
  test(`a task claimed ${name}: ${expected}`, () => {
    const outcome = { ...emptyOutcome, ...given.outcome };
    const record = claimedTask({ outcome, ...given.record }, given.body);
    assert.equal(nextStep(record, given.concurrency, 5_000), expected);
  });
}

const facts = { now: 5_000, jitter: 0.5 };

test("a turn takes all names that the task needs, and counts no attempt", () => {
  const record = claimedTask({ attempt: 2 }, { keeps: ["run:s1"] });
  const verdict = takeTurn(record, 2, facts);
  assert.deepEqual(verdict, {
    state: "pending",
    wakeAt: 5_000,
    freshStart: true,
    holds: ["run:s1", { oneOf: ["running:fake#1", "running:fake#2"] }],
    outcome: { ...emptyOutcome, hasTurn: true, earlier: 1 },
  });
});

test("waiting for capacity is checked often and together, waiting for a run rarely", () => {
  const record = claimedTask();
  const wakeAt = (held: string, now = facts.now): number =>
    (waitForTurn(record, held, { ...facts, now }) as { wakeAt: number }).wakeAt;
  assert.equal(wakeAt("running:fake#1"), 6_000);
  assert.equal(wakeAt("soldier#1", 5_999), 6_000);
  assert.equal(wakeAt("soldier#1", 6_000), 8_000);
  assert.equal(wakeAt("run:s1"), 5_000 + 22_500);
});

test("a waiting task frees its slot between attempts and keeps its other names", () => {
  assert.deepEqual(holdsWhileWaiting(claimedTask({}, { turns: ["run:s1"] }), 2), {
    holds: ["run:s1"],
    hasTurn: false,
  });
  assert.deepEqual(holdsWhileWaiting(claimedTask({}, { turns: ["run:s1"] }), undefined), {});
});

test("a sleeping task wakes when its callback is overdue, or not at all", () => {
  const outcome = { ...emptyOutcome, awaitsUntil: 9_000 };
  assert.equal((sleepAgain(claimedTask({ outcome })) as { wakeAt?: number }).wakeAt, 9_000);
  const asked = sleepAgain(claimedTask({ state: "needs_human" }));
  assert.deepEqual(asked, {
    state: "needs_human",
    freshStart: true,
    wakeAt: undefined,
    outcome: { ...emptyOutcome, earlier: 0 },
  });
});
