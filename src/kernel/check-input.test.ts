import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { list } from "../features/notifications/operations/list.ts";
import { remind } from "../features/notifications/operations/remind.ts";
import { hasCode, toErrorData } from "../platform/errors.ts";
import { checkInput } from "./check-input.ts";
import type { Operation } from "./operation.ts";

/** What is said of an input that is wrong. */
function complaints(operation: Operation, input: unknown): string {
  try {
    return `it was taken: ${JSON.stringify(checkInput(operation, input))}`;
  } catch (error) {
    assert.ok(hasCode(error, "invalid"));
    return toErrorData(error).message;
  }
}

const good = { message: "hi", at: "+1h" };

describe("an input", () => {
  test("may use the names of the seeds' own tools", () => {
    const seeds = {
      message: "hi",
      scheduled_at: "+1h",
      notification_type: "deadline_alert",
      created_by: "main_agent",
    };
    assert.deepEqual(checkInput(remind, seeds), { ...good, type: "deadline_alert" });
    assert.equal(checkInput(list, { status: "delivered" })["state"], "delivered");
  });
  test("gets what it leaves out", () => {
    assert.deepEqual(checkInput(list, {}), { all: false, limit: 50 });
  });

  const wrong: [name: string, operation: Operation, input: unknown, says: RegExp][] = [
    ["that is no object", remind, "hi", /^The input must be an object/],
    ["that is a list", remind, [good], /^The input must be an object/],
    ["that is nothing", remind, null, /^The input must be an object/],
    ["that lacks something", remind, { message: "hi" }, /^"at" is missing: when, in English/],
    [
      "with a name misspelt",
      remind,
      { ...good, mesage: "x" },
      /"mesage": did you mean "message"\?/,
    ],
    ["with an unknown name", remind, { ...good, colour: 1 }, /"colour": known are message, at, /],
    ["with a prototype", remind, JSON.parse('{"__proto__":{"a":1}}'), /"__proto__"/],
    ["given twice", remind, { ...good, scheduled_at: "+2h" }, /^"at" is given twice/],
    ["of another sort", remind, { ...good, message: 7 }, /^"message" must be a string\.$/],
    ["of no known value", remind, { ...good, priority: "top" }, /one of low, normal, high, medium/],
    ["that is empty", remind, { ...good, key: "" }, /^"key" is empty\.$/],
    ["that is too small", list, { limit: 0 }, /^"limit" must be at least 1\.$/],
    ["that is too big", list, { limit: 501 }, /^"limit" must be at most 500\.$/],
    ["that is not whole", list, { limit: 1.5 }, /^"limit" must be a whole number\.$/],
  ];
  for (const [name, operation, input, says] of wrong) {
    test(`${name} is refused in words that help`, () => {
      assert.match(complaints(operation, input), says);
    });
  }
  test("with many faults hears of all of them at once", () => {
    assert.equal(
      complaints(list, { limit: 0, all: 1, sate: "pending" }),
      '"all" must be a boolean; "limit" must be at least 1; There is no input "sate": did you mean "state"?',
    );
  });
});
