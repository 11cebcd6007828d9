import assert from "node:assert/strict";
import { test } from "node:test";
import { eventTask } from "../../features/events/event-task.ts";
import type { Handler } from "../../features/events/handler.ts";
import type { EventKind } from "../../features/events/kind.ts";
import { resultOf } from "../../features/events/result.ts";
import { taskJson, type Payload } from "../../features/tasks/task-event.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { jobOf, runContext } from "../../testing/runners/conformance.ts";
import { commandRunner } from "./command.ts";

/** Runs a handler's program for an event. */
async function run(code: string, args: readonly string[], payload: Payload) {
  const handler: Handler = {
    name: "gen-pr",
    subscribes: ["a.b"],
    run: { command: [process.execPath, "-e", code, "--", ...args] },
    timeoutMs: 60_000,
    retries: 0,
    target: null,
    channels: [],
    repo: null,
  };
  const told = { name: "evt-1", type: "a.b", source: "test", repo: null, origin: null };
  const body = { ...told, payload, at: 0, hops: 0 };
  const event: Pick<LedgerRecord<EventKind>, "id" | "body" | "priority" | "outcome"> = {
    id: "evt-1",
    body,
    priority: "normal",
    outcome: null,
  };
  const making = { id: "task-1", now: 0, target: "slack:C1", thread: null, capacity: null };
  const task = eventTask(event, handler, making);
  const spawn = childProcess({ clock: systemClock() });
  const runner = commandRunner({
    spawn,
    allow: "everything",
    env: {},
    folder: () => import.meta.dirname,
  });
  const { context, output } = runContext();
  const json = taskJson({ id: "task-1", priority: "normal", createdAt: 0, body: task.body });
  const ran = await runner.run({ ...jobOf(task.body.input), event: json }, context);
  if (ran.result !== "completed" && ran.result !== "failed") assert.fail(ran.result);
  return { ran, result: resultOf(ran, { text: output() }, "task-1") };
}

const hostile = [
  `it's "quoted" & more; $(touch x) \`id\``,
  "two\nlines\r\nand a tab\t",
  "s/&/\\1/g | * ? [a-z] ~ #",
  "--help",
  "한국어 👩‍👩‍👧 \u2028 end",
  "{{payload.other}} {{type}}",
];

for (const title of hostile) {
  test(`an event's text is one literal argument: ${JSON.stringify(title)} (B7.20)`, async () => {
    const said = `console.log(JSON.stringify(process.argv.slice(1)))`;
    const { ran } = await run(said, ["{{payload.title}}", "about {{payload.title}}!"], {
      title,
      other: "never",
    });
    assert.deepEqual(JSON.parse(ran.lastLine ?? ""), [title, `about ${title}!`]);
  });
}

test("other output of a program is not part of its result (B7.20)", async () => {
  const line = JSON.stringify({ status: "success", summary: "clean" });
  const code = `console.log("status=failed"); console.error("{}"); console.log(${JSON.stringify(line)});`;
  const { result } = await run(code, [], {});
  assert.deepEqual(result, { status: "success", summary: "clean", task_id: "task-1" });
});

test("a program gets a path to its complete event, without cuts (B7.22)", async () => {
  const memory = Array.from({ length: 2_000 }, (_, line) => `remember ${line}: ${"x".repeat(40)}`);
  const code = `
    const task = JSON.parse(require("fs").readFileSync(process.env.DAYBOOK_TASK_FILE, "utf8"));
    const { memory, last } = task.payload;
    const summary = [memory.length, memory[0].slice(0, 10), memory.at(-1).slice(0, 13), last].join();
    console.log(JSON.stringify({ status: "success", summary }));`;
  const { result } = await run(code, [], { memory, last: "the end" });
  assert.equal(result.summary, "2000,remember 0,remember 1999,the end");
});
