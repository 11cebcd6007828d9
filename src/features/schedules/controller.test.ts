import assert from "node:assert/strict";
import { test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController, type RuntimeOptions } from "../../kernel/runtime.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Service } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import type { Cadence } from "../../time/cadence.ts";
import { plainProfile } from "../accounts/profile.ts";
import { type TaskKind, taskKind } from "../tasks/kind.ts";
import { editedSchedule, pausedSchedule, resumedSchedule } from "./change.ts";
import { scheduler } from "./controller.ts";
import { makeSchedule } from "./draft.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { runNow } from "./slot.ts";

type Schedule = LedgerRecord<ScheduleKind>;
type Task = LedgerRecord<TaskKind>;

const minuteMs = 60_000;

const run = async (at: NodeFixture, options: Partial<RuntimeOptions> = {}): Promise<Service> => {
  const controller = scheduler({ ...at, profile: async () => plainProfile });
  const running = runController(controller, at.ports, { ...at.options, ...options });
  await running.start();
  return running;
};

const book = (at: NodeFixture) => at.ledger.of("mina", "mina");

/** A schedule that fires every minute from now on, unless asked for otherwise. */
async function put(
  at: NodeFixture,
  asked: Partial<Body<ScheduleKind>> = {},
  placed: { holds?: readonly [] } = {},
): Promise<string> {
  const now = at.kernel.now();
  const body: Body<ScheduleKind> = {
    name: `every minute ${at.calls.length}`,
    cadence: { type: "interval", everyMs: minuteMs, anchor: now },
    whenText: "every minute",
    run: { task: "work", input: null },
    notify: "never",
    target: "inbox:mina",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: minuteMs,
    notifyAfterFailures: 3,
    disableAfterFailures: 5,
    ...asked,
  };
  const draft = makeSchedule(body, { owner: "mina", now, limit: 50 });
  return (await book(at).append({ ...draft, ...placed })).id;
}

async function scheduleOf(at: NodeFixture, id: string): Promise<Schedule> {
  const record = await book(at).get(id);
  assert.ok(is(scheduleKind, record));
  return record;
}

async function tasksOf(at: NodeFixture, parent?: string): Promise<readonly Task[]> {
  const query = {
    kind: taskKind,
    limit: 500,
    ...(parent === undefined ? {} : { parent }),
  } as const;
  const { records } = await book(at).list(query);
  return records.filter((record) => is(taskKind, record));
}

/** One line for each slot: its minute, and what became of it. */
async function lines(at: NodeFixture, id: string): Promise<readonly string[]> {
  const { createdAt } = await scheduleOf(at, id);
  return (await tasksOf(at, id)).map(({ body, state, outcome }) => {
    const minute = ((body.slot?.at ?? 0) - createdAt) / minuteMs;
    return [minute, state, outcome?.reason].filter((word) => word != null).join(" ");
  });
}

/** So much time passes, whether anything happens in it or not. */
async function pass(at: NodeFixture, ms: number): Promise<void> {
  at.kernel.after(ms, "time passes", () => undefined);
  await at.pass(ms);
}

const policies = {
  skip: ["1 pending", "2 skipped overlap", "3 skipped overlap"],
  queue: ["1 pending", "2 skipped overlap", "3 skipped overlap"],
  cancel: ["1 cancelled", "2 cancelled", "3 pending"],
  allow: ["1 pending", "2 pending", "3 pending"],
} as const;

for (const overlap of ["skip", "queue", "cancel", "allow"] as const) {
  test(`overlap ${overlap} treats slots that are due during a run`, async () => {
    const at = nodeFixture();
    const id = await put(at, { overlap });
    await run(at);
    await pass(at, 3 * minuteMs + 500);
    assert.deepEqual(await lines(at, id), policies[overlap]);
  });
}

test("a slot is decided at its second, after the previous run freed its name", async () => {
  const at = nodeFixture();
  const id = await put(at);
  await run(at);
  for (let minute = 1; minute <= 3; minute += 1) {
    await pass(at, minuteMs);
    const [task] = (await tasksOf(at, id)).slice(-1);
    assert.equal(task?.state, "pending");
    assert.equal(task.createdAt, task.body.slot?.at);
    await book(at).cancel({ id: task.id });
  }
});

