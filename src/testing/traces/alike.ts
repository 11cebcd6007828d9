import assert from "node:assert/strict";
import type { Step } from "./traces.ts";

/** Shows the first step that a store answers unlike the model. */
export function assertAlike(seed: number, model: readonly Step[], other: readonly Step[]): void {
  const index = model.findIndex((step, at) => step.answer !== other[at]?.answer);
  if (index === -1) return assert.equal(other.length, model.length, `seed ${seed} goes on`);
  const { verb, asked } = model[index] ?? { verb: "none", asked: "" };
  assert.deepEqual(
    JSON.parse(other[index]?.answer ?? "null"),
    JSON.parse(model[index]?.answer ?? "null"),
    `seed ${seed}, step ${index}: ${verb} at ${asked} is answered unlike the model (expected)`,
  );
}
