import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileHolder } from "../../kernel/files.ts";
import type { Claimed } from "../../kernel/record.ts";
import {
  owner,
  plainHandler,
  eventFixture,
  type EventFixture,
} from "../../testing/event-fixture.ts";
import { runHooks } from "../../testing/run-hooks.ts";
import { plainProfile } from "../accounts/profile.ts";
import { numbers } from "../notifications/counter.ts";
import { attemptOf, type TaskKind, taskKind } from "../tasks/kind.ts";
import { eventKind } from "./kind.ts";
import { workerEnd, workerWatch } from "./workers.ts";

const leaseMs = 20_000;
const minuteMs = 60_000;

interface Scenario {
  readonly at: EventFixture;
  readonly event: string;
  readonly task: string;
  /** A worker takes it; nothing: it is not to be had. */
  take(holder?: string): Promise<Claimed<TaskKind> | undefined>;
}

/** An event whose task waits for workers, and a node that watches over those. */
async function dispatched(retries = 1): Promise<Scenario> {
  const at = eventFixture(() => assert.fail("nothing runs here"));
  const { run: _, ...rest } = plainHandler;
  at.settings = { ...at.settings, handlers: [{ ...rest, retries, timeoutMs: leaseMs }] };
  await at.start("router", "chat");
  const { ledger, clock, ports } = at;
  const profile = () => Promise.resolve(plainProfile);
  const hooks = runHooks({ ledger, numbers: numbers(ledger) });
  const ends = workerEnd({ ...ports, ledger, profile, hooks });
  const handlers = () => at.settings.handlers.map(({ name }) => name);
  await workerWatch({ ledger, clock, events: ports.events, handlers, ends }).start();
  const event = await at.emit();
  await at.pass(1_000);
  const [task = assert.fail()] = await at.all(taskKind);
  const { id, queue } = task;
  return {
    at,
    event,
    task: id,
    async take(holder = "worker:mina:box-1") {
      const claim = { kind: taskKind, queue, lane: id, holder, leaseMs, limit: 1 } as const;
      return (await ledger.work.claim(claim)).records[0];
    },
  };
}

describe("tasks whose worker went away", () => {
  test("are due again after a minute without a claim, for the next attempt", async () => {
    const { at, task, take } = await dispatched();
    assert.ok(await take());
    await at.pass(leaseMs + 15_000);
    const left = await at.get(taskKind, task);
    assert.deepEqual([left.state, left.lease], ["pending", null]);
    assert.equal(left.outcome?.reason, "the worker went away without a result");
    assert.equal(await take(), undefined, "it is tried again too early");
    await at.pass(minuteMs);
    const again = await take();
    assert.equal(again && attemptOf(again), 2);
  });

  test("end after the last attempt, with their events and messages", async () => {
    const { at, task, event, take } = await dispatched(0);
    await take();
    await at.pass(leaseMs + 15_000);
    assert.equal((await at.get(taskKind, task)).state, "failed");
    assert.equal((await at.get(eventKind, event)).state, "failed");
    const last = at.chat.sent.at(-1);
    assert.equal(last?.text, "❌ gen-pr: the worker went away without a result");
  });

  test("end cancelled, with their events, if they were cancelled", async () => {
    const { at, task, event, take } = await dispatched();
    await take();
    const { result } = await at.ledger.of(owner, owner).cancel({ id: task });
    assert.equal(result, "cancelling");
    await at.pass(leaseMs + 15_000);
    assert.equal((await at.get(taskKind, task)).state, "cancelled");
    assert.equal((await at.get(eventKind, event)).state, "cancelled");
  });

  test("are not confused with tasks that wait or are held", async () => {
    const { at, task, take } = await dispatched();
    const { revision } = await at.get(taskKind, task);
    await at.pass(minuteMs);
    const taken = (await take()) ?? assert.fail();
    assert.equal(taken.attempt, 1);
    for (let beat = 0; beat < 4; beat += 1) {
      await at.pass(leaseMs - 5_000);
      await at.ledger.work.keep([{ id: task, fence: taken.lease.fence, leaseMs }]);
    }
    assert.equal((await at.get(taskKind, task)).revision, revision);
  });

  test("are left to the file store if the worker used files", async () => {
    const { at, task, take } = await dispatched();
    await take(`${fileHolder}gen-pr`);
    await at.pass(leaseMs + 15_000);
    assert.equal((await at.get(taskKind, task)).lease?.holder, "file:gen-pr");
  });

  test("do not block each other: one that cannot end now is tried again", async () => {
    const { at, task, take } = await dispatched(0);
    await take();
    await at.pass(leaseMs - 5_000);
    let faults = 0;
    at.fault = (verb) => {
      if (verb === "settle" && (faults += 1) === 1) throw new Error("no disk");
    };
    await at.pass(30_000);
    assert.equal((await at.get(taskKind, task)).state, "failed");
    assert.ok(at.heard.some(({ name }) => name === "act failed"));
  });
});
