import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsIn } from "../../app/error-texts.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { problemAnswer } from "./problem.ts";

test("the title and the detail are in the language that the client asks for", async () => {
  const translate = await errorsIn("ko");
  const error = new DaybookError("not_found", 'There is no record "a" in this book.');
  const answer = problemAnswer(error, { requestId: "1", isConditional: false, translate });
  const { title, detail } = (await answer.json()) as { title: string; detail: string };
  assert.deepEqual([title, detail], ["찾을 수 없습니다", '이 장부에 기록 "a"가 없습니다.']);
});

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