const afterDowntime = {
  latest: [
    ...Array.from({ length: 9 }, (_, i) => `${i + 1} missed a later slot came`),
    "10 pending",
  ],
  all: Array.from({ length: 10 }, (_, i) => `${i + 1} pending`),
  none: [...Array.from({ length: 9 }, (_, i) => `${i + 1} missed a later slot came`), "10 pending"],
} as const;

for (const misfire of ["latest", "all", "none"] as const) {
  test(`after a downtime every slot is a row, and misfire ${misfire} runs some`, async () => {
    const at = nodeFixture();
    const id = await put(at, { misfire });
    await pass(at, 10 * minuteMs + 20_000);
    await run(at);
    await pass(at, 500);
    assert.deepEqual(await lines(at, id), afterDowntime[misfire]);
    const { outcome } = await scheduleOf(at, id);
    assert.equal(outcome?.nextRunAt, at.kernel.now() - 20_500 + minuteMs);
  });
}

/** Something is asked after the scheduler has looked and before it settles. */
function meanwhile(at: NodeFixture, ask: () => void): void {
  at.fault = (verb) => {
    if (verb !== "settle") return;
    at.fault = () => undefined;
    ask();
  };
}

test("an edit before the settle decides the slot", async () => {
  const at = nodeFixture();
  const id = await put(at);
  await run(at);
  const record = await scheduleOf(at, id);
  const edit = editedSchedule(record, { name: "another", overlap: "allow" }, at.kernel.now());
  meanwhile(at, () => void book(at).edit(edit));
  await pass(at, minuteMs + 500);
  const [task] = await tasksOf(at, id);
  assert.equal(task?.body.slot?.name, "another");
  assert.equal((await scheduleOf(at, id)).body.name, "another");
  assert.deepEqual(await lines(at, id), ["1 pending"]);
});

test("an edit to overlap cancel before the settle cancels the run", async () => {
  const at = nodeFixture();
  const id = await put(at, { overlap: "allow" });
  await run(at);
  await pass(at, minuteMs);
  const record = await scheduleOf(at, id);
  meanwhile(
    at,
    () => void book(at).edit(editedSchedule(record, { overlap: "cancel" }, at.kernel.now())),
  );
  await pass(at, minuteMs);
  assert.deepEqual(await lines(at, id), ["1 cancelled", "2 pending"]);
});

test("a pause before the settle skips the slot", async () => {
  const at = nodeFixture();
  const id = await put(at);
  await run(at);
  const record = await scheduleOf(at, id);
  meanwhile(
    at,
    () => void book(at).edit(pausedSchedule(record, { reason: "wait" }, at.kernel.now())),
  );
  await pass(at, 2 * minuteMs + 500);
  assert.deepEqual(await lines(at, id), ["1 skipped paused", "2 skipped paused"]);
  const resumed = resumedSchedule(await scheduleOf(at, id), at.kernel.now());
  await book(at).edit(resumed);
  await pass(at, minuteMs);
  assert.deepEqual((await lines(at, id)).slice(2), ["3 pending"]);
});

test("a delete before the settle runs nothing", async () => {
  const at = nodeFixture();
  const id = await put(at);
  await run(at);
  meanwhile(at, () => void book(at).cancel({ id }));
  await pass(at, 2 * minuteMs);
  assert.equal((await scheduleOf(at, id)).state, "cancelled");
  assert.deepEqual(await tasksOf(at, id), []);
});

test("a pause ends by itself", async () => {
  const at = nodeFixture();
  const id = await put(at);
  const record = await scheduleOf(at, id);
  const until = at.kernel.now() + 90_000;
  await book(at).edit(pausedSchedule(record, { reason: "a while", until }, at.kernel.now()));
  await run(at);
  await pass(at, 90_000);
  assert.equal((await scheduleOf(at, id)).state, "active");
  await pass(at, 31_000);
  assert.deepEqual(await lines(at, id), ["1 skipped paused", "2 pending"]);
});

