import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeFixture } from "../../testing/node-fixture.ts";
import { systemOwner } from "../nodes/node.ts";
import { numbers } from "./counter.ts";

test("concurrent nodes give out each number of a day once", async () => {
  const { ledger } = nodeFixture();
  const nodes = [numbers(ledger), numbers(ledger), numbers(ledger)];
  const taken = await Promise.all(
    nodes.flatMap((node) => Array.from({ length: 300 }, () => node.take("task", "2026-02-07"))),
  );
  assert.equal(new Set(taken).size, 900);
  assert.equal(Math.min(...taken), 1);
});

test("each day and each kind has its own numbers", async () => {
  const { ledger } = nodeFixture();
  const given = numbers(ledger);
  assert.equal(await given.label("task", "2026-02-07"), "task-20260207-001");
  assert.equal(await given.label("msg", "2026-02-07"), "msg-20260207-001");
  assert.equal(await given.label("task", "2026-02-08"), "task-20260208-001");
  assert.equal(await given.label("task", "2026-02-07"), "task-20260207-002");
});

test("a restarted node leaves a gap and repeats no number", async () => {
  const { ledger } = nodeFixture();
  const before = await numbers(ledger).label("task", "2026-02-07");
  const after = await numbers(ledger).label("task", "2026-02-07");
  assert.deepEqual([before, after], ["task-20260207-001", "task-20260207-101"]);
});

test("the next request for a number retries after a store failure", async () => {
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

test("counters are in the system's book, hidden from owners", async () => {
  const { ledger } = nodeFixture();
  await numbers(ledger).take("task", "2026-02-07");
  assert.equal((await ledger.of("mina", "mina").list({})).records.length, 0);
  assert.equal((await ledger.of(systemOwner, systemOwner).list({})).records.length, 1);
});

test("frequent requests reserve larger blocks, with fewer store calls", async () => {
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
