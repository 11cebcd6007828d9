import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueueStats } from "../../kernel/query.ts";
import { loadConfig } from "../config/load.ts";
import { tasksWithoutRunner } from "./tasks-without-runner.ts";

const queue = (name: string, due = 1): QueueStats => ({
  queue: name,
  due,
  later: 1,
  leased: 0,
  oldestWakeAt: due === 0 ? null : 1,
});

function unrun(text: string, ...queues: readonly QueueStats[]): readonly string[] {
  const parts = { env: { DAYBOOK_HOME: "/h" }, flags: {}, cwd: "/h", isTerminal: false };
  const readText = (path: string): string | undefined =>
    path === "/h/daybook.yaml" ? text : undefined;
  return tasksWithoutRunner(loadConfig({ ...parts, readText }).config, { queues });
}

test("tasks that are due and that no runner of these settings has are named", () => {
  const due = ["http", "workspace", "command", "agent", "mail"].map((name) =>
    queue(`task@${name}`),
  );
  assert.deepEqual(unrun("", ...due), ["command", "agent", "mail"]);
  const all = `
runners:
  command: { allow: [./a.sh] }
  agent: { model: m, baseUrl: "https://example.org" }
handlers: { mail: { subscribes: [a] } }`;
  assert.deepEqual(unrun(all, ...due), []);
});

test("what is no task, or is not due yet, is not missed", () => {
  assert.deepEqual(unrun("", queue("notification"), queue("task@mail", 0)), []);
});
