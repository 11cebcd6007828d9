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
import type { Ran } from "../tasks/runner.ts";
import { answerUnit } from "./answer.ts";
import { type QuestionKind, questionKind } from "./question.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const asks: Ran = {
  result: "completed",
  returned: { status: "needs_human", summary: "", question: "Merge it?", choices: ["yes", "no"] },
};

async function asked(
  atHour: number,
): Promise<{ at: EventFixture; question: LedgerRecord<QuestionKind> }> {
  const at = eventFixture(() => asks);
  const hour = new Date(at.kernel.now()).getUTCHours();
  await at.pass(((atHour - hour + 24) % 24) * hourMs);
  await at.start();
  await at.emit();
  await at.pass(60_000);
  const [question = assert.fail("nothing was asked")] = await at.all(questionKind);
  return { at, question };
}

/** When it was said that it waits: hours after it was asked. */
async function nagHours(at: EventFixture, from: number): Promise<readonly number[]> {
  const all = await at.all(notificationKind);
  return all
    .filter(({ body }) => body.seedType === "thread_update")
    .map(({ body }) => Math.round((body.at - from) / hourMs));
}

describe("an open question", () => {
  test("sends reminders after an hour, then at doubled pauses, during the day", async () => {
    const { at, question } = await asked(8);
    await at.pass(8 * dayMs);
    // Asked at 8: at 9, 11 and 15; at 23 all sleep, so at 7; 16 hours later they sleep again.
    const hours = await nagHours(at, question.createdAt);
    assert.deepEqual(hours, [1, 3, 7, 23, 47, 79, 143]);
    const awake = hours.map((each) => (8 + each) % 24);
    assert.ok(awake.every((hour) => hour >= 7 && hour < 22));
  });

  test("sends reminders to its thread, with ids of the day, and is answered there", async () => {
    const { at, question } = await asked(8);
    await at.pass(hourMs);
    const last = (await at.all(notificationKind)).at(-1) ?? assert.fail();
    assert.match(last.id, /^msg-\d{8}-\d{3}$/);
    assert.deepEqual([last.state, last.parent], ["delivered", question.id]);
    assert.equal(last.body.relatedQuestionId, question.id);
    assert.deepEqual(at.chat.sent.at(-1), {
      to: "C1:1.000000",
      id: last.id,
      text: `⏳ Still waiting for an answer: Merge it?\n(yes / no)\nReply here to answer.`,
    });
  });

  test("expires after seven days, and closes its thread in the reader's language", async () => {
    const { at, question } = await asked(8);
    at.language = "ko";
    await at.pass(7 * dayMs - hourMs);
    assert.equal((await at.get(questionKind, question.id)).state, "open");
    await at.pass(hourMs);
    assert.equal((await at.get(questionKind, question.id)).state, "expired");
    const last = (await at.all(notificationKind)).at(-1);
    assert.deepEqual([last?.body.final, last?.parent], [true, question.id]);
    const { to, text } = at.chat.sent.at(-1) ?? assert.fail();
    assert.deepEqual(
      [to, text],
      ["C1:1.000000", "⌛ 7일 동안 답이 없어 질문을 닫았습니다: Merge it?"],
    );
    const said = at.chat.sent.length;
    await at.pass(2 * dayMs);
    assert.equal(at.chat.sent.length, said);
  });

  test("drops a reminder that was not sent when the next one is due", async () => {
    const { at, question } = await asked(8);
    await at.pass(8 * hourMs);
    const all = await at.all(notificationKind);
    const nags = all.filter(({ body }) => body.seedType === "thread_update");
    const { outcome, wakeAt } = await at.get(questionKind, question.id);
    assert.equal(outcome?.nags, nags.length);
    const ends = nags.map(({ body }) => body.expiresAt);
    const nexts = [...nags.slice(1).map(({ body }) => body.at), wakeAt];
    assert.deepEqual(ends, nexts);
  });
});

describe("a closed question", () => {
  test("sends no reminder once it is answered", async () => {
    const { at, question } = await asked(8);
    await at.pass(hourMs);
    const unit = answerUnit(await at.get(questionKind, question.id), {
      answer: "yes",
      by: owner,
      now: at.kernel.now(),
      handler: plainHandler,
      taskId: "task-20260207-900",
      capacity: null,
    });
    if ("refused" in unit) assert.fail(unit.refused);
    await at.ledger.of(owner, owner).edit(unit.edit, { append: [unit.resume] });
    await at.pass(2 * dayMs);
    const about = (await at.all(notificationKind)).filter(({ parent }) => parent === question.id);
    assert.equal(about.length, 1);
  });

  test("sends no reminder once it is cancelled", async () => {
    const { at, question } = await asked(8);
    await at.ledger.of(owner, owner).cancel({ id: question.id });
    await at.pass(2 * dayMs);
    assert.deepEqual(await nagHours(at, question.createdAt), []);
  });
});
