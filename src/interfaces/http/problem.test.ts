import assert from "node:assert/strict";
import { test } from "node:test";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { problemAnswer } from "./problem.ts";

const titles: readonly (readonly [code: ErrorCode, sentence: string, title: string])[] = [
  [
    "stale",
    "It said nothing, so there is nothing to say again.",
    "The record has changed or is in another state",
  ],
  ["held", "It waits to be said already.", "What it needs is in use"],
  ["conflict", "Two of them are called so.", "It conflicts with an existing record"],
  ["ended", "It is completed.", "It has ended"],
];
for (const [code, sentence, title] of titles) {
  test(`"${title}" fits whatever is ${code}, and the detail says what it is`, async () => {
    const asking = { requestId: "1", isConditional: false };
    const answer = problemAnswer(new DaybookError(code, sentence), asking);
    const said = (await answer.json()) as { title: string; detail: string; status: number };
    assert.deepEqual([said.title, said.detail, said.status], [title, sentence, 409]);
  });
}
