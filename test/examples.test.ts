import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { table } from "../src/features/index.ts";
import { examplesFile, recordedAnswers } from "./examples.ts";

test("every example has its recorded answer: to update, npm run examples", async () => {
  const kept: unknown = JSON.parse(readFileSync(examplesFile, "utf8"));
  const answers: typeof kept = JSON.parse(JSON.stringify(await recordedAnswers()));
  assert.deepEqual(kept, answers);
});

test("every operation has an example", () => {
  const without = table.filter(({ example }) => example === undefined);
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
});
