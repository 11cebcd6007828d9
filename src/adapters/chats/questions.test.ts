import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eight } from "../../../test/book-fixture.ts";
import { chatFixture, type ChatFixture } from "../../../test/chat-fixture.ts";
import { questioned } from "../../../test/when-records.ts";
import { questionKind } from "../../features/events/question.ts";
import { is } from "../../kernel/kind.ts";

/** A question to Mina, sent as message 5 of her chat. */
async function asked(by = "mina"): Promise<{ at: ChatFixture; question: string }> {
  const at = chatFixture();
  const { task, question } = await questioned({ ...at.mina, by }, { choices: ["main", "dev"] });
  const outcome = { receipt: { chat: 7, messages: [5] }, reason: null, maybeDelivered: false };
  const about = { relatedTaskId: task, relatedQuestionId: question, type: "question" } as const;
  const words = { message: "Which branch?", at: eight, atText: "now", target: "telegram:7" };
  await at.ledger.of("mina", "x").append({
    kind: "notification",
    body: { ...words, origin: null, ...about, seedType: "human_input_request" },
    ends: "delivered",
    outcome,
    parent: task,
  });
  return { at, question };
}

describe("a question of a handler's task in a chat", () => {
  test("is answered by a reply to its message, and the task goes on", async () => {
    const { at, question } = await asked();
    assert.match(await at.text("dev", { replyTo: 5 }), /answer/i);
    const record = await at.get(question);
    assert.ok(is(questionKind, record));
    assert.deepEqual([record.state, record.outcome?.answer], ["answered", "dev"]);
    assert.equal((await at.get(record.outcome?.resumed ?? "")).priority, "high");
  });
  test("is answered by a short code", async () => {
    const { at, question } = await asked();
    await at.text(`/answer ${question.slice(-6)} main`);
    assert.equal((await at.get(question)).state, "answered");
    assert.match(await at.text("/answer 777777 main"), /777777/);
  });
  test("refuses a wrong choice, a second or late answer, and another person", async () => {
    const { at, question } = await asked();
    assert.match(await at.text("maybe", { replyTo: 5 }), /not one of the choices/);
    await at.text("main", { replyTo: 5 });
    assert.match(await at.text("dev", { replyTo: 5 }), /already has an answer/);
    assert.match(await at.text(`/answer ${question} dev`), /already has an answer/);
    const late = await asked();
    late.at.clock.advance(8 * 86_400_000);
    assert.match(await late.at.text("main", { replyTo: 5 }), /This question is closed/);
    const other = await asked("telegram:8");
    assert.match(await other.at.text("main", { replyTo: 5 }), /The question is for another person/);
    assert.equal((await other.at.get(other.question)).state, "open");
  });
});
