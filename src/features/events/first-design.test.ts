import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { sleep } from "../../platform/clock.ts";
import {
  owner,
  plainHandler,
  eventFixture,
  type EventFixture,
} from "../../testing/event-fixture.ts";
import { runHooks } from "../../testing/run-hooks.ts";
import { plainProfile } from "../accounts/profile.ts";
import { numbers } from "../notifications/counter.ts";
import { taskController } from "../tasks/controller.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { answerUnit } from "./answer.ts";
import { questionKind } from "./question.ts";

const minuteMs = 60_000;
const success: Ran = { result: "completed", returned: { status: "success", summary: "ok" } };
const halfHour = { ...plainHandler, timeoutMs: 30 * minuteMs };

/** Another node that runs tasks in the same book. */
async function secondNode(at: EventFixture): Promise<void> {
  const { ledger, clock, ports } = at;
  const profile = () => Promise.resolve(plainProfile);
  const hooks = runHooks({ ledger, numbers: numbers(ledger) });
  const controller = taskController(at.runner, { ledger, clock, profile, hooks });
  await runController(controller, ports, { ...at.options, holder: "n2" }).start();
}

describe("leases and time limits", () => {
  test("a dead worker is noticed at the end of its lease, not of its time limit (B7.4)", async () => {
    const at = eventFixture(() => success);
    at.settings = { ...at.settings, handlers: [halfHour], capacity: null };
    await at.start("router", "chat");
    await at.emit();
    await at.pass(1_000);
    const claim = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 8_000 } as const;
    assert.equal((await at.ledger.work.claim({ ...claim, limit: 1 })).records.length, 1);
    await at.start("runner");
    await at.pass(10_000);
    const [noticed] = await at.all(taskKind);
    assert.deepEqual([noticed?.state, noticed?.lease], ["pending", null]);
    await at.pass(minuteMs);
    const [task] = await at.all(taskKind);
    assert.equal(task?.state, "completed");
  });

  test("a busy worker keeps its task up to the time limit (B7.4)", async () => {
    const at = eventFixture(async () => {
      await sleep(at.clock, 29 * minuteMs);
      return success;
    });
    at.settings = { ...at.settings, handlers: [halfHour] };
    await at.start();
    await secondNode(at);
    await at.emit();
    await at.pass(35 * minuteMs);
    const [task] = await at.all(taskKind);
    assert.deepEqual([task?.state, task?.lapses, at.runner.jobs.length], ["completed", 0, 1]);
  });

  test("a blocked run keeps its lease, and a hanging one ends at its time limit (B7.5)", async () => {
    const at = eventFixture(() => new Promise<Ran>(() => undefined));
    const hangs = { ...plainHandler, timeoutMs: 10 * minuteMs, retries: 0 };
    at.settings = { ...at.settings, handlers: [hangs] };
    await at.start();
    await secondNode(at);
    await at.emit();
    await at.pass(9 * minuteMs);
    const [busy] = await at.all(taskKind);
    assert.deepEqual([busy?.endedAt, busy?.lapses, at.runner.jobs.length], [null, 0, 1]);
    await at.pass(2 * minuteMs);
    const [task] = await at.all(taskKind);
    assert.equal(task?.state, "failed");
    assert.match(task?.outcome?.reason ?? "", /timed out after 600 s/);
  });
});

test("tasks never exceed the capacity, on any node and of any origin (B7.17)", async () => {
  let [running, most] = [0, 0];
  const at = eventFixture(async ({ answers }) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(at.clock, 500);
    running -= 1;
    if (answers.length > 0) return success;
    const asks = { status: "needs_human", summary: "", question: "go on?" };
    return { result: "completed", returned: asks };
  });
  at.settings = { ...at.settings, capacity: 2 };
  await at.start();
  await secondNode(at);
  for (let index = 0; index < 8; index += 1) await at.emit({ name: `evt-${index}` });
  await at.pass(minuteMs);
  const open = await at.all(questionKind);
  assert.equal(open.length, 8);
  const given = numbers(at.ledger);
  for (const [index, question] of open.entries()) {
    const taskId = await given.label("task", "2026-02-07");
    const now = at.kernel.now();
    const answering = { answer: "yes", by: owner, now, handler: plainHandler, taskId, capacity: 2 };
    const unit = answerUnit(question, answering);
    if ("refused" in unit) assert.fail(unit.refused);
    await at.ledger.of(owner, owner).edit(unit.edit, { append: [unit.resume] });
    await at.emit({ name: `evt-more-${index}` });
  }
  await at.pass(2 * minuteMs);
  assert.equal(at.runner.jobs.length, 24);
  assert.equal(most, 2);
});

test("every log event of the system has an emitter (B7.24)", () => {
  const root = join(import.meta.dirname, "../..");
  const written = readFileSync(join(root, "kernel/events.ts"), "utf8");
  const [, table = ""] = written.split("const levels");
  const names = [...table.matchAll(/"([a-z ]+)": "(?:debug|info|warn|error)"/g)].map(
    ([, name]) => name ?? "",
  );
  assert.ok(names.length > 10, `${names.length} names were found`);
  const sources = globSync("**/*.ts", { cwd: root, exclude: ["testing/**", "**/*.test.ts"] });
  const code = sources.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  const emitted = (name: string): boolean => new RegExp(`emit\\(\\s*"${name}"`).test(code);
  assert.deepEqual(
    names.filter((name) => !emitted(name)),
    [],
  );
});
