import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { z } from "zod";
import { eventId } from "../features/events/kind.ts";
import { fileLayouts } from "../features/index.ts";
import { taskResult } from "../features/tasks/file.ts";
import { taskKind } from "../features/tasks/kind.ts";
import { emptyOutcome } from "../features/tasks/outcome.ts";
import { is } from "../kernel/kind.ts";
import type { AnyRecord } from "../kernel/record.ts";
import { layoutsOf, viewOf } from "../stores/file/layouts.ts";

const layouts = layoutsOf(fileLayouts, { keepsNames: true });

const at = Date.UTC(2026, 1, 7, 10);
const shared = {
  owner: "me",
  by: "x",
  key: null,
  parent: null,
  priority: "normal",
  queue: "q",
  lane: null,
  revision: 1,
  attempt: 0,
  lapses: 0,
  outcome: null,
  cancelling: false,
  lease: null,
  readyAt: at,
  wakeAt: at,
  createdAt: at,
  updatedAt: at,
  endedAt: null,
};
const lease = { holder: "w", fence: 1, claimedAt: at };

function record(kind: string, id: string, more: object): AnyRecord {
  return { ...shared, kind, id, ...more } as unknown as AnyRecord;
}

const eventBody = {
  name: "evt-github-1",
  type: "github.pr.comment",
  source: "github",
  repo: "o/r",
  payload: { pr_number: "7" },
  at,
  origin: null,
  hops: 0,
};
const about = {
  id: "evt-github-1",
  name: "evt-github-1",
  type: "github.pr.comment",
  handler: "gen-pr",
  hops: 0,
  repo: "o/r",
  payload: { pr_number: "7" },
  taskType: "github.pr.comment",
  channels: [],
  thread: null,
};
const taskBody = {
  name: "gen-pr",
  input: null,
  at,
  target: "inbox:me",
  origin: null,
  timeoutMs: 1,
  event: about,
};
const messageBody = {
  message: "done",
  at,
  atText: "now",
  target: "slack:C1",
  origin: null,
  relatedTaskId: "task-20260207-001",
};

test("an event, a task and a message are shown in the words of the seed", () => {
  const event = viewOf(
    layouts,
    record("event", "evt-github-1", { state: "pending", body: eventBody }),
  );
  assert.deepEqual(event, {
    id: "evt-github-1",
    type: "github.pr.comment",
    source: "github",
    repo: "o/r",
    payload: { pr_number: "7" },
    priority: "normal",
    created_at: "2026-02-07T10:00:00.000Z",
    received_at: "2026-02-07T10:00:00.000Z",
    status: "pending",
  });
  const task = viewOf(
    layouts,
    record("task", "task-20260207-001", { state: "pending", body: taskBody, attempt: 2, lease }),
  );
  assert.equal(task["event_id"], "evt-github-1");
  assert.equal(task["target_general"], "gen-pr");
  assert.deepEqual([task["status"], task["retry_count"]], ["in_progress", 1]);
  const said = { receipt: 1, reason: "no such channel", maybeDelivered: false };
  const message = viewOf(
    layouts,
    record("notification", "msg-20260207-001", {
      state: "failed",
      body: { ...messageBody, seedType: "thread_start" },
      outcome: said,
      endedAt: at,
    }),
  );
  assert.equal(message["type"], "thread_start");
  assert.equal(message["task_id"], "task-20260207-001");
  assert.deepEqual([message["status"], message["reason"]], ["failed", "no such channel"]);
});

const places: [what: string, target: string, receipt: object | null, shown: object][] = [
  ["a channel", "slack:C1", null, { channel: "C1" }],
  ["a thread that was named", "slack:C1:7.1", null, { channel: "C1", thread_ts: "7.1" }],
  ["the thread it arrived in", "slack:C1", { thread: "7.1" }, { channel: "C1", thread_ts: "7.1" }],
  ["no channel of Slack", "telegram:-100:7", { thread: 7 }, { channel: "telegram:-100:7" }],
];
for (const [what, target, receipt, shown] of places) {
  test(`a message shows where it goes, and that nothing comes after it: ${what}`, () => {
    const body = { ...messageBody, target, final: true };
    const outcome = { receipt, reason: null, maybeDelivered: false };
    const { channel, thread_ts, final } = viewOf(
      layouts,
      record("notification", "m", { state: "delivered", body, outcome }),
    );
    assert.deepEqual({ channel, thread_ts }, { thread_ts: undefined, ...shown });
    assert.equal(final, true);
  });
}

