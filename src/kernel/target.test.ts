import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../platform/errors.ts";
import { parseTarget } from "./target.ts";

describe("a target", () => {
  const read: [text: string, channel: string, address: string][] = [
    ["stdout:daemon", "stdout", "daemon"],
    ["telegram:-1001234:7", "telegram", "-1001234:7"],
    ["email:mina@example.com", "email", "mina@example.com"],
    ["webhook:https://example.com/a?b=c", "webhook", "https://example.com/a?b=c"],
    ["inbox:미나", "inbox", "미나"],
    [`x:${"a".repeat(200)}`, "x", "a".repeat(200)],
    [`${"a".repeat(32)}:b`, "a".repeat(32), "b"],
  ];
  for (const [text, channel, address] of read) {
    test(`${text.slice(0, 40)} is an address on ${channel}`, () => {
      assert.deepEqual(parseTarget(text), { channel, address });
    });
  }

  const refused = [
    "",
    ":",
    "stdout",
    "stdout:",
    ":daemon",
    "Stdout:daemon",
    "1up:daemon",
    "std out:daemon",
    "stdout:two words",
    "stdout:line\nbreak",
    "stdout:daemon\n",
    " stdout:daemon",
    "stdout:\u001B[2J",
    "stdout:nul\u0000",
    `x:${"a".repeat(201)}`,
    `${"a".repeat(33)}:b`,
    "a".repeat(1_000_000),
  ];
  for (const text of refused) {
    test(`${JSON.stringify(text.slice(0, 40))} is refused in one short line`, () => {
      assert.throws(
        () => parseTarget(text),
        (error) => {
          assert.ok(hasCode(error, "invalid"));
          assert.match(
            error.message,
            /is not a target: write it as channel:address, such as "telegram:12345"\.$/,
          );
          assert.doesNotMatch(error.message, /\p{Cc}/u);
          return error.message.length < 180;
        },
      );
    });
  }

  test("consists of its channel and its address only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        try {
          const { channel, address } = parseTarget(text);
          assert.equal(`${channel}:${address}`, text);
        } catch (error) {
          assert.ok(hasCode(error, "invalid"));
        }
      }),
    );
  });
});
