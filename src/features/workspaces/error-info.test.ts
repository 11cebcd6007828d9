import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import {
  errorBackoff,
  errorInfoFrom,
  errorReasons,
  isRetried,
  mismatchError,
  timeoutError,
  type ErrorReason,
} from "./error-info.ts";

const attempts: Record<ErrorReason, number> = {
  Mismatch: 4,
  Unreachable: 4,
  ActionFailed: 4,
  Timeout: 1,
  DataLost: 1,
};

for (const reason of errorReasons) {
  test(`${reason} allows ${attempts[reason]} attempts`, () => {
    let tried = 1;
    while (isRetried(reason, tried - 1)) tried += 1;
    assert.equal(tried, attempts[reason]);
    assert.equal(isRetried(reason, 1_000), false);
  });
}

test("all attempts at an operation fit well into the shortest timeout", () => {
  const { firstMs, factor, maxMs } = errorBackoff;
  const waits = [0, 1, 2].map((round) => Math.min(firstMs * factor ** round, maxMs));
  assert.ok(waits.reduce((sum, wait) => sum + wait) < 5 * 60_000);
});

describe("an error of a port", () => {
  const cases: readonly [ErrorCode, Record<string, unknown>, ErrorReason][] = [
    ["unavailable", {}, "Unreachable"],
    ["busy", {}, "ActionFailed"],
    ["refused", {}, "ActionFailed"],
    ["not_found", {}, "ActionFailed"],
    ["invalid", {}, "ActionFailed"],
    ["bug", {}, "ActionFailed"],
    ["not_found", { fault: "DataLost" }, "DataLost"],
    ["unavailable", { fault: "Mismatch" }, "Mismatch"],
    ["unavailable", { fault: "nothing we know" }, "Unreachable"],
  ];
  for (const [code, details, reason] of cases) {
    test(`${code} ${JSON.stringify(details)} is ${reason}`, () => {
      const error = new DaybookError(code, "Look there.", { details });
      assert.equal(errorInfoFrom(error, "STARTING", 7).reason, reason);
    });
  }

  test("A10-20: is DataLost only by the port's word, never because something is absent", () => {
    const absent = new DaybookError("not_found", "There is no volume.");
    assert.notEqual(errorInfoFrom(absent, "STARTING", 7).reason, "DataLost");
  });

  test("is stored with its message, its details, the operation and the time", () => {
    const details = { fault: "ActionFailed", exit_code: 2, stderr: "no", none: undefined };
    const error = new DaybookError("refused", "Give it another name.", { details });
    assert.deepEqual(errorInfoFrom(error, "STARTING", 7), {
      reason: "ActionFailed",
      message: "Give it another name.",
      context: { operation: "STARTING", error: "refused", exit_code: 2, stderr: "no" },
      occurredAt: 7,
    });
  });

  test("is cut, and cannot steer a terminal", () => {
    const error = new DaybookError("bug", `\u001b[2J${"x".repeat(5_000)}`);
    const { message } = errorInfoFrom(error, "ARCHIVING", 7);
    assert.equal(message.length, 1_000);
    assert.ok(!message.includes("\u001b"));
  });
});

test("a mismatch names what exists and what should, with advice", () => {
  assert.deepEqual(mismatchError({ expected: "a volume", actual: "no volume" }, "STARTING", 7), {
    reason: "Mismatch",
    message:
      "There is no volume where there should be a volume: check what changed it from outside.",
    context: { expected: "a volume", actual: "no volume", operation: "STARTING" },
    occurredAt: 7,
  });
});

test("a timeout names its seconds, with advice", () => {
  const fault = timeoutError("RESTORING", { startedAt: 1_000, limitMs: 1_800_000, now: 1_802_400 });
  assert.deepEqual(fault, {
    reason: "Timeout",
    message: "RESTORING took over 1800 s: check what blocks it, then recover the workspace.",
    context: { operation: "RESTORING", elapsed_seconds: 1_801, limit_seconds: 1_800 },
    occurredAt: 1_802_400,
  });
});
