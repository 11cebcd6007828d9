import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import type { Body } from "../../kernel/shape.ts";
import { owner, eventFixture, type EventFixture } from "../../testing/event-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { numbers } from "../notifications/counter.ts";
import { scheduler } from "../schedules/controller.ts";
import { makeSchedule } from "../schedules/draft.ts";
import type { ScheduleEvent } from "../schedules/handler-slot.ts";
import { type ScheduleKind, scheduleKind } from "../schedules/kind.ts";
import { runNow, slotTask } from "../schedules/slot.ts";
import { type TaskKind, taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { healthy } from "./health.ts";
import { eventKind } from "./kind.ts";
import { questionKind } from "./question.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const about: ScheduleEvent = {
  handler: "gen-report",
  name: "daily",
  taskType: "report",
  payload: { days: 1 },
  repo: "acme/shop",
  channels: [],
  retries: 2,
  capacity: 3,
};

interface Scenario {
  readonly at: EventFixture;
  readonly id: string;
}

/** A handler's schedule that fires every hour. */
async function scheduled(
  answer: Parameters<typeof eventFixture>[0],
  asked: Partial<Body<ScheduleKind>> = {},
  isNumbered = true,
): Promise<Scenario> {
  const at = eventFixture(answer);
  const { ledger, ports, options } = at;
  const now = at.kernel.now();
  const body: Body<ScheduleKind> = {
    name: "gen-report:daily",
    cadence: { type: "interval", everyMs: hourMs, anchor: now },
    whenText: "every hour",
    run: { task: "fake", input: null },
    notify: "never",
    target: "slack:C1",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: true,
    timeoutMs: minuteMs,
    notifyAfterFailures: 0,
    disableAfterFailures: 0,
    event: about,
    ...asked,
  };
  const draft = makeSchedule(body, { owner, now, limit: 50 });
  const { id } = await ledger.of(owner, owner).append(draft);
  const profile = () => Promise.resolve(plainProfile);
  const given = isNumbered ? { numbers: numbers(ledger) } : {};
  await runController(scheduler({ ledger, profile, ...given }), ports, options).start();
  return { at, id };
}

async function oneTask(at: EventFixture): Promise<LedgerRecord<TaskKind>> {
  const [task = assert.fail("no task"), ...others] = await at.all(taskKind);
  assert.equal(others.length, 0);
  return task;
}

function said({ chat }: EventFixture): readonly string[] {
  return chat.sent.map(({ to, text }) => `${to} ${text.split("\n")[0]}`);
}

function returned(result: object): Ran {
  return { result: "completed", returned: result as { readonly [name: string]: string } };
}

