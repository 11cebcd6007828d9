import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";
import { makeNotification, type NotificationKind } from "./kind.ts";

const body: NotificationKind["body"] = {
  message: "stand-up",
  at: 1_794_785_400_000,
  atText: "+30m",
  target: "telegram:42",
  origin: "stdout:daemon",
};

describe("a notification", () => {
  test("waits for its time, in the lane of its target", () => {
    assert.deepEqual(makeNotification(body), {
      kind: "notification",
      body,
      state: "pending",
      wakeAt: body.at,
      lane: "telegram:42",
      queue: undefined,
    });
  });
  test("may have twenty thousand characters, and keeps its own spaces", () => {
    for (const message of ["x".repeat(20_000), "  two\nlines  ", "🔔", "\u0000"]) {
      assert.equal(makeNotification({ ...body, message }).body.message, message);
    }
  });

  const refused: [name: string, change: Partial<typeof body>, code: ErrorCode, expected: RegExp][] =
    [
      ["without a message", { message: "" }, "invalid", /The message is empty/],
      ["of nothing but space", { message: " \n\t\u00A0 " }, "invalid", /The message is empty/],
      [
        "that is too long",
        { message: "x".repeat(20_001) },
        "too_large",
        /has 20001 characters, and the maximum is 20000/,
      ],
      ["to nowhere", { target: "nowhere" }, "invalid", /"nowhere" is not a target/],
    ];
  for (const [name, change, code, expected] of refused) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => makeNotification({ ...body, ...change }),
        (error) => hasCode(error, code) && expected.test(error.message),
      );
    });
  }
});
