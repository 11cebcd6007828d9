import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exitsOf } from "../../kernel/kind.ts";
import { claimedTask, someSlot } from "../../testing/run-records.ts";
import { attemptOf, type TaskKind, taskKind } from "./kind.ts";
import { type RunAttempt, type RunResult, emptyOutcome } from "./outcome.ts";
import { afterRun } from "./verdict.ts";

const reader = { zone: "UTC", language: "en" } as const;
const facts = { now: 9_000, jitter: 0.5, reader, concurrency: undefined };
const saw = (ran: RunResult): RunAttempt => ({
  ran,
  startedAt: 1_000,
  output: { bytes: 0, isCut: false, isMarked: false, text: "" },
});
const retry = { attempts: 2, firstMs: 1_000, factor: 2, maxMs: 9_000 };
const failed: RunResult = { result: "failed", reason: "no" };
const stopped: RunResult = { result: "stopped" };

const table: [
  string,
  RunResult,
  Partial<TaskKind["body"]>,
  Parameters<typeof claimedTask>[0],
  string,
][] = [
  ["completed", { result: "completed" }, {}, {}, "completed"],
  [
    "completed although a cancel came",
    { result: "completed" },
    {},
    { cancelling: true },
    "completed",
  ],
  ["failed", failed, {}, {}, "failed"],
  ["failed with attempts left", failed, { retry }, {}, "pending"],
  ["failed at the last attempt", failed, { retry }, { attempt: 2 }, "failed"],
  ["failed for good", { ...failed, retry: false }, { retry }, {}, "failed"],
  ["interrupted", { result: "interrupted" }, { retry }, {}, "interrupted"],
  ["stopped", stopped, {}, {}, "pending"],
  ["stopped as a slot", stopped, { slot: someSlot }, {}, "interrupted"],
  [
    "stopped as a slot to run again",
    stopped,
    { slot: { ...someSlot, rerun: true } },
    {},
    "pending",
  ],
  ["asks", { result: "asks", question: "?" }, { slot: someSlot }, {}, "needs_human"],
  ["later", { result: "later" }, {}, {}, "pending"],
];
for (const [name, ran, body, record, expected] of table) {
  test(`the result ${name} leaves its task ${expected}`, () => {
    const verdict = afterRun(claimedTask(record, body), saw(ran), facts);
    assert.equal("ends" in verdict ? verdict.ends : verdict.state, expected);
  });
}

test("a run that is being cancelled sends no question, and is not retried", () => {
  for (const ran of [failed, stopped, { result: "asks", question: "?" }] as const) {
    const verdict = afterRun(claimedTask({ cancelling: true }, { retry }), saw(ran), facts);
    assert.ok(!("ends" in verdict) && verdict.wakeAt === undefined);
    assert.deepEqual(verdict.consequences, { append: [] });
    assert.equal(verdict.outcome?.finishedAt, 9_000);
  }
});

const day = 86_400_000;
const asking: RunResult = { result: "asks", question: "?" };
const answerTimes: [string, RunResult, Partial<TaskKind["body"]>, number | undefined][] = [
  ["by itself", asking, {}, undefined],
  ["by itself with a time", { ...asking, withinMs: 5 }, {}, 5],
  ["as a slot that others wait for", asking, { slot: someSlot, keeps: ["run:s1"] }, 7 * day],
  ["as a slot that had its turn", asking, { slot: someSlot, turns: ["run:s1"] }, 7 * day],
  ["as such a slot with a time", { ...asking, withinMs: 5 }, { slot: someSlot, keeps: ["a"] }, 5],
  ["as a slot that nobody waits for", asking, { slot: someSlot }, undefined],
  ["with a time without end", { ...asking, withinMs: Number.MAX_SAFE_INTEGER }, {}, 3_660 * day],
];
for (const [name, ran, body, waitMs] of answerTimes) {
  test(`a run that asks ${name} waits ${waitMs ?? "without a limit"}`, () => {
    const verdict = afterRun(claimedTask({}, body), saw(ran), facts);
    const until = waitMs === undefined ? undefined : facts.now + waitMs;
    assert.ok("state" in verdict && verdict.state === "needs_human");
    assert.deepEqual([verdict.wakeAt, verdict.outcome?.askedUntil], [until, until]);
  });
}

