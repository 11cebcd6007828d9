import assert from "node:assert/strict";
import { test } from "node:test";
import { DaybookError, fromErrorData, hasCode, messageOf, toErrorData } from "./errors.ts";

test("an error keeps its code, message and details over a wire", () => {
  const fault = new DaybookError("held", "Another record has the name.", {
    details: { holder: "r1", names: ["a"] },
  });
  const back = fromErrorData(JSON.parse(JSON.stringify(toErrorData(fault))));
  assert.ok(back instanceof DaybookError);
  assert.deepEqual(toErrorData(back), toErrorData(fault));
  assert.equal(back.message, "Another record has the name.");
});

test("an error crosses a thread as plain data", () => {
  const data = toErrorData(new DaybookError("busy", "Try again.", { details: { tries: 3 } }));
  assert.deepEqual(structuredClone(data), data);
});

test("an unexpected error has the code bug", () => {
  assert.deepEqual(toErrorData(new TypeError("x is not a function")), {
    code: "bug",
    message: "x is not a function",
    details: {},
  });
  assert.equal(toErrorData("text").message, "text");
});

test("an error has its cause, or none", () => {
  const cause = new Error("disk");
  assert.equal(new DaybookError("unavailable", "No disk.", { cause }).cause, cause);
  assert.equal("cause" in new DaybookError("unavailable", "No disk."), false);
});

test("hasCode matches only a DaybookError with one of the codes", () => {
  const fault = new DaybookError("stale", "Look again.");
  assert.equal(hasCode(fault, "busy", "stale"), true);
  assert.equal(hasCode(fault, "busy"), false);
  assert.equal(hasCode({ code: "stale" }, "stale"), false);
});

test("an error without a message is described by its inner errors or its name", () => {
  const gathered = new AggregateError([new Error("first refused"), new Error("second refused")]);
  assert.equal(messageOf(gathered), "first refused; second refused");
  assert.equal(messageOf(new RangeError()), "RangeError");
});
