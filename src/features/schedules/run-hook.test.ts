import assert from "node:assert/strict";
import { test } from "node:test";
import type { Verdict } from "../../kernel/verdict.ts";
import { nodeFixture } from "../../testing/node-fixture.ts";
import { claimedTask, someSchedule, someSlot } from "../../testing/run-records.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { emptyOutcome } from "../tasks/outcome.ts";
import { scheduleRuns } from "./run-hook.ts";

const hook = scheduleRuns(nodeFixture().ledger);
const output = { bytes: 0, isCut: false, isMarked: false, text: "" };
const attempt = { ran: { result: "stopped" }, startedAt: 1_000, output } as const;
const reader = { zone: "UTC", language: "en" } as const;
const facts = { attempt, reader, now: 9_000, jitter: 0 };
const failed: Verdict<TaskKind> = { ends: "failed", outcome: { ...emptyOutcome, reason: "no" } };
const waits: Verdict<TaskKind> = { state: "pending", outcome: emptyOutcome, wakeAt: 9_500 };

test("the next run that waits for its turn is woken, and no other", () => {
  const turns = ["run:s1"];
  const others = [
    claimedTask({ id: "has it", outcome: { ...emptyOutcome, hasTurn: true } }, { turns }),
    claimedTask({ id: "needs none" }),
    claimedTask({ id: "asks", state: "needs_human" }, { turns }),
    claimedTask({ id: "not due" }, { turns, at: 9_001 }),
    { ...claimedTask({ id: "comes by itself" }, { turns }), lease: null, readyAt: 9_500 },
    claimedTask({ id: "next" }, { turns }),
    claimedTask({ id: "after" }, { turns }),
  ];
  const task = claimedTask({}, { slot: someSlot });
  const read = { schedule: undefined, others };
  const { consequences } = hook.finish(failed, { ...facts, task, read });
  assert.deepEqual(consequences?.wake, [{ id: "next" }]);
  assert.deepEqual(consequences?.edit, []);
});

test("a run is counted in its schedule only when it ends", () => {
  const read = { schedule: someSchedule(), others: [] };
  const task = claimedTask({}, { slot: someSlot });
  const wake = [{ id: "first" }];
  const ended = hook.finish({ ...failed, consequences: { wake } }, { ...facts, task, read });
  assert.deepEqual(ended.consequences?.wake, wake);
  assert.equal(ended.consequences?.edit?.[0]?.id, read.schedule.id);
  assert.equal(hook.finish(waits, { ...facts, task, read }), waits);
  const cancelling = claimedTask({ cancelling: true }, { slot: someSlot });
  const cancelled = hook.finish(waits, { ...facts, task: cancelling, read });
  assert.equal(cancelled.consequences?.edit?.length, 1);
});
