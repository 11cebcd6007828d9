import assert from "node:assert/strict";
import { test } from "node:test";
import { DaybookError } from "./errors.ts";
import { readInput, prefixInputPath } from "./input-path.ts";

const wrong = (details = {}): never => {
  throw new DaybookError("invalid", "Write it so.", { details });
};

test("an error names the path of its input", () => {
  assert.equal(
    readInput("a", () => 7),
    7,
  );
  assert.throws(() => readInput("run", wrong), {
    message: "Write it so.",
    details: { path: "run" },
  });
  const inner = (): never => readInput("input", () => wrong({ path: "lines", limit: 3 }));
  assert.throws(() => readInput("run", inner), { details: { path: "run.input.lines", limit: 3 } });
});

test("an error that is not about an input is unchanged", () => {
  for (const error of [new Error("x"), new DaybookError("busy", "Wait."), "text"]) {
    assert.equal(prefixInputPath("a", error), error);
  }
});
