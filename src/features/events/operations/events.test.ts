import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, reviewer } from "../../../../test/book-fixture.ts";
import { happening, questioned } from "../../../../test/when-records.ts";
import { is } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import { hasCode } from "../../../platform/errors.ts";
import { operations } from "../../index.ts";
import { makeNotification } from "../../notifications/kind.ts";
import { taskKind } from "../../tasks/kind.ts";
import { cancelRun } from "../../tasks/operations/cancel.ts";
import { dispatchEvent } from "../dispatch.ts";
import { type EventKind, eventKind } from "../kind.ts";
import { answerQuestion } from "./answer-question.ts";
import { emitEvent } from "./emit.ts";
import { cancelEvent, listEvents, showEvent } from "./events.ts";
import { retryTask } from "./redrive.ts";
import { listTasks } from "./tasks.ts";

const { explain } = operations;
const type = "github.pr.review_requested";
const emit = (context: Context, asked: object = {}): ReturnType<typeof emitEvent.run> =>
  emitEvent.run(emitEvent.input.parse({ type, ...asked }), context);
const events = (context: Context, asked: object = {}) =>
  listEvents.run(listEvents.input.parse(asked), context);
const tasks = (context: Context, asked: object = {}) =>
  listTasks.run(listTasks.input.parse(asked), context);

describe("an emitted event", () => {
  test("is written once by its name, and keeps its first payload", async () => {
    const at = bookFixture();
    const first = await emit(at.mina, { name: "evt-1", payload: { n: 1 }, repo: "a/b" });
    const again = await emit(at.mina, { name: "evt-1", payload: { n: 2 } });
    assert.deepEqual([first.id, first.fresh, first.state], ["evt-1", true, "pending"]);
    assert.deepEqual([again.id, again.fresh], ["evt-1", false]);
    const { payload, repo } = await showEvent.run({ id: "evt-1" }, at.mina);
    assert.deepEqual([payload, repo], [{ n: 1 }, "a/b"]);
  });
  test("gets a random name with its source if it has none", async () => {
    const at = bookFixture();
    const [one, two] = [await emit(at.mina), await emit(at.mina, { source: "cron" })];
    assert.match(one.id, /^evt-manual-[0-9a-f]{16}$/);
    assert.match(two.id, /^evt-cron-[0-9a-f]{16}$/);
  });
  test("that nothing handles is shown as discarded, with the reason, and one with a task is not", async () => {
    const at = bookFixture();
    const { id } = await emit(at.mina, { type: "a.b", name: "evt-1" });
    const reason = "discarded: no handler subscribes to a.b";
    const outcome = { handler: null, task: null, reason };
    await at.ledger
      .of("mina", "x")
      .edit<EventKind>({ kind: "event", id, ends: "completed", outcome });
    const { id: handled } = await emit(at.mina, { name: "evt-2" });
    const done = { handler: "gen-pr", task: "task-1", reason: null };
    await at.ledger
      .of("mina", "x")
      .edit<EventKind>({ kind: "event", id: handled, ends: "completed", outcome: done });
    const listed = await events(at.mina, { state: "completed" });
    assert.deepEqual(
      listed.events.map((each) => [each.id, each.state, each.discarded]),
      [
        [handled, "completed", false],
        [id, "completed", true],
      ],
    );
    const lines = listEvents.render(listed, at.reader()).split("\n");
    assert.match(lines[0] ?? "", /^evt-2 {2}completed /);
    assert.match(lines[1] ?? "", /^evt-1 {2}discarded .*no handler subscribes to a\.b$/);
    const inKorean = listEvents.render(listed, at.reader("ko"));
    assert.match(inKorean, /^evt-1 {2}처리 안 함 .*a\.b를 구독하는 처리기가 없음$/m);
    const shown = showEvent.render(await showEvent.run({ id }, at.mina), at.reader());
    assert.match(shown, /^event evt-1 {2}discarded /);
    const told = explain.render(
      await explain.run(explain.input.parse({ id }), at.mina),
      at.reader(),
    );
    assert.match(told, /^event evt-1 {2}discarded /);
    const again = await emit(at.mina, { type: "a.b", name: "evt-1" });
    assert.match(emitEvent.render(again, at.reader()), /is discarded: evt-1$/);
  });
  test("has another id in another owner's book, so that none can be guessed", async () => {
    const at = bookFixture();
    await emit(at.mina, { name: "evt-1" });
    const { id, fresh } = await emit(at.jun, { name: "evt-1" });
    assert.match(id, /^evt-1~[0-9a-f]{8}$/);
    assert.equal(fresh, true);
  });
  test("has the priority of its type, and a time that is never in the future", async () => {
    const at = bookFixture();
    const low = await emit(at.mina, { type: "github.pr.comment", at: "2026-11-16 07:00" });
    assert.deepEqual([low.priority, low.at], ["low", "2026-11-15T22:00:00Z"]);
    const high = await emit(at.mina, { priority: "high", at: "tomorrow" });
    assert.deepEqual([high.priority, Date.parse(high.at)], ["high", eight]);
  });
  const wrong: [name: string, asked: object][] = [
    ["an invalid type", { type: "Not A Type" }],
    ["a name that makes a path", { name: "../../etc/passwd" }],
    ["a payload that is not an object", { payload: [1] }],
    ["a payload that is too large", { payload: { text: "x".repeat(140_000) } }],
    ["negative hops", { hops: -1 }],
  ];
  for (const [name, asked] of wrong) {
    test(`is refused with ${name}`, async () => {
      const at = bookFixture();
      await assert.rejects(async () => emit(at.mina, asked));
      assert.equal((await events(at.mina)).events.length, 0);
    });
  }
});

