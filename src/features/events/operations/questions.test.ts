import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, withHandling } from "../../../../test/book-fixture.ts";
import { questioned } from "../../../../test/when-records.ts";
import { is } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { taskKind } from "../../tasks/kind.ts";
import { questionKind } from "../question.ts";
import { answerQuestion, cancelQuestion } from "./answer-question.ts";
import { listQuestions, showQuestion } from "./questions.ts";

const give = (context: Context, id: string, answer = "main") =>
  answerQuestion.run({ id, answer }, context);

const takeBack = (context: Context, id: string) =>
  cancelQuestion.run({ id, reason: "decided by hand" }, context);

async function refused(asked: Promise<unknown>, code: ErrorCode, says: RegExp): Promise<void> {
  await assert.rejects(asked, (error) => hasCode(error, code) && says.test(error.message));
}

describe("an answer to a question", () => {
  test("is written with the task that resumes, in one unit", async () => {
    const at = bookFixture();
    const { question, event } = await questioned(at.mina);
    const taken = await give(at.mina, question);
    assert.deepEqual(
      [taken.state, taken.answer, taken.answered_by, taken.resumed],
      ["answered", "main", "mina-at-cli", "task-20261116-001"],
    );
    const record = await at.ledger.of("mina", "x").get("task-20261116-001");
    assert.ok(is(taskKind, record));
    const { id, taskType, sessionId, answer, payload } = record.body.event ?? assert.fail();
    assert.deepEqual(
      [id, taskType, sessionId, answer, payload["human_response"]],
      [event, "resume", "s-1", "main", "main"],
    );
    assert.deepEqual([record.priority, record.parent], ["high", question]);
  });
  test("finds its question by the last characters of the id if they are unique", async () => {
    const at = bookFixture();
    await questioned(at.mina, { name: "evt-1", task: "task-20261115-001" });
    await questioned(at.mina, { name: "evt-2", task: "task-20261114-001" });
    await refused(give(at.mina, "001"), "conflict", /matches q-20261114-001 and q-20261115-001/);
    assert.equal((await give(at.mina, "15-001")).id, "q-20261115-001");
    assert.equal((await give(at.mina, "001")).id, "q-20261114-001");
    await refused(give(at.mina, "01"), "not_found", /List them: daybook question list/);
    await refused(give(at.jun, "q-20261115-001"), "not_found", /There is no question/);
  });
  test("is refused with the reason if it is late or invalid, in both languages", async () => {
    const at = bookFixture();
    const words = { ...at.mina, profile: { ...at.mina.profile, language: "ko" as const } };
    const { question } = await questioned(at.mina, { choices: ["main", "dev"] });
    await refused(give(at.mina, question, "maybe"), "invalid", /Choose from: "main", "dev"/);
    await refused(give(words, question, "maybe"), "invalid", /선택지에 없는 답/);
    assert.equal((await give(at.mina, question, " DEV ")).answer, "dev");
    await refused(give(at.mina, question, "main"), "ended", /already has an answer: "dev"/);
    await refused(give(words, question, "main"), "ended", /이미 답이 있는 질문입니다/);
    const asker = { ...at.mina, by: "slack:U1" };
    const other = await questioned(asker, { name: "evt-2", task: "task-20261114-002" });
    const stranger = { ...at.mina, by: "slack:U2" };
    await refused(give(stranger, other.question), "refused", /The question is for another person/);
    at.clock.advance(8 * 86_400_000);
    await refused(give(asker, other.question), "ended", /This question is closed/);
  });
  test("is refused if the handler was removed", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    const without = withHandling(at.mina, { handlers: [] });
    await refused(
      give(without, question),
      "unsupported",
      /The handler "gen-docs" is not configured any more/,
    );
  });
  test("wins over a second one at the same time, which is refused", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    const both = withHandling(at.mina, { pause: () => Promise.resolve() });
    const answers = await Promise.allSettled([
      give(both, question, "a"),
      give(both, question, "b"),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    const { records } = await at.ledger.of("mina", "x").list({ kind: taskKind, parent: question });
    assert.equal(records.length, 1);
  });
  test("waits while the controller has the question", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    const book = at.ledger.of("mina", "x");
    await book.edit({ kind: "question", id: question, wakeAt: eight });
    const request = { kind: questionKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
    const [held] = (await at.ledger.work.claim(request)).records;
    assert.ok(held);
    const rest = async (): Promise<void> => {
      const { id, revision, lease } = held;
      await at.ledger.work.settle([{ id, revision, fence: lease.fence, state: "open" }]);
    };
    const mina = withHandling(at.mina, { pause: rest });
    assert.equal((await give(mina, question)).state, "answered");
  });
});