test("a requested run makes the next slot skip", async () => {
  const at = nodeFixture();
  const id = await put(at);
  await run(at);
  await book(at).append(runNow(await scheduleOf(at, id), at.kernel.now()));
  await assert.rejects(book(at).append(runNow(await scheduleOf(at, id), at.kernel.now())), {
    code: "held",
  });
  await pass(at, minuteMs + 500);
  assert.deepEqual(await lines(at, id), ["0 pending", "1 skipped overlap"]);
});

test("each slot is decided by one of two nodes", async () => {
  const at = nodeFixture();
  const ids = await Promise.all(Array.from({ length: 20 }, () => put(at, { overlap: "allow" })));
  for (const holder of ["n1", "n2"]) await run(at, { holder });
  await pass(at, 5 * minuteMs + 500);
  for (const id of ids) {
    assert.deepEqual(
      await lines(at, id),
      [1, 2, 3, 4, 5].map((minute) => `${minute} pending`),
    );
  }
});

for (const stepMs of [3_600_000, -3_600_000]) {
  test(`a node's clock that jumps by ${stepMs} ms neither doubles nor loses a slot`, async () => {
    const at = nodeFixture();
    const id = await put(at, { overlap: "allow" });
    await run(at);
    await pass(at, minuteMs + 1);
    at.clock.step(stepMs);
    await pass(at, 2 * minuteMs);
    assert.deepEqual(await lines(at, id), ["1 pending", "2 pending", "3 pending"]);
  });
}

test("a store that fails at every other call neither doubles nor loses a slot", async () => {
  const at = nodeFixture();
  const id = await put(at, { overlap: "allow" });
  await run(at);
  let calls = 0;
  at.fault = (verb) => {
    calls += 1;
    if (verb === "settle" && calls % 2 === 0) throw new Error("The disk is full.");
  };
  await pass(at, 5 * minuteMs);
  at.fault = () => undefined;
  await pass(at, minuteMs);
  const slots = (await tasksOf(at, id)).map(({ body }) => body.slot?.at);
  assert.equal(new Set(slots).size, 6);
  assert.equal(slots.length, 6);
});

test("a one-shot ends after its run, even without a wake", async () => {
  const at = nodeFixture();
  const cadence: Cadence = { type: "once", at: at.kernel.now() + minuteMs };
  const id = await put(at, { cadence });
  await run(at);
  await pass(at, 2 * minuteMs);
  const [task] = await tasksOf(at, id);
  assert.ok(task?.state === "pending");
  assert.equal((await scheduleOf(at, id)).state, "active");
  assert.equal((await scheduleOf(at, id)).outcome?.nextRunAt, null);
  await book(at).cancel({ id: task.id });
  await pass(at, 10 * minuteMs);
  assert.equal((await scheduleOf(at, id)).state, "completed");
});

test("a one-shot that was due while no node ran is missed and ends", async () => {
  const at = nodeFixture();
  const cadence: Cadence = { type: "once", at: at.kernel.now() + minuteMs };
  const id = await put(at, { cadence });
  await pass(at, 70 * minuteMs);
  await run(at);
  await pass(at, 500);
  assert.deepEqual(await lines(at, id), ["1 missed 4140 s late"]);
  assert.equal((await scheduleOf(at, id)).state, "completed");
});

test("a thousand schedules of the same second are decided in a few claims", async () => {
  const at = nodeFixture();
  for (let count = 0; count < 1_000; count += 1) await put(at, {}, { holds: [] });
  await run(at, { concurrency: 256 });
  at.calls.length = 0;
  await pass(at, minuteMs);
  const count = (verb: string) => at.calls.filter((call) => call.verb === verb).length;
  const { queues } = await at.ledger.work.stats();
  assert.equal(queues.find(({ queue }) => queue === "task@work")?.due, 1_000);
  assert.ok(count("claim") <= 8, `${count("claim")} claims`);
  assert.ok(count("settle") <= 8, `${count("settle")} settles`);
});