describe("events and their tasks", () => {
  test("are listed newest first, by state, type and handler, page after page", async () => {
    const at = bookFixture();
    for (const name of ["evt-1", "evt-2", "evt-3"]) await emit(at.mina, { name });
    await happening(at.mina, { name: "evt-4", task: "task-4" });
    const ids = async (asked: object): Promise<readonly string[]> =>
      (await events(at.mina, asked)).events.map(({ id }) => id);
    assert.deepEqual(await ids({}), ["evt-4", "evt-3", "evt-2", "evt-1"]);
    assert.deepEqual(await ids({ state: "pending", limit: 2 }), ["evt-3", "evt-2"]);
    assert.deepEqual(await ids({ handler: "gen-docs" }), ["evt-4"]);
    assert.deepEqual(await ids({ type: "jira.ticket.assigned" }), ["evt-4"]);
    const { next } = await events(at.mina, { limit: 3 });
    assert.deepEqual(await ids({ limit: 3, after: next ?? "" }), ["evt-1"]);
    assert.equal((await events(at.jun)).events.length, 0);
  });
  test("are shown together, with questions and messages", async () => {
    const at = bookFixture();
    const { event, task, question } = await questioned(at.mina);
    const body = { message: "asks", at: eight, atText: "now", target: "stdout:daemon" };
    const said = makeNotification({ ...body, origin: null, type: "question" });
    await at.ledger.of("mina", "x").append({ ...said, id: "msg-1", parent: task });
    const again = await retryTask.run({ id: task }, at.mina);
    const whole = await showEvent.run({ id: event }, at.mina);
    assert.deepEqual(
      whole.tasks.map(({ id }) => id),
      [task, again.id],
    );
    assert.deepEqual(
      whole.questions.map(({ id, status }) => [id, status]),
      [[question, "input_required"]],
    );
    assert.deepEqual(
      whole.messages.map(({ id }) => id),
      ["msg-1"],
    );
    for (const language of ["en", "ko"] as const) {
      assert.match(showEvent.render(whole, at.reader(language)), /msg-1/);
    }
  });
  test("an event with an answer and the asking event both show the task that resumed", async () => {
    const at = bookFixture();
    const { event, question } = await questioned(at.mina);
    const { id } = await emit(at.mina, { type: "slack.thread.reply", name: "evt-reply" });
    const resumed = (await answerQuestion.run({ id: question, answer: "main" }, at.mina)).resumed;
    const outcome = { handler: "gen-docs", task: resumed, reason: null };
    await at.ledger.of("mina", "x").edit({ kind: "event", id, outcome, state: "dispatched" });
    for (const which of [event, id]) {
      const { tasks: all } = await showEvent.run({ id: which }, at.mina);
      assert.equal(all.at(-1)?.id, resumed);
    }
  });
  test("tasks are found by state, handler, event and whether they are running", async () => {
    const at = bookFixture();
    const one = await happening(at.mina, { name: "evt-1", task: "task-1" });
    await happening(at.mina, { name: "evt-2", task: "task-2", handler: reviewer });
    await happening(at.mina, { name: "evt-3", task: "task-3", failed: true });
    const request = { kind: taskKind, queue: "task@gen-docs", lane: one.task } as const;
    await at.ledger.work.claim({ ...request, holder: "x", leaseMs: 1_000, limit: 1 });
    const ids = async (asked: object): Promise<readonly string[]> =>
      (await tasks(at.mina, asked)).tasks.map(({ id }) => id);
    assert.deepEqual(await ids({}), ["task-3", "task-2", "task-1"]);
    assert.deepEqual(await ids({ state: "failed" }), ["task-3"]);
    assert.deepEqual(await ids({ handler: "gen-pr" }), ["task-2"]);
    assert.deepEqual(await ids({ event: "evt-1" }), ["task-1"]);
    assert.deepEqual(await ids({ at_work: true }), ["task-1"]);
    assert.deepEqual(await ids({ at_work: false, state: "pending" }), ["task-2"]);
  });
});