const ends = ["completed", "failed", "skipped", "interrupted", "missed", "cancelled"];
const live = ["pending", "needs_human"];

const shipped = (name: string) => {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return z.fromJSONSchema(JSON.parse(readFileSync(url, "utf8")));
};
const schemas = new Map([
  ["event", shipped("event")],
  ["task", shipped("task")],
  ["notification", shipped("message")],
  ["result", shipped("result")],
]);

function assertFits(schema: string, file: unknown, about: string): void {
  const read = schemas.get(schema)?.safeParse(JSON.parse(JSON.stringify(file)));
  const wrong = read?.error === undefined ? "" : z.prettifyError(read.error);
  assert.ok(read?.success, `${schema}, ${about}: ${wrong}`);
}

test("whatever a record is, its file is as the schemas say that we ship, and so is its result", () => {
  const records: AnyRecord[] = [];
  for (const lent of [null, lease]) {
    for (const state of [...live, ...ends]) {
      const outcome = ends.includes(state) ? { ...emptyOutcome, reason: "why" } : null;
      const endedAt = ends.includes(state) ? at : null;
      records.push(record("task", "t", { state, body: taskBody, outcome, lease: lent, endedAt }));
      const bare = { ...taskBody, event: undefined };
      records.push(record("task", "t", { state, body: bare, outcome, endedAt, attempt: 3 }));
    }
  }
  for (const said of [
    { status: "success", summary: "s", proclamation: { channel: "C1", message: "m" } },
    { status: "failed", summary: "", error: "e", notify_channel: "C1" },
    { status: "killed", summary: "", error: "e" },
    { status: "skipped", summary: "", reason: "r", memory_updates: ["m"] },
    { status: "needs_human", summary: "", question: "q", choices: ["a"], session_id: "s" },
  ]) {
    const outcome = { ...emptyOutcome, result: said };
    records.push(record("task", "t", { state: "completed", body: taskBody, outcome, endedAt: at }));
  }
  for (const state of ["pending", "dispatched", "completed", "failed", "cancelled"]) {
    const outcome = { handler: null, task: null, reason: "nobody wants it" };
    records.push(record("event", "e", { state, body: eventBody, outcome }));
    const others = eventId("somebody else", "e", "me");
    records.push(record("event", others, { state, body: eventBody, outcome }));
  }
  for (const state of ["pending", "delivered", "failed", "cancelled", "unconfirmed", "expired"]) {
    records.push(record("notification", "m", { state, body: { ...messageBody, type: "run" } }));
    records.push(record("notification", "m", { state, body: { ...messageBody, context: "so" } }));
    const body = { ...messageBody, target: "slack:C1:7.1", final: true };
    records.push(record("notification", "m", { state, body }));
  }
  for (const each of records) {
    assertFits(each.kind, { ...viewOf(layouts, each), daybook: each }, each.state);
    if (!is(taskKind, each) || each.endedAt === null) continue;
    assertFits("result", taskResult(each), each.state);
  }
});

test("what a task said of its end stands over what is seen of it from outside", () => {
  const asks = { task_id: "x", status: "needs_human", summary: "s", question: "Which?" };
  const outcome = { ...emptyOutcome, result: asks };
  const ended = record("task", "t", { state: "completed", body: taskBody, outcome, endedAt: at });
  assert.ok(is(taskKind, ended));
  const { task_id, status, question } = taskResult(ended);
  assert.deepEqual([task_id, status, question], ["t", "needs_human", "Which?"]);
  assert.equal(viewOf(layouts, ended)["status"], "needs_human");
});
