import assert from "node:assert/strict";
import { test } from "node:test";
import { claimedTask } from "../../testing/run-records.ts";
import { attemptOf, makeTask, sameAttempt } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

const { body } = claimedTask();

test("a task is due at its time, in the queue of its name", () => {
  assert.deepEqual(makeTask(body), {
    kind: "task",
    queue: "task@fake",
    key: undefined,
    body,
    state: "pending",
    wakeAt: 1_000,
  });
  assert.equal((makeTask(body, { wakeAt: 5_000 }) as { wakeAt: number }).wakeAt, 5_000);
});

test("a task that will not run is written ended, with the reason, and holds nothing", () => {
  const ends = { state: "skipped", reason: "overlap", at: 7_000 } as const;
  const draft = makeTask(body, { ends, holds: ["run:s1"] });
  assert.deepEqual(draft, {
    kind: "task",
    queue: "task@fake",
    key: undefined,
    body,
    ends: "skipped",
    note: "overlap",
    outcome: { ...emptyOutcome, finishedAt: 7_000, reason: "overlap" },
  });
});

test("the holds of a new task are kept, unless its turn replaces them", () => {
  const holds = ["run:s1"];
  assert.deepEqual(makeTask(body, { holds }).body, { ...body, keeps: holds });
  const queued = { ...body, turns: ["run:s1"] };
  assert.deepEqual(makeTask(queued, { holds: ["queued:s1"] }).body, queued);
});

test("an invalid task is refused with advice", () => {
  const cases: [Partial<typeof body>, string, RegExp][] = [
    [{ name: "" }, "invalid", /start with a letter/],
    [{ name: "a b" }, "invalid", /is not a task name/],
    [{ name: "a".repeat(101) }, "invalid", /is not a task name/],
    [{ target: "nowhere" }, "invalid", /channel:address/],
    [{ input: "x".repeat(128 * 1024) }, "too_large", /pass a link/],
    [{ input: (() => 1) as never }, "invalid", /plain JSON/],
    [{ timeoutMs: 0 }, "invalid", /timeoutMs/],
    [{ timeoutMs: 1.5 }, "invalid", /timeoutMs/],
    [{ timeoutMs: 32 * 86_400_000 }, "invalid", /timeoutMs/],
    [{ retry: { attempts: 0, firstMs: 1, factor: 1, maxMs: 1 } }, "invalid", /retry.attempts/],
    [{ retry: { attempts: 101, firstMs: 1, factor: 1, maxMs: 1 } }, "invalid", /retry.attempts/],
  ];
  for (const [wrong, code, message] of cases) {
    assert.throws(() => makeTask({ ...body, ...wrong }), { code, message });
  }
});

test("attempts count on when the record counts from 1 again", () => {
  const second = claimedTask({ attempt: 2 });
  assert.equal(attemptOf(second), 2);
  const outcome = sameAttempt(second, emptyOutcome);
  assert.equal(attemptOf(claimedTask({ attempt: 1, outcome })), 2);
  assert.equal(attemptOf(claimedTask({ attempt: 2, outcome })), 3);
});
