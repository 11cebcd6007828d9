import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  owner,
  plainHandler,
  eventFixture,
  type EventFixture,
} from "../../testing/event-fixture.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { healthy } from "./health.ts";
import { eventKind } from "./kind.ts";

const done: Ran = { result: "completed", returned: { status: "success", summary: "done" } };
const minuteMs = 60_000;

async function states({ all }: EventFixture): Promise<readonly string[]> {
  return (await all(taskKind)).map(({ state }) => state);
}

describe("tasks of handlers on a busy machine", () => {
  for (const capacity of [3, null]) {
    for (const [health, priority, begins] of [
      ["red", "high", false],
      ["yellow", "normal", false],
      ["yellow", "high", true],
    ] as const) {
      const what = begins ? "starts" : "waits with the reason until it is healthy";
      test(`${health}: a task of ${priority} priority ${what} (capacity: ${capacity})`, async () => {
        const at = eventFixture(() => done);
        at.settings = { ...at.settings, capacity };
        at.machine = { health, reason: "cpu 93 % > 80 %" };
        await at.start();
        await at.emit({}, { priority });
        await at.pass(minuteMs);
        assert.deepEqual(await states(at), [begins ? "completed" : "pending"]);
        if (begins) return;
        const [task = assert.fail()] = await at.all(taskKind);
        const { changes } = await at.ledger.of(owner, owner).changes({ id: task.id });
        assert.match(changes.at(-1)?.note ?? "", /^waits: the machine .* \(cpu 93 % > 80 %\)$/);
        at.machine = healthy;
        await at.pass(15_000);
        assert.deepEqual(await states(at), ["completed"]);
        assert.deepEqual(
          at.runner.jobs.map(({ attempt }) => attempt),
          [1],
        );
      });
    }
  }

  test("a retry waits, and a running task continues", async () => {
    const at = eventFixture(({ attempt }) =>
      attempt === 1 ? { result: "failed", reason: "no" } : done,
    );
    await at.start();
    await at.emit();
    await at.pass(1_000);
    at.machine = { health: "red", reason: null };
    await at.pass(5 * minuteMs);
    assert.equal(at.runner.jobs.length, 1);
    at.machine = healthy;
    await at.pass(15_000);
    assert.deepEqual(
      at.runner.jobs.map(({ attempt }) => attempt),
      [1, 2],
    );
  });

  test("a task cancelled while it waits ends its event", async () => {
    const at = eventFixture(() => done);
    at.settings = { ...at.settings, handlers: [plainHandler] };
    at.machine = { health: "red", reason: null };
    await at.start();
    const event = await at.emit();
    await at.pass(minuteMs);
    const [task = assert.fail()] = await at.all(taskKind);
    at.fault = (verb) => {
      if (verb !== "settle") return;
      at.fault = () => undefined;
      void at.ledger.of(owner, owner).cancel({ id: task.id });
    };
    await at.pass(minuteMs);
    assert.equal((await at.get(taskKind, task.id)).state, "cancelled");
    assert.equal((await at.get(eventKind, event)).state, "cancelled");
  });
});
