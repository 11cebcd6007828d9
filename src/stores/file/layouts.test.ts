import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fileLayouts } from "../../features/index.ts";
import { hostileNames } from "../../testing/hostile-names.ts";
import { fileName, layoutsOf, pathOf } from "./layouts.ts";

const layouts = layoutsOf(fileLayouts, { keepsNames: true });

const lease = { holder: "w1", fence: 1, claimedAt: 1 };

test("a record's file is in the folder of its kind and state, or in in_progress", () => {
  const paths = [
    ["notification", "pending", null, "queue/messages/pending/a.json"],
    ["notification", "pending", lease, "queue/messages/pending/a.json"],
    ["notification", "delivered", null, "queue/messages/sent/a.json"],
    ["notification", "failed", null, "queue/messages/failed/a.json"],
    ["notification", "cancelled", null, "queue/messages/failed/a.json"],
    ["notification", "expired", null, "queue/messages/failed/a.json"],
    ["event", "pending", null, "queue/events/pending/a.json"],
    ["event", "pending", lease, "queue/events/pending/a.json"],
    ["event", "dispatched", null, "queue/events/dispatched/a.json"],
    ["event", "completed", null, "queue/events/completed/a.json"],
    ["event", "failed", null, "queue/events/completed/a.json"],
    ["event", "cancelled", null, "queue/events/completed/a.json"],
    ["task", "pending", null, "queue/tasks/pending/a.json"],
    ["task", "pending", lease, "queue/tasks/in_progress/a.json"],
    ["task", "needs_human", null, "queue/tasks/in_progress/a.json"],
    ["task", "completed", null, "queue/tasks/completed/a.json"],
    ["task", "failed", null, "queue/tasks/completed/a.json"],
    ["task", "skipped", null, "queue/tasks/completed/a.json"],
    ["question", "open", null, "records/questions/open/a.json"],
    ["person", "active", null, "records/people/active/a.json"],
    ["expiry", "waiting", lease, "records/expiries/in_progress/a.json"],
    ["chore", "waiting", null, "records/chores/waiting/a.json"],
    ["chore", "waiting", lease, "records/chores/in_progress/a.json"],
    ["chore", "cancelled", null, "records/chores/cancelled/a.json"],
    ["node", "running", null, "records/nodes/running/a.json"],
    ["node", "stopped", null, "records/nodes/stopped/a.json"],
    ["node", "lost", null, "records/nodes/lost/a.json"],
  ] as const;
  for (const [kind, state, lease, path] of paths) {
    assert.equal(pathOf(layouts, { kind, id: "a", state, lease }), path);
  }
});

test("hostile kinds and states stay under the records", () => {
  for (const text of hostileNames) {
    const path = pathOf(layouts, { kind: text, id: text, state: text, lease: null });
    assert.match(path, /^records(\/[a-z0-9_~-]{1,86}){2}\/[^/\n]{1,200}\.json$/);
  }
});

const name = /^([a-z0-9_-]{1,64}|[a-z0-9_][a-z0-9_-]{0,60}~[0-9a-f]{24})$/;

test("every id has a safe file name of its own", () => {
  const ids = [
    ...hostileNames,
    "a",
    "a-b_c",
    "x".repeat(64),
    "019a0000-0000-7000-8000-000000000000",
  ];
  const names = ids.map(fileName);
  for (const each of names) assert.match(each, name);
  assert.equal(new Set(names).size, ids.length);
  for (const each of names) if (each.includes("~")) assert.notEqual(fileName(each), each);
  assert.equal(fileName("a-b_c"), "a-b_c");
  assert.match(fileName("evt-jira-QP-1:2"), /^evt-jira-qp-1-2~[0-9a-f]{24}$/);
});

test("the id is in the name as it is where the file system allows it", () => {
  const { nameOf } = layouts;
  const usual = ["evt-github-12345678-2026-02-07T10:00:00Z", "evt-jira-QP-123-20260207100000"];
  for (const id of [...usual, "owner@example.org", "a".repeat(200)]) assert.equal(nameOf(id), id);
  for (const id of ["../a", "a/b", ".a", "a b", "a\n", "a".repeat(201), fileName("A")]) {
    assert.match(nameOf(id), name);
    assert.notEqual(nameOf(id), id);
  }
  const plain = layoutsOf(fileLayouts, { keepsNames: false });
  assert.match(plain.nameOf("evt-QP-1:2"), /^evt-qp-1-2~[0-9a-f]{24}$/);
});

test("no two ids share a file name, even on a disk that ignores case", () => {
  const id = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[a-zA-Z_-]{1,3}$/),
  );
  fc.assert(
    fc.property(id, id, (a, b) => {
      assert.match(fileName(a), name);
      assert.equal(fileName(a) === fileName(b), a === b);
    }),
    { numRuns: 2000 },
  );
});
