import assert from "node:assert/strict";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bookFixture, reviewer, type BookFixture } from "../../../test/book-fixture.ts";
import { folder } from "../../../test/child.ts";
import { runsThatTalked } from "../../../test/runs-that-talked.ts";
import { type } from "../../../test/terminal.ts";
import { happening, questioned } from "../../../test/when-records.ts";
import { eventKind } from "../../features/events/kind.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";

describe("daybook event emit", () => {
  for (const as of ["typed", "file", "-"] as const) {
    test(`takes a payload that is ${as}`, async (t) => {
      const at = bookFixture();
      const path = join(folder(t), "payload.json");
      writeFileSync(path, '{ "key": "OPS-7" }\n');
      const payload = { typed: '{"key":"OPS-7"}', file: `@${path}`, "-": "-" }[as];
      const ports = { file: createReadStream, stdin: () => createReadStream(path) };
      const line = ["emit", "jira.ticket.assigned", "--name", "evt-1", "--payload", payload];
      const { exit, out, err } = await type(line, ports, at);
      assert.deepEqual([exit, err, out], [0, "", "Event jira.ticket.assigned is written: evt-1\n"]);
      const record = await at.ledger.of("mina", "x").get("evt-1");
      assert.ok(is(eventKind, record));
      assert.deepEqual(record.body.payload, { key: "OPS-7" });
      assert.match(
        (await type(line, ports, at)).out,
        /^This event was written before and is pending/,
      );
    });
  }
  test("refuses a payload that is no JSON, or no object, before the book is asked", async (t) => {
    const path = join(folder(t), "payload.json");
    writeFileSync(path, "[1");
    const ports = { file: createReadStream };
    const cases = [
      [`@${path}`, /The file ".*payload\.json" is not JSON: give --payload as JSON/],
      ["@nowhere.json", /"nowhere\.json" cannot be read/],
      ["[1]", /--payload must be/],
      ["{", /is not JSON/],
    ] as const;
    for (const [payload, says] of cases) {
      const { exit, err, asked } = await type(["emit", "a.b", "--payload", payload], ports);
      assert.deepEqual([exit, asked], [2, 0]);
      assert.match(err, says);
    }
  });
  test("reads the input of a task from a file too", async (t) => {
    const at = bookFixture();
    const path = join(folder(t), "input.json");
    writeFileSync(path, "[7]");
    const line = ["run", "tidy", "--input", `@${path}`, "--json"];
    const { out } = await type(line, { file: createReadStream }, at);
    const { id } = JSON.parse(out) as { id: string };
    const record = await at.ledger.of("mina", "x").get(id);
    assert.deepEqual(is(taskKind, record) && record.body.input, [7]);
  });
});

describe("daybook run answer", () => {
  test("is for a run that waits and for a question alike", async () => {
    const at = bookFixture();
    const { asking } = await runsThatTalked(at.mina);
    assert.equal((await type(["answer", asking, "yes"], {}, at)).exit, 0);
    const { question } = await questioned(at.mina);
    const { exit, out } = await type(["answer", "15-001", "main"], {}, at);
    assert.deepEqual([exit, out], [0, "The answer is saved, and the work resumes.\n"]);
    assert.equal((await at.ledger.of("mina", "x").get(question))?.state, "answered");
  });
  test("says that there is no such thing, and why one is not taken", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina, { choices: ["main"] });
    const wrong = await type(["answer", question, "dev"], {}, at);
    assert.deepEqual([wrong.exit, /Choose from: "main"/.test(wrong.err)], [2, true]);
    const nowhere = await type(["answer", "nowhere", "dev"], {}, at);
    assert.deepEqual(
      [nowhere.exit, /List them: daybook question list/.test(nowhere.err)],
      [3, true],
    );
  });
});

test("a task is taken, kept and ended by words that are typed", async () => {
  const at = bookFixture();
  const { task } = await happening(at.mina);
  const claimed = await type(["worker", "claim", "gen-docs"], {}, at);
  assert.match(claimed.out, new RegExp(`^You hold ${task} until .*\\. Ticket: 1$`, "m"));
  const kept = await type(["worker", "heartbeat", task, "1", "--progress", "half"], {}, at);
  assert.match(kept.out, /^You hold .* until Mon 16 Nov 2026 08:01/);
  const ended = await type(["worker", "result", task, "1", "success", "written"], {}, at);
  assert.equal(ended.out, `${task} is completed.\n`);
  assert.equal(
    (await type(["worker", "claim", "gen-docs"], {}, at)).out,
    "There is no task to claim.\n",
  );
  const late = await type(["worker", "result", task, "1", "success", "written"], {}, at);
  assert.equal(late.exit, 4);
});

