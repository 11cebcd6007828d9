import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sleep } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { plainHandler, eventFixture, type EventFixture } from "../../testing/event-fixture.ts";
import { messageFromFile } from "../notifications/file.ts";
import { notificationKind } from "../notifications/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { taskFromFile } from "./file.ts";
import { eventKind } from "./kind.ts";

const success = { status: "success", summary: "reviewed" };

function returned(result: object): Ran {
  return { result: "completed", returned: result as { readonly [name: string]: string } };
}

/** What was said where, in order. */
function said({ chat }: EventFixture): readonly string[] {
  return chat.sent.map(({ to, text }) => `${to} ${text.split("\n")[0]}`);
}

const minuteMs = 60_000;

describe("the work for an event", () => {
  test("has ids of the day, and one thread that its last message closes", async () => {
    const at = eventFixture(() => returned(success));
    await at.start();
    const id = await at.emit();
    await at.pass(minuteMs);
    const event = await at.get(eventKind, id);
    assert.equal(event.id, "evt-github-1-2026-02-07T10:00:00Z");
    const [task = assert.fail()] = await at.all(taskKind);
    assert.match(task.id, /^task-\d{8}-001$/);
    assert.deepEqual(
      [event.state, event.outcome],
      ["completed", { handler: "gen-pr", task: task.id, reason: null }],
    );
    assert.deepEqual(task.outcome?.result, { ...success, task_id: task.id });
    assert.deepEqual(said(at), [
      "C1 📋 gen-pr: github.pr.review_requested (querypie/frontend)",
      "C1:1.000000 ✅ gen-pr: reviewed",
    ]);
    const messages = await at.all(notificationKind);
    assert.deepEqual(
      messages.map(({ id: name, state, body }) => [
        name.slice(-3),
        state,
        body.seedType,
        body.final,
      ]),
      [
        ["001", "delivered", "thread_start", undefined],
        ["002", "delivered", "notification", true],
      ],
    );
    assert.match(messages[0]?.id ?? "", /^msg-\d{8}-001$/);
    assert.equal(task.parent, id);
    assert.ok(messages.every(({ parent }) => parent === task.id));
  });

  test("B7-19: ids that other programs took are skipped, and no record is lost", async () => {
    const at = eventFixture(() => returned(success));
    const book = at.ledger.of("mina", "mina");
    const day = "20270115";
    const file = { target_general: "gen-pr", type: "github.pr.review_requested" };
    const dropping = { now: at.clock.wall(), capacity: null, owner: "mina", defaultTarget: null };
    for (const n of [1, 2, 3]) {
      const task = taskFromFile({ ...file, id: `task-${day}-00${n}` }, [plainHandler], dropping);
      await book.append({ ...task, wakeAt: at.clock.wall() + 60 * minuteMs });
    }
    for (const n of [1, 4, 6]) {
      const message = { type: "report", channel: "C9", content: `theirs ${n}` } as const;
      await book.append(messageFromFile({ ...message, id: `msg-${day}-00${n}` }, at.clock.wall()));
    }
    await at.start();
    const id = await at.emit();
    await at.pass(minuteMs);
    const { state, outcome } = await at.get(eventKind, id);
    assert.deepEqual([state, outcome?.task], ["completed", `task-${day}-005`]);
    assert.deepEqual(said(at).toSorted(), [
      "C1 📋 gen-pr: github.pr.review_requested (querypie/frontend)",
      "C1:4.000000 ✅ gen-pr: reviewed",
      "C9 theirs 1",
      "C9 theirs 4",
      "C9 theirs 6",
    ]);
  });

  test("gives the runner the task and the settings of the handler", async () => {
    const at = eventFixture(() => returned(success));
    const handler = { ...plainHandler, repo: "a/b", timeoutMs: 5_000 };
    at.settings = { ...at.settings, handlers: [handler] };
    await at.start();
    await at.emit({ repo: null });
    await at.pass(minuteMs);
    const [job = assert.fail()] = at.runner.jobs;
    const { id, created_at: _, ...rest } = job.input as Record<string, unknown>;
    assert.equal(id, job.id);
    assert.equal(job.timeoutMs, 5_000);
    assert.deepEqual(rest, {
      event_id: "evt-github-1-2026-02-07T10:00:00Z",
      target_general: "gen-pr",
      type: "github.pr.review_requested",
      event_type: "github.pr.review_requested",
      repo: "a/b",
      payload: { pr_number: "42" },
      priority: "normal",
    });
  });

  test("an event written twice makes one task", async () => {
    const at = eventFixture(() => returned(success));
    await at.start();
    await at.emit();
    await at.emit({ payload: { other: true }, at: 0 });
    await at.pass(minuteMs);
    await at.emit({ type: "github.pr.comment" });
    await at.pass(minuteMs);
    assert.equal((await at.all(eventKind)).length, 1);
    assert.equal((await at.all(taskKind)).length, 1);
  });

  test("an event without a subscriber ends completed, with the reason", async () => {
    const at = eventFixture(() => returned(success));
    await at.start();
    const id = await at.emit({ type: "jira.ticket.updated" });
    await at.pass(minuteMs);
    const { state, outcome } = await at.get(eventKind, id);
    assert.deepEqual(
      [state, outcome?.reason],
      ["completed", "discarded: no handler subscribes to jira.ticket.updated"],
    );
    assert.equal((await at.all(taskKind)).length, 0);
  });

  test("the first of two handlers of a type gets the event", async () => {
    const at = eventFixture(() => returned(success));
    const second = { ...plainHandler, name: "gen-other" };
    at.settings = { ...at.settings, handlers: [plainHandler, second] };
    await at.start();
    await at.emit();
    await at.pass(minuteMs);
    assert.deepEqual(
      (await at.all(taskKind)).map(({ body }) => body.event?.handler),
      ["gen-pr"],
    );
  });

  test("an event in a loop is discarded", async () => {
    const at = eventFixture(() => returned(success));
    await at.start();
    const eighth = await at.emit({ name: "evt-8", hops: 8 });
    const ninth = await at.emit({ name: "evt-9", hops: 9 });
    await at.pass(minuteMs);
    assert.notEqual((await at.get(eventKind, eighth)).outcome?.task, null);
    assert.equal(
      (await at.get(eventKind, ninth)).outcome?.reason,
      "discarded: 9 events led to it, which looks like a loop",
    );
  });

  test("without a run, the task waits in the queue of its handler for external workers", async () => {
    const at = eventFixture(() => returned(success));
    const { run: _, ...outside } = plainHandler;
    at.settings = { ...at.settings, handlers: [outside] };
    await at.start();
    const id = await at.emit();
    await at.pass(minuteMs);
    const [task = assert.fail()] = await at.all(taskKind);
    assert.deepEqual(
      [task.queue, task.state, task.body.turns],
      ["task@gen-pr", "pending", undefined],
    );
    assert.equal((await at.get(eventKind, id)).state, "dispatched");
  });
});

