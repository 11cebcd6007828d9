import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import {
  owner,
  plainHandler,
  eventFixture,
  type EventFixture,
} from "../../testing/event-fixture.ts";
import { notificationKind } from "../notifications/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Job, Ran } from "../tasks/runner.ts";
import { answerUnit, type AnswerFacts } from "./answer.ts";
import { makeEvent, eventKind } from "./kind.ts";
import { type QuestionKind, questionKind } from "./question.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const thread = "slack:C1:1.000000";

/** Asks at first, and goes on with what was answered. */
function asking({ answers }: Job): Ran {
  const [given] = answers;
  const base = { session_id: "s-1", summary: "half way" };
  const result =
    given === undefined
      ? { ...base, status: "needs_human", question: "Merge it?", choices: ["yes", "no"] }
      : { status: "success", summary: `the answer was ${given.answer}` };
  return { result: "completed", returned: result as { readonly [name: string]: string } };
}

async function asked(): Promise<{ at: EventFixture; question: LedgerRecord<QuestionKind> }> {
  const at = eventFixture(asking);
  await at.start();
  await at.emit();
  await at.pass(minuteMs);
  const [question = assert.fail("nothing was asked")] = await at.all(questionKind);
  return { at, question };
}

let replies = 0;

async function reply(at: EventFixture, text: string, by = owner, origin = thread): Promise<string> {
  replies += 1;
  const now = at.kernel.now();
  const name = `evt-slack-reply-1-000000-${replies}`;
  const draft = makeEvent(
    {
      name,
      type: "slack.thread.reply",
      source: "slack",
      repo: null,
      payload: { text },
      at: now,
      origin,
      hops: 0,
    },
    { owner, home: owner, now },
  );
  return (await at.ledger.of(owner, by).append(draft)).id;
}

function lastWords({ chat }: EventFixture): string | undefined {
  const last = chat.sent.at(-1);
  return last && `${last.to} ${last.text}`;
}

