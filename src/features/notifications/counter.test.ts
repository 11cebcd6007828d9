import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeFixture } from "../../testing/node-fixture.ts";
import { systemOwner } from "../nodes/node.ts";
import { numbers } from "./counter.ts";

test("numbers of a day are given out once each, by however many nodes at once", async () => {
  const { ledger } = nodeFixture();
  const nodes = [numbers(ledger), numbers(ledger), numbers(ledger)];
  const taken = await Promise.all(
    nodes.flatMap((node) => Array.from({ length: 300 }, () => node.take("task", "2026-02-07"))),
  );
  assert.equal(new Set(taken).size, 900);
  assert.equal(Math.min(...taken), 1);
});

test("each day and each kind counts for itself", async () => {
  const { ledger } = nodeFixture();
  const given = numbers(ledger);
  assert.equal(await given.label("task", "2026-02-07"), "task-20260207-001");
  assert.equal(await given.label("msg", "2026-02-07"), "msg-20260207-001");
  assert.equal(await given.label("task", "2026-02-08"), "task-20260208-001");
  assert.equal(await given.label("task", "2026-02-07"), "task-20260207-002");
});

test("a node that starts again leaves a gap rather than give a number twice", async () => {
  const { ledger } = nodeFixture();
  const before = await numbers(ledger).label("task", "2026-02-07");
  const after = await numbers(ledger).label("task", "2026-02-07");
  assert.deepEqual([before, after], ["task-20260207-001", "task-20260207-101"]);
});

test("a store that fails once is asked again by the next who needs a number", async () => {
  const at = nodeFixture();
  const given = numbers(at.ledger);
  let isDown = true;
  at.fault = () => {
    if (isDown) throw new Error("down");
  };
  await assert.rejects(given.take("task", "2026-02-07"), /down/);
  isDown = false;
  assert.equal(await given.take("task", "2026-02-07"), 1);
});

test("counters are in the system's book, where no owner sees how much another does", async () => {
  const { ledger } = nodeFixture();
  await numbers(ledger).take("task", "2026-02-07");
  assert.equal((await ledger.of("mina", "mina").list({})).records.length, 0);
  assert.equal((await ledger.of(systemOwner, systemOwner).list({})).records.length, 1);
});

test("whoever needs many takes more at once, and asks the store seldom", async () => {
  const at = nodeFixture();
  const given = numbers(at.ledger);
  const count = 5_000;
  const taken = await Promise.all(
    Array.from({ length: count }, () => given.take("msg", "2026-02-07")),
  );
  assert.equal(new Set(taken).size, count);
  assert.equal(Math.max(...taken), count, "without a gap, as long as it lives");
  const edits = at.calls.filter(({ verb }) => verb === "edit").length;
  assert.ok(edits < 10, `${edits} blocks were taken`);
});