test("what lies in a queue is listed, moved and done once more by words that are typed", async () => {
  const at = bookFixture();
  const { task, event } = await happening(at.mina);
  const { out } = await type(["queue", "ls", "tasks", "pending"], {}, at);
  assert.match(out, new RegExp(`^${task} +tasks/pending +pending +now +08:00 +gen-docs$`, "m"));
  assert.match((await type(["queue", "show", event], {}, at)).out, /"key": "OPS-7"/);
  const edited = await type(["queue", "edit", task, "--payload", '{"key":"OPS-8"}'], {}, at);
  assert.equal(edited.out, `${task} was changed.\n`);
  assert.equal((await type(["queue", "mv", task, "cancelled"], {}, at)).exit, 0);
  assert.match((await type(["queue", "redrive", task], {}, at)).out, /runs again as task-/);
  assert.match((await type(["queue", "stats"], {}, at)).out, /^tasks {2}cancelled {2}1$/m);
});

describe("what is typed about the wrong thing hears what is meant", () => {
  test("a worker asks for tasks of a handler that runs here", async () => {
    const at = bookFixture();
    await happening(at.mina, { handler: reviewer });
    const { exit, err } = await type(["worker", "claim", "gen-pr"], {}, at);
    assert.equal(exit, 5);
    assert.match(
      err,
      /gen-pr runs on this installation: workers take tasks of handlers without "run"/,
    );
  });
  test("a task that is not there is looked for among runs and tasks", async () => {
    const { exit, err } = await type(["cancel-run", "nope"], {}, bookFixture());
    assert.equal(exit, 3);
    assert.match(
      err,
      /no run or task "nope".*: see daybook run list SCHEDULE, or daybook task list\./,
    );
  });
  test("a question is not shown or cancelled as a notification", async () => {
    const at = bookFixture();
    const { question } = await questioned(at.mina);
    for (const word of ["show", "cancel"]) {
      const { exit, err } = await type([word, question], {}, at);
      assert.equal(exit, 3);
      assert.match(
        err,
        /to show or cancel a question: daybook question show q-20261115-001, daybook question cancel/,
      );
    }
    assert.match((await type(["question", question], {}, at)).out, /gen-docs asks: Which branch/);
  });
  test("a queue has other states", async () => {
    const at = bookFixture();
    const { exit, err } = await type(["queue", "ls", "tasks", "nosuch"], {}, at);
    assert.equal(exit, 2);
    assert.match(
      err,
      /"nosuch" is not a state of tasks. Choose one of: pending, in_progress, completed, needs/,
    );
    assert.equal((await type(["queue", "ls", "messages", "sent"], {}, at)).exit, 0);
    assert.equal((await type(["queue", "ls", "--state", "delivered"], {}, at)).exit, 0);
  });
});

test("tasks at work are found by the state that is shown", async () => {
  const at = bookFixture();
  const { task } = await happening(at.mina);
  await happening(at.mina, { name: "evt-2", task: "task-20261115-002" });
  await type(["worker", "claim", "gen-docs"], {}, at);
  const { exit, out } = await type(["tasks", "--state", "in_progress"], {}, at);
  assert.equal(exit, 0);
  assert.match(out, new RegExp(`^${task}  in_progress  .*gen-docs  in progress on worker:.*\n$`));
});

test("a task in a list has fields of its view, with the same values", async () => {
  const at = bookFixture();
  const { event, task } = await happening(at.mina);
  const { tasks } = await answered<{ tasks: object[] }>(at, "task", "list");
  const shown = await answered<{ tasks: object[] }>(at, "event", "show", event);
  const view = await answered(at, "run", "show", task);
  for (const line of [...tasks, ...shown.tasks]) assert.deepEqual({ ...view, ...line }, view);
  assert.deepEqual([tasks.length, shown.tasks], [1, tasks]);
});

async function answered<Answer extends object>(
  at: BookFixture,
  ...words: readonly string[]
): Promise<Answer> {
  const { out } = await type([...words, "--json"], {}, at);
  return JSON.parse(out) as Answer;
}

test("an event that is told again with another payload says so", async () => {
  const at = bookFixture();
  const tell = async (payload: string): Promise<string> =>
    (await type(["emit", "a.b", "--name", "evt-1", "--payload", payload], {}, at)).out;
  await tell('{"a":1,"b":2}');
  assert.match(
    await tell('{"b":2,"a":1}'),
    /^This event was written before and is pending: evt-1$/m,
  );
  assert.match(
    await tell('{"a":2}'),
    /^This event was written before with another payload and is pending: evt-1$/m,
  );
});

test("what is done once more is redriven next, with yet another payload", async () => {
  const at = bookFixture();
  const { task } = await happening(at.mina, { failed: true });
  const again = (payload: string) => type(["queue", "redrive", task, "--payload", payload], {}, at);
  const [, id] = /as (task-\S+)\.$/m.exec((await again('{"a":1}')).out) ?? assert.fail();
  const { exit, err } = await again('{"a":2}');
  assert.equal(exit, 4);
  assert.match(err, new RegExp(`${task} was run again before, as ${id}: redrive that one`));
});

test("help says that a question is answered too", async () => {
  const { out } = await type(["help", "answer"]);
  assert.match(out, /^ {2}ID +the id of the run or the question, or the last/m);
});
