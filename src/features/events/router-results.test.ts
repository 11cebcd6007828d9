import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finalFailure } from "../../adapters/runners/result.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { ClaimRequest } from "../../kernel/work-unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { plainHandler, eventFixture, type EventFixture } from "../../testing/event-fixture.ts";
import { notificationKind } from "../notifications/kind.ts";
import { takeTurn } from "../tasks/capacity.ts";
import { type TaskKind, taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { eventKind } from "./kind.ts";

function returned(result: object): Ran {
  return { result: "completed", returned: result as { readonly [name: string]: string } };
}

function said({ chat }: EventFixture): readonly string[] {
  return chat.sent.map(({ to, text }) => `${to} ${text.split("\n")[0]}`);
}

const minuteMs = 60_000;

async function handled(answer: Parameters<typeof eventFixture>[0], channels: string[] = []) {
  const at = eventFixture(answer);
  at.settings = { ...at.settings, handlers: [{ ...plainHandler, channels }] };
  await at.start();
  const id = await at.emit();
  await at.pass(5 * minuteMs);
  const [task = assert.fail()] = await at.all(taskKind);
  return { at, task, event: await at.get(eventKind, id) };
}

type Claim = ClaimRequest<TaskKind>;

/** A node takes the place, claims it again to run it, and is gone. */
async function dieWithPlace(
  at: EventFixture,
  task: Claimed<TaskKind>,
  claim: Omit<Claim, "limit">,
) {
  const { id, revision, lease } = task;
  const verdict = takeTurn(task, undefined, { now: at.kernel.now(), jitter: 0 });
  await at.ledger.work.settle<TaskKind>([{ id, revision, fence: lease.fence, ...verdict }]);
  assert.equal((await at.ledger.work.claim({ ...claim, limit: 1 })).records.length, 1);
}

describe("the end of a handler's task", () => {
  test("B7-1: a skipped task ends at once, without a retry", async () => {
    const { at, task, event } = await handled(() =>
      returned({ status: "skipped", summary: "", reason: "a draft" }),
    );
    assert.equal(at.runner.jobs.length, 1);
    assert.deepEqual([task.state, task.outcome?.reason], ["skipped", "a draft"]);
    assert.deepEqual([event.state, event.outcome?.reason], ["completed", "a draft"]);
    assert.equal(said(at).at(-1), "C1:1.000000 ⏭️ gen-pr: a draft");
  });

  for (const status of ["failed", "killed"] as const) {
    test(`B7-1, B7-2: ${status} is retried twice, a minute apart, and ends with the last error`, async () => {
      const { at, task, event } = await handled(({ attempt }) =>
        returned({ status, summary: "", error: `error ${attempt}` }),
      );
      const ran = (task.outcome?.finishedAt ?? 0) - (task.outcome?.startedAt ?? 0);
      assert.ok(ran >= 2 * minuteMs && ran < 2 * minuteMs + 5_000, `it took ${ran} ms`);
      assert.deepEqual(
        at.runner.jobs.map(({ attempt }) => attempt),
        [1, 2, 3],
      );
      assert.deepEqual([task.state, task.outcome?.reason], ["failed", "error 3"]);
      assert.deepEqual(task.outcome?.result, {
        status,
        summary: "",
        error: "error 3",
        task_id: task.id,
      });
      assert.deepEqual([event.state, event.outcome?.reason], ["failed", "error 3"]);
      assert.deepEqual(said(at).slice(1), ["C1:1.000000 ❌ gen-pr: error 3"]);
    });
  }

  test("a handler's own backoff curve sets the pauses between its attempts", async () => {
    const starts: number[] = [];
    const at: EventFixture = eventFixture(() => {
      starts.push(at.kernel.now());
      return { result: "failed", reason: "no network" };
    });
    const pauses = { firstMs: 10_000, factor: 3, maxMs: 60_000 };
    at.settings = { ...at.settings, handlers: [{ ...plainHandler, retries: 3, pauses }] };
    await at.start();
    await at.emit();
    await at.pass(5 * minuteMs);
    const waits = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    assert.deepEqual(
      waits.map((ms) => Math.round(ms / 1_000)),
      [10, 30, 60],
    );
  });

  test("a task that recovers sends one message, of its success", async () => {
    const { at, task } = await handled(({ attempt }) =>
      attempt === 1
        ? { result: "failed", reason: "no network" }
        : returned({ status: "success", summary: "ok" }),
    );
    assert.equal(task.state, "completed");
    assert.deepEqual(said(at).slice(1), ["C1:1.000000 ✅ gen-pr: ok"]);
  });

  test("a function's own long text is sent whole at the end of its task", async () => {
    const text = Array.from({ length: 1_300 }, (_, line) => `line ${line} 한글 한글`).join("\n");
    const { at } = await handled(() => ({ result: "completed", said: text }));
    assert.equal(at.chat.sent.at(-1)?.text, `✅ gen-pr: ${text}`);
  });

  test("a permanent failure is not retried", async () => {
    const { at, task } = await handled(() => finalFailure("no such program"));
    assert.equal(at.runner.jobs.length, 1);
    assert.deepEqual([task.state, task.outcome?.reason], ["failed", "no such program"]);
  });

  test("B7-3: a result with the id of another task ends its own task", async () => {
    const { task } = await handled(() =>
      returned({ status: "success", summary: "ok", task_id: "task-19990101-001" }),
    );
    assert.equal(task.state, "completed");
    assert.deepEqual(task.outcome?.result, { status: "success", summary: "ok", task_id: task.id });
  });

  test("B7-23: an attempt without a result has failed, and its last output is kept", async () => {
    const { at, task } = await handled((_, fixture) => {
      fixture.write("half a sentence");
      return { result: "failed", reason: "exit 1", exit: 1 };
    });
    assert.deepEqual(task.outcome?.result, {
      task_id: task.id,
      status: "failed",
      summary: "half a sentence",
      error: "exit 1",
    });
    assert.equal(said(at).at(-1), "C1:1.000000 ❌ gen-pr: exit 1");
  });

  test("a crash in the last attempt leaves the task interrupted and the event failed", async () => {
    const at = eventFixture(() => returned({ status: "success", summary: "" }));
    at.settings = { ...at.settings, handlers: [{ ...plainHandler, retries: 0 }], capacity: null };
    await at.start("router", "chat");
    const id = await at.emit();
    await at.pass(1_000);
    const lease = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 5_000 } as const;
    const { records } = await at.ledger.work.claim({ ...lease, limit: 1 });
    assert.equal(records.length, 1);
    await at.start("runner");
    await at.pass(minuteMs);
    const [task = assert.fail()] = await at.all(taskKind);
    const event = await at.get(eventKind, id);
    assert.deepEqual(
      [task.state, event.state, at.runner.jobs.length],
      ["interrupted", "failed", 0],
    );
    assert.partialDeepStrictEqual(task.outcome?.result, { status: "killed" });
    assert.equal(said(at).at(-1), "C1:1.000000 ❌ gen-pr: the node went away in the middle of it");
  });

  for (const capacity of [null, 1]) {
    const how = capacity === null ? "" : ", and its place is another's meanwhile";
    test(`an attempt whose node dies is retried a minute after its lease ends${how}`, async () => {
      const at = eventFixture(() => returned({ status: "success", summary: "ok" }));
      at.settings = { ...at.settings, capacity };
      await at.start("router", "chat");
      await at.emit();
      await at.pass(1_000);
      const claim = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 5_000 } as const;
      const { records } = await at.ledger.work.claim<TaskKind>({ ...claim, limit: 1 });
      const [task = assert.fail()] = records;
      if (capacity !== null) await dieWithPlace(at, task, claim);
      const overAt = at.kernel.now() + claim.leaseMs;
      await at.start("runner");
      await at.pass(30_000);
      const { state, outcome, lease } = await at.get(taskKind, task.id);
      assert.deepEqual([state, lease, at.runner.jobs.length], ["pending", null, 0]);
      assert.notEqual(outcome?.hasTurn, true);
      await at.pass(2 * minuteMs);
      const [job, ...more] = at.runner.jobs;
      assert.deepEqual([job?.attempt, more], [2, []]);
      const { startedAt } = (await at.get(taskKind, task.id)).outcome ?? {};
      const waited = (startedAt ?? 0) - overAt;
      assert.ok(waited >= minuteMs && waited < minuteMs + 5_000, `it began after ${waited} ms`);
    });
  }

  test("a cancelled run ends its event and sends no message", async () => {
    const at = eventFixture(
      (_, { signal }) =>
        new Promise((done) => {
          signal.addEventListener("abort", () =>
            done({ result: "failed", reason: "told to stop" }),
          );
        }),
    );
    await at.start();
    const id = await at.emit();
    await at.pass(1_000);
    const [task = assert.fail()] = await at.all(taskKind);
    await at.ledger.of("mina", "mina").cancel({ id: task.id });
    await at.pass(minuteMs);
    assert.equal((await at.get(taskKind, task.id)).state, "cancelled");
    assert.equal((await at.get(eventKind, id)).state, "cancelled");
    assert.equal(said(at).length, 1);
  });

  test("a task cancelled while its attempt breaks ends its event", async () => {
    const at = eventFixture(() => returned({ status: "success", summary: "done" }));
    await at.start("router");
    const id = await at.emit();
    await at.pass(1_000);
    const [task = assert.fail()] = await at.all(taskKind);
    let isBroken = false;
    at.fault = (verb) => {
      if (verb !== "read" || isBroken) return;
      isBroken = true;
      void at.ledger.of("mina", "mina").cancel({ id: task.id });
      throw new DaybookError("busy", "The store is locked. Try again.");
    };
    await at.start("runner");
    await at.pass(minuteMs);
    assert.ok(isBroken);
    assert.equal((await at.get(taskKind, task.id)).state, "cancelled");
    assert.equal((await at.get(eventKind, id)).state, "cancelled");
    assert.equal(at.runner.jobs.length, 0);
  });

  for (const [when, isLooked] of [
    ["", false],
    [", also when somebody looks at that just then", true],
  ] as const) {
    test(`a task cancelled while it takes its turn ends its event${when}`, async () => {
      const at = eventFixture(() => returned({ status: "success", summary: "done" }));
      await at.start("router");
      const id = await at.emit();
      await at.pass(1_000);
      const [task = assert.fail()] = await at.all(taskKind);
      const book = at.ledger.of("mina", "mina");
      let wasHeld: boolean | undefined;
      at.fault = (verb) => {
        if (verb !== "settle" || wasHeld !== undefined) return;
        wasHeld = isLooked;
        void book.cancel({ id: task.id }, isLooked ? { wake: [{ id }] } : {});
        const look = { kind: eventKind, holder: "slow", leaseMs: 3_000, limit: 1 } as const;
        if (isLooked) void at.ledger.work.claim(look);
      };
      await at.start("runner");
      await at.pass(minuteMs);
      assert.equal(wasHeld, isLooked);
      assert.equal((await at.get(taskKind, task.id)).state, "cancelled");
      assert.equal((await at.get(eventKind, id)).state, "cancelled");
      assert.equal(at.runner.jobs.length, 0);
    });
  }
});