describe("events and tasks that wait", () => {
  test("a busy machine starts urgent work only, an overloaded one none, until it recovers", async () => {
    const at = eventFixture(() => returned(success));
    at.settings = { ...at.settings, health: "yellow" };
    await at.start();
    const normal = await at.emit({ name: "evt-normal" });
    const high = await at.emit({ name: "evt-high" }, { priority: "high" });
    await at.pass(minuteMs);
    assert.equal((await at.get(eventKind, high)).state, "completed");
    const waiting = await at.get(eventKind, normal);
    assert.equal(waiting.state, "pending");
    assert.match(waiting.outcome?.reason ?? "", /only urgent work starts/);
    at.settings = { ...at.settings, health: "red" };
    const later = await at.emit({ name: "evt-later" }, { priority: "high" });
    await at.pass(minuteMs);
    assert.match(
      (await at.get(eventKind, later)).outcome?.reason ?? "",
      /the machine is overloaded/,
    );
    at.settings = { ...at.settings, health: "green" };
    await at.pass(minuteMs);
    assert.equal((await at.get(eventKind, normal)).state, "completed");
    assert.equal((await at.get(eventKind, later)).state, "completed");
  });

  test("tasks run up to the capacity, and the next one gets what becomes free", async () => {
    let running = 0;
    let most = 0;
    const at = eventFixture(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(at.clock, 100);
      running -= 1;
      return returned(success);
    });
    at.settings = { ...at.settings, capacity: 2 };
    await at.start();
    for (let index = 0; index < 20; index += 1) await at.emit({ name: `evt-${index}` });
    await at.pass(10_000);
    assert.equal(most, 2);
    const states = (await at.all(taskKind)).map(({ state }) => state);
    assert.deepEqual(
      states,
      Array.from({ length: 20 }, () => "completed"),
    );
  });
});

