import assert from "node:assert/strict";
import { test } from "node:test";
import { operations, table } from "../../features/index.ts";
import type { Operation } from "../../kernel/operation.ts";
import { toToolCalls } from "./tool-calls.ts";

const rewrite = toToolCalls(table);

const cases: readonly [text: string, rewritten: string, operation?: Operation][] = [
  [
    "To answer: daybook question answer q-1 …",
    'To answer: answer_question {"id": "q-1", "answer": "…"}',
  ],
  ["To answer: daybook run answer r1 …", 'To answer: answer_run {"id": "r1", "answer": "…"}'],
  ["see daybook list and daybook schedule list.", "see list_notifications and schedule_search."],
  [
    "There is no page: create it with daybook page put.",
    "There is no page: create it with put_page.",
  ],
  [
    "There are none. Create one: daybook workspace create NAME --image IMAGE",
    'There are none. Create one: create_workspace {"name": "NAME", "image": "IMAGE"}',
  ],
  [
    "archive one first (daybook workspace archive): a, b",
    "archive one first (archive_workspace): a, b",
  ],
  ["daybook whoami shows what is paused.", "whoami shows what is paused."],
  ["`daybook run output` shows the rest.", "`schedule_run_output` shows the rest."],
  [
    "change its text: daybook notification edit n1 --message.",
    'change its text: update_notification {"id": "n1", "message": "…"}.',
  ],
  ["daybook queue redrive q1 --payload ….", 'redrive_queued {"id": "q1", "payload": "…"}.'],
  ["출력 보기: daybook run output r1", '출력 보기: schedule_run_output {"run_id": "r1"}'],
  ["daybook schedule apply를 실행하면", "schedule_apply를 실행하면"],
  ["an old spelling: daybook schedules", "an old spelling: schedule_search"],
  // A person types these: no tool does it.
  ["check that `daybook start` is running", "check that `daybook start` is running"],
  ["request another: daybook person invite", "request another: daybook person invite"],
  ["more: --after abc123", 'more: "after": "abc123"', operations.list],
  ["40 more characters: --offset 4000", '40 more characters: "offset": 4000', operations.runOutput],
  ["Use --all to include those", 'Use "all": true to include those', operations.list],
  ["끝난 것은 --all로 봅니다", '끝난 것은 "all": true로 봅니다', operations.list],
  ["git push --force", "git push --force", operations.list],
];

for (const [text, rewritten, operation = operations.explain] of cases) {
  test(`agents read ${JSON.stringify(text)} with the tool in it`, () => {
    assert.equal(rewrite(text, operation), rewritten);
  });
}

test("what somebody wrote stays as it is", () => {
  const data = { notifications: [{ message: 'run "daybook next" with --all' }] };
  const text = 'n1 run "daybook next" with --all\nmore: daybook list';
  const expected = 'n1 run "daybook next" with --all\nmore: list_notifications';
  assert.equal(rewrite(text, operations.list, data), expected);
});