describe("a cancelled question", () => {
  test("ends, by its id or the end of it, and keeps the reason", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    await refused(takeBack(at.jun, question), "not_found", /There is no question/);
    const { id, state, status, cancel } = await takeBack(at.mina, "15-001");
    assert.deepEqual(
      [id, state, status, cancel],
      [question, "cancelled", "cancelled", "cancelled"],
    );
    const { changes } = await at.ledger.of("mina", "x").changes({ id: question });
    assert.equal(changes.at(-1)?.note, "decided by hand");
    assert.equal((await takeBack(at.mina, question)).cancel, "ended");
  });
  test("refuses answers with the reason", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    await takeBack(at.mina, question);
    await refused(
      give(at.mina, question),
      "ended",
      /This question is closed: no task waits for the answer/,
    );
  });
  test("is cancelling while its controller has it, and refuses answers", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    await at.ledger.of("mina", "x").edit({ kind: "question", id: question, wakeAt: eight });
    const request = { kind: questionKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
    const [held] = (await at.ledger.work.claim(request)).records;
    assert.ok(held);
    const { cancel, state } = await takeBack(at.mina, question);
    assert.deepEqual([cancel, state], ["cancelling", "open"]);
    const mina = withHandling(at.mina, { pause: () => Promise.resolve() });
    const answering = give(mina, question);
    await refused(answering, "ended", /This question is closed/);
    const { id, lease } = held;
    const revision = held.revision + 1; // the cancel's
    await at.ledger.work.settle([{ id, revision, fence: lease.fence, state: "open" }]);
    assert.equal((await takeBack(at.mina, question)).state, "cancelled");
  });
});

test("a question is shown by its id or the last characters of it", async () => {
  const at = bookFixture();
  const { question } = await questioned(at.mina, { choices: ["main", "dev"] });
  const shown = await showQuestion.run({ id: "15-001" }, at.mina);
  assert.deepEqual(
    [shown.id, shown.status, shown.choices],
    [question, "input_required", ["main", "dev"]],
  );
  const said = showQuestion.render(shown, at.reader("en"));
  assert.match(
    said,
    /gen-docs asks: Which branch\? \(main \/ dev\)\n.*daybook question answer q-20261115-001/,
  );
  await give(at.mina, question, "dev");
  const over = await showQuestion.run({ id: question }, at.mina);
  assert.match(
    showQuestion.render(over, at.reader("en")),
    /mina-at-cli answered "dev", and task-.* resumed the work/,
  );
});

test("open questions are listed, and closed ones on request", async () => {
  const at = bookFixture();
  const list = async (asked: object): Promise<readonly (readonly string[])[]> =>
    (await listQuestions.run(listQuestions.input.parse(asked), at.mina)).questions.map(
      ({ id, status }) => [id, status],
    );
  await questioned(at.mina, { name: "evt-1", task: "task-20261115-001" });
  const { question } = await questioned(at.mina, { name: "evt-2", task: "task-20261115-002" });
  await give(at.mina, question);
  const open = ["q-20261115-001", "input_required"];
  assert.deepEqual(await list({}), [open]);
  assert.deepEqual(await list({ all: true }), [["q-20261115-002", "completed"], open]);
  assert.deepEqual(await list({ state: "answered" }), [["q-20261115-002", "completed"]]);
  assert.deepEqual(await list({ handler: "gen-pr" }), []);
});
