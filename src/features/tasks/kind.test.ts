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
    body,
    state: "pending",
    wakeAt: 1_000,
  });
  assert.equal((makeTask(body, { wakeAt: 5_000 }) as { wakeAt: number }).wakeAt, 5_000);
});

test("one that will not run is written with its end and the reason, and holds nothing", () => {
  const ends = { state: "skipped", reason: "overlap", at: 7_000 } as const;
  const draft = makeTask(body, { ends, holds: ["run:s1"] });
  assert.deepEqual(draft, {
    kind: "task",
    queue: "task@fake",
    body,
    ends: "skipped",
    note: "overlap",
    outcome: { ...emptyOutcome, finishedAt: 7_000, reason: "overlap" },
  });
});

test("names it is written with are kept, unless it swaps them when its turn comes", () => {
  const holds = ["run:s1"];
  assert.deepEqual(makeTask(body, { holds }).body, { ...body, keeps: holds });
  const queued = { ...body, turns: ["run:s1"] };
  assert.deepEqual(makeTask(queued, { holds: ["queued:s1"] }).body, queued);
});

test("what cannot be run is refused with what to do", () => {
  const cases: [Partial<typeof body>, string, RegExp][] = [
    [{ name: "" }, "invalid", /begin with a letter/],
    [{ name: "a b" }, "invalid", /is no name of a task/],
    [{ name: "a".repeat(101) }, "invalid", /is no name of a task/],
    [{ target: "nowhere" }, "invalid", /channel:address/],
    [{ input: "x".repeat(128 * 1024) }, "too_large", /give a link/],
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

test("attempts are counted through when the record counts anew", () => {
  const second = claimedTask({ attempt: 2 });
  assert.equal(attemptOf(second), 2);
  const outcome = sameAttempt(second, emptyOutcome);
  assert.equal(attemptOf(claimedTask({ attempt: 1, outcome })), 2);
  assert.equal(attemptOf(claimedTask({ attempt: 2, outcome })), 3);
});