describe("cancelling an event", () => {
  test("that waits ends it, and one that has ended stays as it is", async () => {
    const at = bookFixture();
    const { id } = await emit(at.mina);
    const ended = await cancelEvent.run({ id, reason: "no" }, at.mina);
    assert.deepEqual([ended.cancel, ended.state], ["cancelled", "cancelled"]);
    assert.equal((await cancelEvent.run({ id }, at.mina)).cancel, "ended");
  });
  test("that has a task cancels the task, and both end in one unit", async () => {
    const at = bookFixture();
    const { event, task } = await happening(at.mina);
    assert.equal((await cancelEvent.run({ id: event }, at.mina)).state, "cancelled");
    assert.equal((await at.ledger.of("mina", "x").get(task))?.state, "cancelled");
  });
  test("while its controller has it cancels its task too", async () => {
    const at = bookFixture();
    const { event, task } = await happening(at.mina);
    const book = at.ledger.of("mina", "x");
    await book.edit({ kind: "event", id: event, wakeAt: eight });
    const request = { kind: eventKind, holder: "router", leaseMs: 15_000, limit: 1 } as const;
    const { records } = await at.ledger.work.claim(request);
    assert.equal(records.length, 1);
    assert.equal((await cancelRun.run({ id: task }, at.mina)).cancel, "cancelled");
    const [lookedAt] = records;
    assert.ok(lookedAt);
    const { id, revision, lease } = lookedAt;
    const verdict = { state: "dispatched", wakeAt: eight + 600_000 } as const;
    await at.ledger.work.settle([{ id, revision, fence: lease.fence, ...verdict }]);
    assert.equal((await book.get(event))?.wakeAt, eight, "it is looked at again at once");
  });
  test("during its dispatch makes no task", async () => {
    const at = bookFixture();
    const { id } = await emit(at.mina);
    const request = { kind: eventKind, holder: "router", leaseMs: 15_000, limit: 1 } as const;
    await at.ledger.work.claim(request);
    assert.equal((await cancelEvent.run({ id }, at.mina)).cancel, "cancelling");
    const event = await at.ledger.of("mina", "x").get(id);
    assert.ok(is(eventKind, event));
    const names = { taskId: "task-1", messageId: "msg-1", defaultTarget: null, capacity: null };
    const verdict = dispatchEvent(
      event,
      { handler: reviewer, ...names },
      { now: eight, jitter: 0 },
    );
    assert.deepEqual(
      [Reflect.get(verdict, "ends"), verdict.consequences],
      ["cancelled", undefined],
    );
  });
});

describe("a redrive", () => {
  test("makes a new task of the same event and thread, with a new payload if given", async () => {
    const at = bookFixture();
    const { task, event } = await happening(at.mina, { failed: true });
    const asked = { id: task, payload: { key: "OPS-8" } };
    const made = await retryTask.run(asked, at.mina);
    assert.deepEqual([made.kind, made.of, made.fresh], ["task", task, true]);
    const record = await at.ledger.of("mina", "x").get(made.id);
    assert.ok(is(taskKind, record));
    assert.deepEqual(
      [record.parent, record.body.event?.id, record.body.event?.payload, record.queue],
      [task, event, { key: "OPS-8" }, "task@gen-docs"],
    );
    const again = await retryTask.run(asked, at.mina);
    assert.deepEqual([again.id, again.fresh], [made.id, false]);
  });
  test("of an event repeats its newest task, or appends the event again", async () => {
    const at = bookFixture();
    const { task, event } = await happening(at.mina, { failed: true });
    const first = await retryTask.run({ id: event }, at.mina);
    assert.deepEqual([first.kind, first.of], ["task", event]);
    assert.equal((await at.ledger.of("mina", "x").get(first.id))?.parent, task);
    const { id } = await emit(at.mina, { name: "evt-lost" });
    await cancelEvent.run({ id }, at.mina);
    const told = await retryTask.run({ id }, at.mina);
    assert.deepEqual([told.kind, told.id, told.state], ["event", "evt-lost-again", "pending"]);
  });
  test("needs an ended record and a configured handler", async () => {
    const at = bookFixture();
    const { task } = await happening(at.mina);
    await assert.rejects(retryTask.run({ id: task }, at.mina), /has not ended \(pending\)/);
    const gone = { ...reviewer, name: "gone" };
    const over = { handler: gone, name: "evt-2", task: "task-2", failed: true };
    const { task: lost } = await happening(at.mina, over);
    await assert.rejects(retryTask.run({ id: lost }, at.mina), /There is no handler "gone"/);
    await assert.rejects(retryTask.run({ id: "x" }, at.mina), (error) =>
      hasCode(error, "not_found"),
    );
    await assert.rejects(retryTask.run({ id: task }, at.jun), (error) =>
      hasCode(error, "not_found"),
    );
  });
});
