import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { resultOf } from "../../features/events/result.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";
import { jobOf, runContext } from "../../testing/runners/conformance.ts";
import { commandRunner } from "./command.ts";

const task: Json = { id: "task-20260207-001", payload: { pr_number: "42" } };

async function run(code: string, secrets: Record<string, string> = {}) {
  const runner = commandRunner({
    spawn: childProcess({ clock: systemClock() }),
    allow: "everything",
    env: {},
    secrets,
    folder: () => import.meta.dirname,
  });
  const { context, output } = runContext();
  const input = { command: [process.execPath, "-e", code] };
  const ran = await runner.run({ ...jobOf(input), event: task }, context);
  if (ran.result !== "completed" && ran.result !== "failed") assert.fail(ran.result);
  return { ran, result: resultOf(ran, { text: output() }, "task-20260207-001") };
}

test("a program gets its task on standard input and in a temporary file", async () => {
  const { ran } = await run(`
    const fs = require("fs");
    const file = process.env.DAYBOOK_TASK_FILE;
    const same = fs.readFileSync(0, "utf8") === fs.readFileSync(file, "utf8");
    console.log(JSON.stringify({ same, file, task: JSON.parse(fs.readFileSync(file, "utf8")) }));
  `);
  const said = JSON.parse(ran.lastLine ?? "") as { same: boolean; file: string; task: unknown };
  assert.deepEqual([said.same, said.task], [true, task]);
  assert.equal(existsSync(said.file), false);
});

test("a program's result is its last non-blank output line", async () => {
  const summary = "x".repeat(10_000);
  const { result } = await run(`
    console.error("noise"); console.log("working");
    console.log(JSON.stringify({ status: "success", summary: ${JSON.stringify(summary)} }) + "\\n\\n");
    console.error("more noise");
  `);
  assert.deepEqual(result, { status: "success", summary, task_id: "task-20260207-001" });
});

test("a result counts even after a non-zero exit", async () => {
  const line = JSON.stringify({ status: "skipped", summary: "", reason: "a draft" });
  const { result } = await run(`console.log(${JSON.stringify(line)}); process.exitCode = 3;`);
  assert.equal(result.status, "skipped");
});

test("without a result, the exit status decides", async () => {
  const good = await run(`console.log("all is well")`);
  assert.deepEqual(good.result, {
    task_id: "task-20260207-001",
    status: "success",
    summary: "all is well",
  });
  const bad = await run(`console.log("{ half"); console.error("no disk"); process.exitCode = 2;`);
  assert.equal(bad.result.status === "failed" && bad.result.error, "exit 2: no disk");
});

test("a result repeats no secret", async () => {
  const { result } = await run(
    `console.log(JSON.stringify({ status: "success", summary: process.env.TOKEN }))`,
    { TOKEN: "hunter2hunter2" },
  );
  assert.doesNotMatch(JSON.stringify(result), /hunter2/);
});
