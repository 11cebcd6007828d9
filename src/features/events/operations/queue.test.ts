import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bookFixture,
  eight,
  reviewer,
  type BookFixture,
  withHandling,
} from "../../../../test/book-fixture.ts";
import { happening } from "../../../../test/when-records.ts";
import { is, statesOf } from "../../../kernel/kind.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { layoutsOf, pathOf } from "../../../stores/file/layouts.ts";
import { fileLayouts } from "../../index.ts";
import { makeNotification } from "../../notifications/kind.ts";
import { makeTask, taskKind } from "../../tasks/kind.ts";
import { queueEdit, queueMv } from "./queue-change.ts";
import { folderOf, isQueued, queueLayouts, queueOf } from "./queue-entry.ts";
import { queueLs, queueShow } from "./queue-list.ts";
import { queueStats } from "./queue-stats.ts";

const list = async (at: BookFixture, asked: object = {}): Promise<readonly string[]> =>
  (await queueLs.run(queueLs.input.parse(asked), at.mina)).entries.map(
    ({ queue, place, id }) => `${queue}/${place}/${id}`,
  );
const where = { target: "stdout:daemon", origin: null };

async function message(
  at: BookFixture,
  id: string,
  ends?: "failed" | "delivered",
): Promise<string> {
  const { body, ...draft } = makeNotification({ message: id, at: eight, atText: "now", ...where });
  const how =
    ends === undefined ? { ...draft, body } : { kind: "notification" as const, body, ends };
  await at.ledger.of("mina", "x").append({ ...how, id });
  return id;
}

async function refused(asked: Promise<unknown>, code: ErrorCode, says: RegExp): Promise<void> {
  await assert.rejects(asked, (error) => hasCode(error, code) && says.test(error.message));
}

describe("the queues", () => {
  test("have the folders of a file store on every store", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1" });
    const [record] = (await at.ledger.of("mina", "x").list({ kind: taskKind })).records;
    assert.ok(record);
    const lease = { holder: "x", fence: 1, claimedAt: 0 };
    const layouts = layoutsOf(fileLayouts, { keepsNames: true });
    for (const definition of Object.values(queueLayouts).map((layout) => layout.kind)) {
      const { name: kind } = definition;
      for (const state of statesOf(definition)) {
        for (const held of [null, lease]) {
          const isHeld = held !== null && (kind === "task" || kind === "event");
          const seen = {
            ...record,
            kind,
            id: "x",
            state,
            lease: isHeld ? held : null,
          } as AnyRecord;
          assert.ok(isQueued(seen));
          assert.equal(pathOf(layouts, seen), `queue/${queueOf(seen)}/${folderOf(seen)}/x.json`);
        }
      }
    }
  });
  test("are listed together, by name, and by state or folder", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1" });
    await happening(at.mina, { name: "evt-2", task: "task-2", failed: true });
    await message(at, "msg-1");
    await message(at, "msg-2", "delivered");
    assert.deepEqual(await list(at), [
      "events/completed/evt-2",
      "events/dispatched/evt-1",
      "tasks/completed/task-2",
      "tasks/pending/task-1",
      "messages/sent/msg-2",
      "messages/pending/msg-1",
    ]);
    assert.deepEqual(await list(at, { queue: "tasks" }), [
      "tasks/completed/task-2",
      "tasks/pending/task-1",
    ]);
    assert.deepEqual(await list(at, { queue: "tasks", state: "failed" }), [
      "tasks/completed/task-2",
    ]);
    assert.deepEqual(await list(at, { queue: "messages", state: "sent" }), ["messages/sent/msg-2"]);
    assert.deepEqual(await list(at, { queue: "events", state: "pending" }), []);
    const first = await queueLs.run(queueLs.input.parse({ queue: "tasks", limit: 1 }), at.mina);
    const after = { queue: "tasks", limit: 1, after: first.next ?? "" };
    assert.deepEqual(await list(at, after), ["tasks/pending/task-1"]);
    await refused(list(at, { after: "x" }), "invalid", /name the queue of the page/);
  });
  test("show one entry with its file and result, without secrets", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-2", task: "task-2", failed: true });
    const { file, result, place } = await queueShow.run({ id: "task-2" }, at.mina);
    assert.deepEqual(
      [place, file["event_id"], file["status"], (result as { error: string }).error],
      ["completed", "evt-2", "failed", "no disk"],
    );
    const input = { http: "https://example.org", secret: "whsec_hidden" };
    const task = makeTask({ name: "http", input, at: eight, timeoutMs: 1_000, ...where });
    const { id } = await at.ledger.of("mina", "x").append(task);
    const shown = await queueShow.run({ id }, at.mina);
    assert.doesNotMatch(JSON.stringify(shown), /hidden/);
    await refused(queueShow.run({ id }, at.jun), "not_found", /List them: daybook queue list/);
  });
  test("are counted by state, with the oldest age, in the caller's book", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1" });
    at.clock.advance(90_000);
    await happening(at.mina, { name: "evt-2", task: "task-2" });
    await happening(at.jun, { name: "evt-3", task: "task-3" });
    const { counts, lines, cut } = await queueStats.run({}, at.mina);
    assert.deepEqual(counts, [
      { queue: "events", state: "dispatched", count: 2, oldest_seconds: 90 },
      { queue: "tasks", state: "pending", count: 2, oldest_seconds: 90 },
    ]);
    assert.deepEqual(
      [lines[1], cut],
      [{ name: "task@gen-docs", due: 2, later: 0, at_work: 0 }, false],
    );
  });
});

