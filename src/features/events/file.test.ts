import assert from "node:assert/strict";
import { test } from "node:test";
import { messageFromFile } from "../notifications/file.ts";
import { eventFile, eventFromFile, taskFromFile } from "./file.ts";

const now = Date.UTC(2026, 1, 7, 10);
const making = { owner: "mina", home: "mina", now };
const handler = {
  name: "gen-pr",
  subscribes: ["a.b"],
  timeoutMs: 60_000,
  retries: 2,
  target: null,
  channels: [],
  repo: "a/b",
};

test("a dropped event equals the event of a source", () => {
  const file = { id: "evt-1", type: "a.b", source: "shell", created_at: "2026-02-07T09:00:00Z" };
  const { id, body, priority } = eventFromFile(file, making);
  assert.deepEqual([id, priority, body.at, body.payload], ["evt-1", "normal", now - 3_600_000, {}]);
  assert.equal(eventFromFile({ ...file, created_at: "2027-01-01T00:00:00Z" }, making).body.at, now);
  assert.equal(eventFromFile({ ...file, created_at: "yesterday" }, making).body.at, now);
  assert.equal(eventFromFile({ ...file, priority: "high" }, making).priority, "high");
  assert.throws(() => eventFromFile({ ...file, id: "../evt" }, making), { code: "invalid" });
});

test("a dropped task goes to its handler, and one without a handler is refused", () => {
  const file = { id: "task-1", target_general: "gen-pr", type: "review" };
  const facts = { now, owner: "mina", defaultTarget: "slack:C1", capacity: null };
  const { id, queue, body } = taskFromFile(file, [handler], facts);
  assert.deepEqual(
    [id, queue, body.event?.repo, body.event?.taskType],
    ["task-1", "task@gen-pr", "a/b", "review"],
  );
  assert.throws(() => taskFromFile({ ...file, target_general: "gen-x" }, [handler], facts), {
    code: "invalid",
    message: /There is no handler "gen-x"/,
  });
});

test("a dropped message goes to a Slack channel, a thread or any target", () => {
  const file = { id: "msg-1", type: "notification", channel: "C1", content: "hi" } as const;
  assert.equal(messageFromFile(file, now).body.target, "slack:C1");
  const thread = { ...file, thread_ts: "1700000000.000100", urgency: "urgent" } as const;
  const { body, priority } = messageFromFile(thread, now);
  assert.deepEqual([body.target, priority], ["slack:C1:1700000000.000100", "high"]);
  assert.equal(messageFromFile({ ...file, channel: "ntfy:me" }, now).body.target, "ntfy:me");
});

test("the schema of the file accepts only valid events", () => {
  const event = { id: "evt-1", type: "a.b", source: "shell" };
  assert.ok(eventFile.safeParse(event).success);
  for (const wrong of [
    { type: "T.Upper" },
    { source: "My Source" },
    { id: "a..b" },
    { repo: "" },
  ]) {
    const read = eventFile.safeParse({ ...event, ...wrong });
    assert.ok(!read.success, JSON.stringify(wrong));
  }
  const long = { type: `a.${"b".repeat(99)}` };
  assert.ok(!eventFile.safeParse({ ...event, ...long }).success);
});