describe("a slot of a handler's schedule", () => {
  test("is a task of the handler, with its schedule", async () => {
    const { at, id } = await scheduled(() => returned({ status: "success", summary: "3 orders" }));
    await at.start();
    await at.pass(hourMs + 10_000);
    const task = await oneTask(at);
    assert.match(task.id, /^task-\d{8}-001$/);
    assert.deepEqual([task.state, task.priority, task.parent], ["completed", "low", id]);
    const { event } = task.body;
    assert.deepEqual(
      [event?.id, event?.name, event?.taskType, event?.handler, event?.repo, event?.payload],
      ["schedule-daily", "schedule-daily", "report", "gen-report", "acme/shop", { days: 1 }],
    );
    const [job = assert.fail()] = at.runner.jobs;
    const told = job.event as { event_id: string; target_general: string; type: string };
    assert.deepEqual(
      [told.event_id, told.target_general, told.type],
      ["schedule-daily", "gen-report", "report"],
    );
    assert.deepEqual(said(at), [
      "C1 📋 gen-report: report (acme/shop)",
      "C1:1.000000 ✅ gen-report: 3 orders",
    ]);
  });

  test("counts in its schedule, and writes no event", async () => {
    const { at, id } = await scheduled(() => ({ result: "failed", reason: "no", retry: false }));
    await at.start();
    await at.pass(hourMs + 10_000);
    const { outcome, state } = await at.get(scheduleKind, id);
    assert.deepEqual(
      [state, outcome?.lastRunState, outcome?.consecutiveFailures],
      ["active", "failed", 1],
    );
    assert.deepEqual(said(at).slice(1), ["C1:1.000000 ❌ gen-report: no"]);
  });

  test("ends no event of the same name", async () => {
    const { at } = await scheduled(() => returned({ status: "success", summary: "ok" }));
    at.settings = { ...at.settings, health: "red" };
    const event = await at.emit({ name: "schedule-daily" });
    await at.start();
    await at.pass(hourMs + 10_000);
    assert.equal((await oneTask(at)).state, "completed");
    assert.equal((await at.get(eventKind, event)).state, "pending");
  });

  test("is retried after a minute, as often as the handler allows", async () => {
    const { at, id } = await scheduled(({ attempt }) =>
      attempt < 3
        ? { result: "failed", reason: "no" }
        : returned({ status: "success", summary: "ok" }),
    );
    await at.start();
    await at.pass(hourMs + 5 * minuteMs);
    assert.deepEqual(
      at.runner.jobs.map(({ attempt }) => attempt),
      [1, 2, 3],
    );
    assert.equal((await oneTask(at)).state, "completed");
    assert.equal((await at.get(scheduleKind, id)).outcome?.consecutiveFailures, 0);
    assert.equal(said(at).length, 2);
  });

  test("is retried after its node went away, as often as the handler allows", async () => {
    const { at } = await scheduled(() => returned({ status: "success", summary: "ok" }));
    await at.pass(hourMs + 1_000);
    const lease = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 5_000 } as const;
    await at.ledger.work.claim({ ...lease, limit: 1 });
    await at.start();
    await at.pass(5 * minuteMs);
    assert.equal((await oneTask(at)).state, "completed");
  });

  test("waits for capacity, and blocks other runs of its schedule", async () => {
    const event = { ...about, capacity: 1 };
    const { at, id } = await scheduled(() => returned({ status: "success", summary: "ok" }), {
      event,
    });
    await at.pass(hourMs + 1_000);
    const { body } = await oneTask(at);
    assert.deepEqual(body.turns, [`run:${id}`, { oneOf: ["soldier#1"] }]);
    await at.pass(hourMs);
    const states = (await at.all(taskKind)).map(
      ({ state, outcome }) => `${state} ${outcome?.reason}`,
    );
    assert.deepEqual(states.toSorted(), ["pending undefined", "skipped overlap"]);
  });

  test("waits on a busy machine, unless a person requested it", async () => {
    const { at, id } = await scheduled(() => returned({ status: "success", summary: "ok" }), {
      overlap: "allow",
    });
    at.machine = { health: "yellow", reason: "cpu 70 % > 60 %" };
    await at.start("runner");
    await at.pass(hourMs + minuteMs);
    assert.equal((await oneTask(at)).state, "pending");
    const book = at.ledger.of(owner, owner);
    const { id: asked } = await book.append(
      runNow(await at.get(scheduleKind, id), at.kernel.now()),
    );
    await at.pass(1_000);
    assert.equal((await at.get(taskKind, asked)).state, "completed");
    at.machine = healthy;
    await at.pass(15_000);
    assert.deepEqual(
      (await at.all(taskKind)).map(({ state }) => state),
      ["completed", "completed"],
    );
  });

  test("frees its capacity but not its turn when it fails", async () => {
    const { at, id } = await scheduled(() => ({ result: "failed", reason: "no" }));
    await at.start("runner");
    await at.pass(hourMs + 10_000);
    const schedule = await at.get(scheduleKind, id);
    const book = at.ledger.of(owner, owner);
    await assert.rejects(book.append(runNow(schedule, at.kernel.now())), { code: "held" });
    const task = await oneTask(at);
    assert.deepEqual([task.state, task.outcome?.hasTurn], ["pending", false]);
  });

  test("asks a person, and the task that resumes has the same slot", async () => {
    const { at } = await scheduled(() =>
      returned({ status: "needs_human", summary: "", question: "Send it?", session_id: "s1" }),
    );
    await at.start();
    await at.pass(hourMs + 10_000);
    const [question = assert.fail()] = await at.all(questionKind);
    assert.deepEqual(
      [question.state, question.body.handler, question.body.sessionId],
      ["open", "gen-report", "s1"],
    );
    assert.equal((await oneTask(at)).state, "completed");
  });

  test("fills arguments of the command from the payload, never the program", async () => {
    const run = { command: ["./{{payload.days}}.sh", "--days={{payload.days}}", "{{task_type}}"] };
    const { at } = await scheduled(() => returned({}), { run });
    await at.pass(hourMs + 1_000);
    const { body } = await oneTask(at);
    assert.equal(body.name, "command");
    assert.deepEqual(body.input, { command: ["./{{payload.days}}.sh", "--days=1", "report"] });
  });

  test("is for external workers when the handler has no run", async () => {
    const { at } = await scheduled(() => returned({}), {
      run: { task: "gen-report", input: null },
      event: { ...about, capacity: null },
      overlap: "allow",
    });
    await at.pass(hourMs + 1_000);
    const { body, queue, id, lane } = await oneTask(at);
    assert.deepEqual([queue, body.name, body.turns], ["task@gen-report", "gen-report", undefined]);
    assert.equal(lane, id);
  });

  test("sends messages to its target when the store gives the ids", async () => {
    const { at } = await scheduled(() => returned({ status: "success", summary: "ok" }), {}, false);
    await at.start();
    await at.pass(hourMs + 10_000);
    assert.equal((await oneTask(at)).body.event?.thread, null);
    assert.deepEqual(said(at), ["C1 ✅ gen-report: ok"]);
  });

  test("is a task of the handler when it was missed, without the payload", async () => {
    const { at, id } = await scheduled(() => returned({}));
    const schedule = await at.get(scheduleKind, id);
    const ends = { state: "missed", reason: "it was late", at: 2 } as const;
    const { body, priority } = slotTask(schedule, { at: 1, because: "cadence", ends });
    const { event, turns, input } = body;
    assert.deepEqual(
      [event?.handler, event?.payload, turns, input],
      ["gen-report", {}, undefined, null],
    );
    assert.equal(priority, "low");
  });
});