describe("moving an entry", () => {
  const mv = (at: BookFixture, id: string, state: string) => queueMv.run({ id, state }, at.mina);

  test("cancels it while it is live, an event with its task", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1" });
    assert.deepEqual((await mv(at, "evt-1", "cancelled")).place, "completed");
    assert.equal((await queueShow.run({ id: "task-1" }, at.mina)).state, "cancelled");
    await message(at, "msg-1");
    assert.equal((await mv(at, "msg-1", "cancelled")).state, "cancelled");
  });
  test("runs it again when it has ended", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1", failed: true });
    const again = await mv(at, "task-1", "pending");
    assert.deepEqual([again.of, again.result, again.state], ["task-1", "redriven", "pending"]);
    await message(at, "msg-1", "failed");
    const said = await mv(at, "msg-1", "pending");
    assert.deepEqual([said.of, said.queue, said.place], ["msg-1", "messages", "pending"]);
  });
  test("to an impossible state is refused with the possible move", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1" });
    await happening(at.mina, { name: "evt-2", task: "task-2", failed: true });
    await message(at, "msg-1", "delivered");
    await refused(
      mv(at, "task-1", "completed"),
      "invalid",
      /the only move is daybook queue move task-1 cancelled/,
    );
    await refused(
      mv(at, "task-2", "cancelled"),
      "ended",
      /the only move is daybook queue move task-2 pending/,
    );
    await refused(mv(at, "msg-1", "pending"), "ended", /it cannot be moved any more/);
    await refused(mv(at, "nothing", "pending"), "not_found", /There is no event, task or message/);
  });
});

describe("editing an entry", () => {
  test("changes its payload and priority, and the command made from the payload", async () => {
    const at = bookFixture();
    const run = { command: ["./review.sh", "{{payload.key}}"] };
    const mina = withHandling(at.mina, { handlers: [{ ...reviewer, run }] });
    await happening(mina, { handler: { ...reviewer, run } });
    const id = "task-20261115-001";
    await queueEdit.run({ id, payload: { key: "OPS-9" }, priority: "low" }, mina);
    const record = await at.ledger.of("mina", "x").get(id);
    assert.ok(is(taskKind, record));
    assert.deepEqual(
      [record.priority, record.body.event?.payload, record.body.input],
      ["low", { key: "OPS-9" }, { command: ["./review.sh", "OPS-9"] }],
    );
  });
  test("is refused if it runs, has ended or has no such content", async () => {
    const at = bookFixture();
    await happening(at.mina, { name: "evt-1", task: "task-1", failed: true });
    const edit = (id: string, asked: object) => queueEdit.run({ id, ...asked }, at.mina);
    await refused(edit("task-1", { priority: "high" }), "ended", /queue redrive task-1 --payload/);
    await happening(at.mina, { name: "evt-2", task: "task-2" });
    await refused(edit("evt-2", { priority: "high" }), "leased", /its state is dispatched/);
    const queue = { kind: taskKind, queue: "task@gen-docs" } as const;
    await at.ledger.work.claim({ ...queue, holder: "box", leaseMs: 1_000, limit: 1 });
    await refused(edit("task-2", { priority: "high" }), "leased", /box is working on it/);
    await message(at, "msg-1");
    await refused(edit("msg-1", { payload: {} }), "invalid", /daybook notification edit msg-1/);
    await refused(edit("msg-1", {}), "invalid", /There is no change: give a payload/);
    assert.equal((await edit("msg-1", { priority: "high" })).priority, "high");
  });
});
