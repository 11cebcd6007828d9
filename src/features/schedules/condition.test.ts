import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { withCondition } from "./condition.ts";

const run = { agent: "Look at the sky." };

test("the phrase grammar takes a condition: only if …, Korean too", () => {
  const table: [when: string, time: string, condition: string][] = [
    ["every day 9am only if it rains", "every day 9am", "only if it rains"],
    ["every day 9am, Only when it rains", "every day 9am", "Only when it rains"],
    ["매일 9시, 비가 올 때만", "매일 9시", "비가 올 때만"],
    ["매일 9시, 비가 오는 경우에만", "매일 9시", "비가 오는 경우에만"],
  ];
  for (const [when, time, condition] of table) {
    const agent = `Look at the sky.\n${condition}`;
    const expected = { when: time, run: { agent }, notify: "conditional" };
    assert.deepEqual(withCondition({ when, run }), expected);
    const always = withCondition({ when, run, notify: "always" });
    assert.deepEqual(always, { ...expected, notify: "always" });
  }
});

test("a time without a condition stays as it is", () => {
  for (const when of [
    "every day 9am",
    "only if it rains",
    "매일 9시",
    "매주 월, 수 9시",
    undefined,
  ]) {
    assert.deepEqual(withCondition({ when, run }), { when, run });
  }
});

test("only an agent can judge a condition in words", () => {
  const command = { when: "every day 9am only if it rains", run: { command: ["./x"] } };
  assert.throws(
    () => withCondition(command),
    (error) =>
      hasCode(error, "invalid") && error.message.startsWith('"only if it rains" is a condition'),
  );
});