describe("bugs of the first design that cannot come back", () => {
  test("B7-7: a crash between task and event leaves one task and one last message", async () => {
    const at = eventFixture(() => returned(success));
    const id = await at.emit();
    const { records } = await at.ledger.work.claim({
      kind: eventKind,
      holder: "dead",
      leaseMs: 5_000,
      limit: 1,
    });
    assert.equal(records.length, 1, "it died with the event in its hands");
    await at.start();
    await at.pass(minuteMs);
    assert.equal((await at.get(eventKind, id)).state, "completed");
    assert.equal((await at.all(taskKind)).length, 1);
    assert.equal(at.chat.sent.length, 2);
  });

  test("an event ends after its task was ended by another program", async () => {
    const at = eventFixture(() => returned(success));
    const { run: _, ...outside } = plainHandler;
    at.settings = { ...at.settings, handlers: [outside] };
    await at.start();
    const id = await at.emit();
    await at.pass(minuteMs);
    const [task = assert.fail()] = await at.all(taskKind);
    await at.ledger.of("mina", "mina").cancel({ id: task.id });
    await at.pass(11 * minuteMs);
    assert.equal((await at.get(eventKind, id)).state, "cancelled");
  });

  test("a payload that cannot make a task ends its event failed, with the reason", async () => {
    const at = eventFixture(() => returned(success));
    const run = { agent: "{{payload.text}}{{payload.text}}" };
    at.settings = { ...at.settings, handlers: [{ ...plainHandler, run }] };
    await at.start();
    const id = await at.emit({ payload: { text: "x".repeat(100_000) } });
    await at.pass(minuteMs);
    const { state, outcome } = await at.get(eventKind, id);
    assert.equal(state, "failed");
    assert.match(
      outcome?.reason ?? "",
      /its task cannot be made: The input has 200012 bytes, over 131072/,
    );
  });
});

describe("faults", () => {
  const ends = async (at: EventFixture): Promise<unknown> => {
    const messages = await at.all(notificationKind);
    return {
      events: (await at.all(eventKind)).map(({ state }) => state),
      tasks: (await at.all(taskKind)).map(({ state }) => state),
      finals: messages.filter(({ body }) => body.final).map(({ state }) => state),
    };
  };

  test("a refused store call at any moment leaves one task and one last message", async () => {
    let calls = 1;
    for (let lost = 1; lost <= calls; lost += 1) {
      const at = eventFixture(() => returned(success));
      calls = 0;
      at.fault = (verb) => {
        if (verb === "claim") return;
        calls += 1;
        if (calls === lost) throw new DaybookError("unavailable", "The store is away: try again.");
      };
      await at.emit().catch(() => at.emit());
      await at.start();
      await at.pass(5 * minuteMs);
      at.fault = () => undefined;
      assert.deepEqual(
        await ends(at),
        { events: ["completed"], tasks: ["completed"], finals: ["delivered"] },
        `call ${lost}`,
      );
    }
    assert.ok(calls >= 10, `only ${calls} calls were made`);
  });

  test("two nodes make one task of each event, and send each end once", async () => {
    const at = eventFixture(() => returned(success));
    await at.start();
    await at.start();
    const count = 40;
    for (let index = 0; index < count; index += 1) await at.emit({ name: `evt-${index}` });
    await at.pass(minuteMs);
    const each = (state: string): string[] => Array.from({ length: count }, () => state);
    assert.deepEqual(await ends(at), {
      events: each("completed"),
      tasks: each("completed"),
      finals: each("delivered"),
    });
    const names = new Set((await at.all(taskKind)).map(({ id }) => id));
    assert.equal(names.size, count);
  });
});
