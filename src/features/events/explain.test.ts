import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { happening, questioned } from "../../../test/when-records.ts";
import { operations } from "../index.ts";
import { taskKind } from "../tasks/kind.ts";
import { emptyOutcome } from "../tasks/outcome.ts";
import { answerQuestion } from "./operations/answer-question.ts";
import { emitEvent } from "./operations/emit.ts";
import { queueStats } from "./operations/queue-stats.ts";

const { explain } = operations;

async function told(at: BookFixture, id: string, language: "en" | "ko" = "en"): Promise<string> {
  return explain.render(
    await explain.run(explain.input.parse({ id }), at.mina),
    at.reader(language),
  );
}

describe("explain", () => {
  test("an event shows its handler, its task and what is next", async () => {
    const at = bookFixture();
    const { event, task } = await happening(at.mina);
    assert.equal(
      await told(at, event),
      `event ${event}  dispatched
  message   jira.ticket.assigned
  request   by mina-at-cli on Mon 16 Nov 2026 08:00:00
  time      Mon 16 Nov 2026 08:00:00 Asia/Seoul
  rules     gen-docs is the first handler that subscribes to jira.ticket.assigned
  runs      task ${task}, pending
  next      task ${task}, pending`,
    );
    assert.match(await told(at, event, "ko"), /^이벤트 evt-jira-OPS-7 {2}처리 중$/m);
  });
  test("an event shows why it waits, or that no handler subscribes to its type", async () => {
    const at = bookFixture();
    const asked = { type: "jira.ticket.assigned", name: "evt-1", hops: 2 };
    await emitEvent.run(emitEvent.input.parse(asked), at.mina);
    const reason = "waits: the machine is overloaded (cpu 97 %)";
    const outcome = { handler: null, task: null, reason };
    await at.ledger.of("mina", "x").edit({ kind: "event", id: "evt-1", outcome });
    const rules = `gen-docs is the first handler that subscribes to jira.ticket.assigned · events that led to it: 2 · ${reason}`;
    assert.ok((await told(at, "evt-1")).includes(`  rules     ${rules}\n`));
    const { id } = await emitEvent.run(emitEvent.input.parse({ type: "a.b" }), at.mina);
    assert.match(await told(at, id), /rules {5}no handler subscribes to a\.b: see handlers/);
  });
  test("a task shows its event, and that a worker must claim it", async () => {
    const at = bookFixture();
    const { task, event } = await happening(at.mina);
    const text = await told(at, task);
    assert.match(text, /^run task-20261115-001 of 'gen-docs' {2}pending/);
    const happened = `event jira.ticket.assigned: ${event}, dispatched`;
    assert.ok(text.includes(`  cause     ${happened}\n`), text);
    assert.match(text, /next {6}it waits until a worker claims it: daybook worker claim gen-docs$/);
  });
  test("queue stats and explain agree on a task that a worker holds", async () => {
    const at = bookFixture();
    const { event, task } = await happening(at.mina);
    const claim = { kind: taskKind, queue: "task@gen-docs", holder: "w", leaseMs: 60_000 };
    await at.ledger.work.claim({ ...claim, limit: 1 });
    const { counts } = await queueStats.run({}, at.mina);
    const counted = counts.map(({ queue, state }) => `${queue} ${state}`);
    assert.deepEqual(counted, ["events dispatched", "tasks in_progress"]);
    const text = await told(at, event);
    assert.match(text, new RegExp(`runs {6}task ${task}, in_progress\n`));
    assert.match(text, new RegExp(`next {6}task ${task}, in_progress$`));
  });
  test("a task that waits for its rate says so: rate limit of handler X until …", async () => {
    const at = bookFixture();
    const { task } = await happening(at.mina);
    const until = at.clock.wall() + 60_000;
    const outcome = { ...emptyOutcome, rateUntil: until };
    await at.ledger.of("mina", "x").edit({ kind: "task", id: task, outcome });
    assert.match(
      await told(at, task),
      /next {6}it waits for the rate limit of handler gen-docs until Mon 16 Nov 2026 08:01:00 Asia\/Seoul$/,
    );
  });
  test("a question shows how to answer it, and then its answer", async () => {
    const at = bookFixture();
    const { question, task } = await questioned(at.mina, { choices: ["main", "dev"] });
    const text = await told(at, question);
    assert.match(
      text,
      /^question q-20261115-001 {2}open\n {2}message {3}Which branch\? \(main \/ dev\)$/m,
    );
    assert.ok(text.includes(`(${task})`) || text.includes(` ${task} `), text);
    assert.match(
      text,
      /next .* until Mon 23 Nov 2026 08:00:00: daybook question answer q-20261115-001 …$/,
    );
    assert.match(await told(at, task), /rules .*daybook question answer q-20261115-001 …$/m);
    await answerQuestion.run({ id: question, answer: "dev" }, at.mina);
    const after = await told(at, question);
    assert.match(
      after,
      /rules {5}mina-at-cli answered "dev", and task-20261116-001 resumed the work$/m,
    );
    assert.doesNotMatch(after, /^ {2}next/m);
    const resumed = await told(at, "task-20261116-001");
    assert.match(resumed, /cause {5}question "Which branch\?": q-20261115-001, answered$/m);
  });
});