describe("messages at the end of a task", () => {
  const loud = {
    status: "success",
    summary: "done",
    notify_channel: "C9",
    proclamation: { channel: "C8", message: "PR News" },
  };

  test("B7-9: a channel that a result names replaces the thread, and closes it", async () => {
    const { at, task } = await handled(() => returned(loud), ["slack:C9", "slack:C8"]);
    assert.deepEqual(said(at).slice(1).toSorted(), ["C8 PR News", "C9 ✅ gen-pr: done"]);
    const [, notice, news] = await at.all(notificationKind);
    assert.deepEqual(
      [notice?.body.final, notice?.body.relatedTaskId, notice?.body.thread],
      [true, task.id, undefined],
    );
    assert.deepEqual(
      [news?.body.relatedTaskId, news?.priority, news?.body.final],
      [`proclamation-${task.id}`, "high", undefined],
    );
  });

  test("a message to a forbidden channel is kept unsent, and the thread gets the end", async () => {
    const { at } = await handled(() => returned(loud));
    assert.deepEqual(said(at).slice(1), ["C1:1.000000 ✅ gen-pr: done"]);
    const failed = (await at.all(notificationKind)).filter(({ state }) => state === "failed");
    assert.deepEqual(
      failed.map(({ body }) => body.target),
      ["slack:C9", "slack:C8"],
    );
    assert.ok(failed.every(({ outcome }) => outcome?.reason?.startsWith("not allowed")));
  });

  test("needs_human with a proclamation is a question without the proclamation", async () => {
    const asks = { status: "needs_human", summary: "", question: "Which branch?" };
    const proclamation = { channel: "C1", message: "published" };
    const { at, task } = await handled(() => returned({ ...asks, proclamation }));
    assert.equal(task.state, "completed");
    const texts = at.chat.sent.map(({ text }) => text);
    assert.ok(texts.some((text) => text.includes("Which branch?")));
    assert.ok(!texts.some((text) => text.includes("published") || text.includes("❌")));
  });

  test("B7-10: a success without a mark closes its thread too", async () => {
    const { at } = await handled(() => returned({ status: "success", summary: "❌ is fixed" }));
    assert.deepEqual(
      (await at.all(notificationKind)).map(({ body }) => body.final),
      [undefined, true],
    );
  });

  test("work requested in a thread is answered there", async () => {
    const at = eventFixture(() => returned({ status: "success", summary: "yes" }));
    at.settings = {
      ...at.settings,
      handlers: [{ ...plainHandler, subscribes: ["slack.channel.message"] }],
    };
    await at.start();
    const origin = "slack:D7:1700000000.000100";
    await at.emit({ type: "slack.channel.message", source: "slack", origin });
    await at.pass(minuteMs);
    assert.deepEqual(said(at), ["D7:1700000000.000100 ✅ gen-pr: yes"]);
    assert.equal((await at.all(notificationKind))[0]?.body.seedType, "thread_reply");
  });

  test("the last message waits for the first one of its thread, or goes to the channel", async () => {
    const at = eventFixture(() => returned({ status: "success", summary: "ok" }));
    let isDown = true;
    at.chat.fate = ({ text }) =>
      isDown && text.startsWith("📋") ? { result: "retry", reason: "busy" } : undefined;
    await at.start();
    await at.emit();
    await at.pass(10_000);
    assert.deepEqual(said(at), [], "it does not overtake");
    isDown = false;
    await at.pass(5 * minuteMs);
    assert.equal(said(at)[1], "C1:1.000000 ✅ gen-pr: ok");
    at.chat.fate = ({ text }) =>
      text.startsWith("📋") ? { result: "rejected", reason: "no" } : undefined;
    await at.emit({ name: "evt-2" });
    await at.pass(5 * minuteMs);
    assert.equal(said(at)[2], "C1 ✅ gen-pr: ok");
  });

  test("without a target the messages wait in the inbox, which has no threads", async () => {
    const at = eventFixture(() => returned({ status: "success", summary: "ok" }));
    at.settings = { ...at.settings, defaultTarget: null };
    await at.start();
    await at.emit();
    await at.pass(minuteMs);
    assert.deepEqual(
      (await at.all(notificationKind)).map(({ body, state }) => [body.target, state]),
      [
        ["inbox:mina", "pending"],
        ["inbox:mina", "pending"],
      ],
    );
  });
});