test("an unanswered question is a final failure, and a last-moment answer counts", () => {
  const outcome = { ...emptyOutcome, askedUntil: 9_000 };
  const ran: RunResult = { result: "unanswered" };
  const late = afterRun(claimedTask({ outcome, state: "needs_human" }, { retry }), saw(ran), facts);
  assert.ok("ends" in late && late.ends === "failed");
  assert.match(late.outcome?.reason ?? "", /nobody answered/);
  const answered = afterRun(claimedTask({ outcome }, { retry }), saw(ran), facts);
  assert.ok("state" in answered && answered.state === "pending");
  assert.deepEqual([answered.wakeAt, answered.freshStart], [facts.now, true]);
});

const waits: [name: string, retryAfterMs: number | undefined, waitMs: number][] = [
  ["nothing", undefined, 750],
  ["less than the task waits by itself", 10, 750],
  ["more than that", 5_000, 5_000],
  ["a part of a millisecond", 5_000.2, 5_001],
  ["a day", day, day],
  ["more than a day", day + 1, day],
  ["for ever", Infinity, day],
  ["what is no number", NaN, 750],
  ["what is before now", -1, 750],
];
for (const [name, retryAfterMs, waitMs] of waits) {
  test(`a failed run with a requested pause of ${name} is retried after ${waitMs} ms`, () => {
    const ran = { ...failed, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const verdict = afterRun(claimedTask({}, { retry }), saw(ran), facts);
    assert.ok("state" in verdict && verdict.state === "pending");
    assert.equal(verdict.wakeAt, facts.now + waitMs);
  });
}

test("a callback may take as long as the timeout, from the start of the run", () => {
  const verdict = afterRun(claimedTask(), saw({ result: "later" }), facts);
  assert.ok("state" in verdict);
  assert.equal(verdict.wakeAt, 61_000);
  assert.equal(verdict.outcome?.awaitsUntil, 61_000);
});

test("the usage of several attempts is added up", () => {
  const outcome = { ...emptyOutcome, turns: 2, cost: 1 };
  const ran: RunResult = { result: "completed", usage: { turns: 3, cost: 0.5 } };
  const verdict = afterRun(claimedTask({ outcome, attempt: 2 }), saw(ran), facts);
  assert.deepEqual([verdict.outcome?.turns, verdict.outcome?.cost], [5, 1.5]);
});

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0") && text.length <= 4_000;
}

test("every result leaves a valid verdict: an allowed state, plain text, an end", () => {
  const text = fc.string({ unit: "binary", maxLength: 3_000 });
  const result = fc.oneof(
    fc.record({ result: fc.constant("completed"), said: text }),
    fc.record({ result: fc.constant("failed"), reason: text }),
    fc.record({ result: fc.constant("asks"), question: text, choices: fc.array(text) }),
    fc.constantFrom({ result: "later" }, { result: "stopped" }, { result: "interrupted" }),
  ) as fc.Arbitrary<RunResult>;
  const notify = fc.constantFrom("always", "conditional", "never");
  fc.assert(
    fc.property(result, notify, fc.boolean(), fc.nat(3), (ran, policy, cancelling, attempt) => {
      const slot = { ...someSlot, notify: policy };
      const record = claimedTask({ cancelling, attempt: attempt + 1 }, { retry, slot });
      const verdict = afterRun(record, saw(ran), { ...facts, concurrency: 1 });
      const state = "ends" in verdict ? verdict.ends : verdict.state;
      assert.ok(exitsOf(taskKind, "pending").includes(state));
      const { outcome } = verdict;
      for (const each of [verdict.note, outcome?.reason, outcome?.question?.text]) {
        assert.ok(isPlain(each ?? ""));
      }
      const isEnd = "ends" in verdict || cancelling;
      assert.equal(outcome?.finishedAt === null, !isEnd);
      const isRetry = ran.result === "failed" && !isEnd;
      assert.ok(!isRetry || attemptOf(record) < retry.attempts);
    }),
  );
});
