import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { owner, eventFixture } from "../../testing/event-fixture.ts";
import { nodeFixture } from "../../testing/node-fixture.ts";
import { chores, planChores, choreKind } from "../nodes/chore.ts";
import { systemOwner } from "../nodes/node.ts";
import { counterKind, numbers } from "../notifications/counter.ts";
import { makeNotification, notificationKind } from "../notifications/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { eventKind } from "./kind.ts";
import { pruneHandled } from "./retention.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const success: Ran = { result: "completed", returned: { status: "success", summary: "done" } };

describe("the retention of events", () => {
  test("deletes them after seven days, and keeps other records", async () => {
    const at = eventFixture(() => success);
    await at.start();
    const name = await at.emit();
    const said = { message: "m", at: 0, atText: "", target: "slack:C1", origin: null };
    const { id: other } = await at.ledger.of(owner, owner).append(makeNotification(said));
    await at.pass(60_000);
    const known = [pruneHandled(at.ledger)];
    await planChores(at.ledger, known);
    await runController(chores(known), at.ports, at.options).start();
    const kinds = async (): Promise<readonly string[]> =>
      (await at.ledger.of(owner, owner).list({})).records.map(
        ({ kind, body }) => `${kind} ${(body as { seedType?: string }).seedType ?? ""}`,
      );
    const thread = "notification thread_start";
    await at.pass(7 * dayMs - hourMs);
    assert.deepEqual((await kinds()).toSorted(), [
      "event ",
      "notification ",
      "notification notification",
      thread,
      "task ",
    ]);
    await at.pass(2 * hourMs);
    assert.deepEqual((await kinds()).toSorted(), ["notification ", thread]);
    await at.pass(8 * dayMs);
    assert.deepEqual(await kinds(), ["notification "]);
    assert.equal((await at.get(notificationKind, other)).state, "delivered");
    // Its name is known for 30 days.
    const again = await at.emit();
    assert.equal(again, name);
    assert.deepEqual(await at.all(eventKind), []);
  });

  test("continues where earlier rounds stopped", async () => {
    const at = nodeFixture();
    const known = [pruneHandled(at.ledger)];
    await planChores(at.ledger, known);
    await runController(chores(known), at.ports, at.options).start();
    await at.pass(3 * hourMs);
    const froms = at.calls.flatMap(({ verb, input }) =>
      verb === "prune" && JSON.stringify(input).includes("event")
        ? [(input as { endedFrom: number }).endedFrom]
        : [],
    );
    const [first, second = 0, third = 0] = froms;
    assert.equal(first, 0);
    assert.deepEqual([third - second, froms.length], [hourMs, 4]);
    const [chore] = (await at.ledger.of(systemOwner, systemOwner).list({ kind: choreKind }))
      .records;
    assert.equal(chore?.outcome?.did, "deleted 0 records and 0 files");
  });

  test("deletes files beside the records", async () => {
    const at = nodeFixture();
    const swept: number[] = [];
    const sweep = (before: number): Promise<number> => Promise.resolve(swept.push(before));
    const known = [pruneHandled(at.ledger, { keepMs: () => dayMs, sweep })];
    await planChores(at.ledger, known);
    await runController(chores(known), at.ports, at.options).start();
    await at.pass(0);
    assert.deepEqual(swept, [at.kernel.now() - dayMs]);
  });

  test("ends counters when their day is over", async () => {
    const at = nodeFixture();
    const given = numbers(at.ledger);
    assert.equal(await given.label("task", "2026-02-07"), "task-20260207-001");
    const known = [pruneHandled(at.ledger)];
    await planChores(at.ledger, known);
    await runController(chores(known), at.ports, at.options).start();
    await at.pass(6 * dayMs);
    await given.label("task", "2026-02-13");
    const book = at.ledger.of(systemOwner, systemOwner);
    const names = async (): Promise<readonly string[]> =>
      (await book.list({ kind: counterKind })).records.map(
        ({ body, state }) => `${body.name} ${state}`,
      );
    assert.deepEqual(await names(), ["task-20260207 kept", "task-20260213 kept"]);
    await at.pass(2 * dayMs);
    assert.deepEqual(await names(), ["task-20260207 cancelled", "task-20260213 kept"]);
    await at.pass(7 * dayMs);
    assert.deepEqual(await names(), ["task-20260213 cancelled"]);
  });
});
