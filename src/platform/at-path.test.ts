import assert from "node:assert/strict";
import { test } from "node:test";
import { atPath, prefixPath } from "./at-path.ts";
import { DaybookError } from "./errors.ts";

const wrong = (details = {}): never => {
  throw new DaybookError("invalid", "Write it so.", { details });
};

test("what is wrong with an input says which, from the outside in", () => {
  assert.equal(
    atPath("a", () => 7),
    7,
  );
  assert.throws(() => atPath("run", wrong), { message: "Write it so.", details: { path: "run" } });
  const inner = (): never => atPath("input", () => wrong({ path: "lines", limit: 3 }));
  assert.throws(() => atPath("run", inner), { details: { path: "run.input.lines", limit: 3 } });
});

test("what is no fault of an input stays as it is", () => {
  for (const error of [new Error("x"), new DaybookError("busy", "Wait."), "text"]) {
    assert.equal(prefixPath("a", error), error);
  }
});