describe("a task that needs a person", () => {
  test("B7-12: completes, with its event, and asks in its thread", async () => {
    const { at, question } = await asked();
    const [task = assert.fail()] = await at.all(taskKind);
    const [event = assert.fail()] = await at.all(eventKind);
    assert.deepEqual([task.state, event.state], ["completed", "completed"]);
    assert.partialDeepStrictEqual(task.outcome?.result, { status: "needs_human" });
    assert.equal(question.state, "open");
    assert.equal(question.id, task.id.replace("task-", "q-"));
    assert.deepEqual(question.body.context, {
      general: "gen-pr",
      session_id: "s-1",
      repo: "querypie/frontend",
    });
    assert.equal(lastWords(at), `C1:1.000000 Merge it?\n(yes / no)\nReply here to answer.`);
    const messages = await at.all(notificationKind);
    assert.deepEqual(messages[1]?.body.beside, { reply_context: question.body.context });
    assert.deepEqual(
      messages.map(({ body }) => [body.seedType, body.final]),
      [
        ["thread_start", undefined],
        ["human_input_request", undefined],
      ],
    );
  });

  test("an answer command in the thread is read as the text behind it", async () => {
    for (const typed of ["daybook question answer", "daybook run answer", "/answer", "answer"]) {
      const { at, question } = await asked();
      await reply(at, `${typed} ${question.id.slice(-3)} No`);
      await at.pass(minuteMs);
      assert.equal((await at.get(questionKind, question.id)).outcome?.answer, "no");
    }
    const { at, question } = await asked();
    await reply(at, "answer 777 yes");
    await at.pass(minuteMs);
    assert.equal((await at.get(questionKind, question.id)).state, "open");
  });

  test("a reply resumes the work with high priority, in the same thread", async () => {
    const { at, question } = await asked();
    at.settings = { ...at.settings, health: "red" };
    at.machine = { health: "red", reason: null };
    const id = await reply(at, " YES ");
    await at.pass(minuteMs);
    const [, resume = assert.fail("it does not go on")] = await at.all(taskKind);
    assert.deepEqual(
      [resume.priority, resume.parent, resume.state],
      ["high", question.id, "completed"],
    );
    const { taskType, sessionId, answer, payload } = resume.body.event ?? assert.fail();
    assert.deepEqual([taskType, sessionId, answer], ["resume", "s-1", "yes"]);
    assert.deepEqual([payload["pr_number"], payload["human_response"]], ["42", "yes"]);
    const ended = await at.get(questionKind, question.id);
    assert.deepEqual(
      [ended.state, ended.outcome],
      ["answered", { answer: "yes", by: owner, resumed: resume.id }],
    );
    const event = await at.get(eventKind, id);
    assert.deepEqual([event.state, event.outcome?.task], ["completed", resume.id]);
    assert.equal(lastWords(at), "C1:1.000000 ✅ gen-pr: the answer was yes");
    assert.equal((await at.all(notificationKind)).at(-1)?.body.final, true);
  });

  test("a second answer and a late one are refused in the thread", async () => {
    const { at } = await asked();
    await reply(at, "yes");
    await reply(at, "no");
    await at.pass(minuteMs);
    assert.equal((await at.all(taskKind)).length, 2);
    const told = at.chat.sent.filter(({ text }) => text.includes("already has an answer"));
    assert.deepEqual(
      told.map(({ to, text }) => [to, text]),
      [["C1:1.000000", `This question already has an answer: "yes". Nothing changes.`]],
    );
    const late = await asked();
    await late.at.pass(8 * dayMs);
    assert.equal((await late.at.get(questionKind, late.question.id)).state, "expired");
    late.at.language = "ko";
    const id = await reply(late.at, "yes");
    await late.at.pass(minuteMs);
    assert.equal(
      lastWords(late.at),
      "C1:1.000000 이미 끝난 질문입니다. 이 답을 기다리는 작업이 없습니다.",
    );
    assert.match(
      (await late.at.get(eventKind, id)).outcome?.reason ?? "",
      /^not an answer to q-.*: late$/,
    );
  });

  test("an answer that is not one of the choices leaves the question open", async () => {
    const { at, question } = await asked();
    await reply(at, "perhaps");
    await at.pass(minuteMs);
    assert.equal(
      lastWords(at),
      `C1:1.000000 This is not one of the choices. Choose from: "yes", "no".`,
    );
    assert.equal((await at.get(questionKind, question.id)).state, "open");
  });

  test("a message in another thread is not an answer", async () => {
    const { at, question } = await asked();
    const id = await reply(at, "yes", owner, "slack:C1:2.000000");
    await at.pass(minuteMs);
    assert.equal((await at.get(questionKind, question.id)).state, "open");
    assert.match((await at.get(eventKind, id)).outcome?.reason ?? "", /no handler subscribes/);
  });

  test("a message in a closed thread is an ordinary event", async () => {
    const { at } = await asked();
    await reply(at, "yes");
    await at.pass(minuteMs);
    const talks = { ...plainHandler, name: "gen-talk", subscribes: ["slack.thread.reply"] };
    at.settings = { ...at.settings, handlers: [plainHandler, talks] };
    const id = await reply(at, "thanks");
    await at.pass(minuteMs);
    assert.equal((await at.get(eventKind, id)).outcome?.handler, "gen-talk");
  });

  test("an answer is refused when the handler was removed", async () => {
    const { at, question } = await asked();
    at.settings = { ...at.settings, handlers: [] };
    const id = await reply(at, "yes");
    await at.pass(minuteMs);
    assert.match((await at.get(eventKind, id)).outcome?.reason ?? "", /there is no handler gen-pr/);
    assert.match(lastWords(at) ?? "", /The handler "gen-pr" is not configured any more/);
    assert.equal((await at.get(questionKind, question.id)).state, "open");
  });
});

describe("permission to answer", () => {
  const answering: AnswerFacts = {
    answer: "yes",
    by: "slack:U1",
    now: 0,
    handler: plainHandler,
    taskId: "task-20260207-009",
    capacity: null,
  };
  const cases: [askedBy: string, by: string, isTaken: boolean][] = [
    ["slack:U1", "slack:U1", true],
    ["slack:U1", "slack:U2", false],
    ["slack:U1", owner, true],
    [owner, "slack:U2", true],
  ];
  for (const [askedBy, by, isTaken] of cases) {
    test(`${by} ${isTaken ? "answers" : "does not answer"} what ${askedBy} had asked for`, async () => {
      const { question } = await asked();
      const put = { ...question, body: { ...question.body, askedBy } };
      const unit = answerUnit(put, { ...answering, by });
      assert.deepEqual("refused" in unit ? unit.refused : true, isTaken || "not yours");
    });
  }

  test("an answer and the task that resumes are one unit", async () => {
    const { at, question } = await asked();
    const unit = answerUnit(question, { ...answering, now: at.kernel.now() });
    if ("refused" in unit) assert.fail(unit.refused);
    const book = at.ledger.of(owner, owner);
    await book.edit(unit.edit, { append: [unit.resume] });
    await assert.rejects(book.edit(unit.edit, { append: [unit.resume] }), { code: "ended" });
    await at.pass(minuteMs);
    assert.equal((await at.get(taskKind, "task-20260207-009")).state, "completed");
    assert.equal(lastWords(at), "C1:1.000000 ✅ gen-pr: the answer was yes");
  });
});
