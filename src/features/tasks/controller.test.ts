import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../platform/clock.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";
import { makeNotification, notificationKind } from "../notifications/kind.ts";
import { attemptOf, taskKind } from "./kind.ts";
import type { Ran } from "./runner.ts";

const done: Ran = { result: "completed" };
const retry = { attempts: 3, firstMs: 1_000, factor: 2, maxMs: 60_000 };

const endOf = async (at: RunFixture, id: string): Promise<unknown[]> => {
  const { state, outcome } = await at.task(id);
  return [state, outcome?.reason];
};

/** Waits until it is told to stop, and says why it was. */
const untilTold = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(String(signal.reason)), { once: true }),
  );

test("a task runs when it is due, and its outcome holds the observations", async () => {
  const at = runFixture();
  const runner = fakeRunner((_job, fixture) => {
    fixture.write("hello\n");
    return { result: "completed", exit: 0, returned: { ok: true }, usage: { turns: 2, cost: 0.5 } };
  });
  const start = at.kernel.now();
  const id = await at.ask({ at: start + 5_000 });
  await at.node(runner);
  await at.pass(4_999);
  assert.equal(runner.jobs.length, 0);
  await at.pass(1_000);
  const { state, outcome } = await at.task(id);
  assert.equal(state, "completed");
  assert.deepEqual(outcome, {
    startedAt: start + 5_000,
    finishedAt: start + 5_000,
    reason: null,
    exit: 0,
    summary: "hello",
    outputBytes: 6,
    outputCut: false,
    turns: 2,
    cost: 0.5,
    progress: null,
    question: null,
    result: { ok: true },
  });
  assert.equal(await at.output(id), "hello\n");
  assert.deepEqual(await at.messages(), []);
});

test("a failing task is retried with growing pauses, and then has failed", async () => {
  const at = runFixture();
  const times: number[] = [];
  const runner = fakeRunner((job, fixture) => {
    times.push(at.kernel.now());
    fixture.write(`try ${job.attempt}`);
    throw new Error("no luck");
  });
  const id = await at.ask({ retry });
  await at.node(runner);
  await at.pass(600_000);
  assert.deepEqual(await endOf(at, id), ["failed", "no luck"]);
  assert.deepEqual(
    runner.jobs.map(({ attempt }) => attempt),
    [1, 2, 3],
  );
  const [first = 0, second = 0, third = 0] = times;
  assert.ok(second - first >= 500 && second - first <= 1_000);
  assert.ok(third - second >= 1_000 && third - second <= 2_000);
  assert.equal(await at.output(id), "try 1\n--- attempt 2 ---\ntry 2\n--- attempt 3 ---\ntry 3");
  const { outcome } = await at.task(id);
  assert.equal(outcome?.outputBytes, Buffer.byteLength(await at.output(id)));
  assert.equal(outcome?.summary, "try 3");
});

test("a permanent failure is not retried", async () => {
  const at = runFixture();
  const runner = fakeRunner(() => ({ result: "failed", reason: "wrong", retry: false }));
  const id = await at.ask({ retry });
  await at.node(runner);
  await at.pass(60_000);
  assert.deepEqual(await endOf(at, id), ["failed", "wrong"]);
  assert.equal(runner.jobs.length, 1);
});

test("a run that times out is aborted with the reason, and fails", async () => {
  const at = runFixture();
  const told: string[] = [];
  const runner = fakeRunner(async (_job, { signal }) => {
    told.push(await untilTold(signal));
    return { result: "failed", reason: "killed", exit: 137 };
  });
  const id = await at.ask({ timeoutMs: 30_000 });
  await at.node(runner);
  await at.pass(29_999);
  assert.equal((await at.task(id)).state, "pending");
  await at.pass(1);
  assert.deepEqual(told, ["time is up"]);
  assert.deepEqual(await endOf(at, id), ["failed", "timed out after 30 s: killed"]);
  assert.equal((await at.task(id)).outcome?.exit, 137);
});

test("the reason of a timeout mentions the timeout once", async () => {
  for (const [said, reason] of [
    ["time is up", "timed out after 30 s"],
    ["time is up (turns 1)", "timed out after 30 s: (turns 1)"],
  ] as const) {
    const at = runFixture();
    const runner = fakeRunner(async (_job, { signal }) => {
      await untilTold(signal);
      return { result: "failed", reason: said };
    });
    const id = await at.ask({ timeoutMs: 30_000 });
    await at.node(runner);
    await at.pass(30_000);
    assert.deepEqual(await endOf(at, id), ["failed", reason]);
  }
});

test("a run that ignores its abort is given up, and writes nothing any more", async () => {
  const at = runFixture();
  const gate = Promise.withResolvers<Ran>();
  const runner = fakeRunner(async (_job, fixture) => {
    fixture.write("before");
    await gate.promise;
    fixture.write("after");
    fixture.progress("after");
    return done;
  });
  const id = await at.ask({ timeoutMs: 30_000 });
  await at.node(runner);
  await at.pass(60_000);
  assert.deepEqual(await endOf(at, id), [
    "failed",
    "timed out after 30 s, and did not stop when told",
  ]);
  const { revision } = await at.task(id);
  gate.resolve(done);
  await at.pass(60_000);
  assert.equal(await at.output(id), "before");
  assert.equal((await at.task(id)).revision, revision);
});

test("a cancel stops a run, which ends cancelled; a late cancel does not", async () => {
  for (const answer of [{ result: "failed", reason: "killed" }, done] as const) {
    const at = runFixture();
    const told: string[] = [];
    const runner = fakeRunner(async (_job, { signal }) => {
      told.push(await untilTold(signal));
      return answer;
    });
    const id = await at.ask({ retry });
    await at.node(runner);
    await at.pass(1_000);
    await at.ledger.of("mina", "mina").cancel({ id });
    await at.pass(60_000);
    assert.deepEqual(told, ["cancelled"]);
    assert.equal((await at.task(id)).state, answer === done ? "completed" : "cancelled");
    assert.equal(runner.jobs.length, 1);
  }
});

test("a node that lost its lease changes nothing: the next node's end counts", async () => {
  const at = runFixture();
  const slow = fakeRunner(async (_job, fixture) => {
    fixture.write("one");
    await untilTold(fixture.signal);
    await sleep(at.clock, 8_000);
    fixture.write(" late");
    return { result: "completed", said: "first" };
  });
  const id = await at.ask({ retry });
  await at.node(slow);
  await at.pass(1_000);
  at.fault = (verb) => {
    if (verb === "keep") throw new DaybookError("unavailable", "gone");
  };
  await at.node(
    fakeRunner(() => ({ result: "completed", said: "second" })),
    { holder: "n2" },
  );
  await at.pass(60_000);
  const { state, outcome } = await at.task(id);
  assert.equal(state, "completed");
  assert.equal(outcome?.summary, "second");
  assert.equal(await at.output(id), "one\n--- attempt 2 ---\nsecond");
});

test("after a crash, a task runs again if it has attempts left, or ends interrupted", async () => {
  for (const given of [{ retry }, {}]) {
    const at = runFixture();
    const id = await at.ask(given);
    await at.ledger.work.claim({
      kind: taskKind,
      queue: "task@fake",
      holder: "dead",
      leaseMs: 1_000,
      limit: 1,
    });
    const runner = fakeRunner(() => done);
    await at.node(runner);
    await at.pass(60_000);
    const again = "retry" in given;
    assert.deepEqual(await endOf(at, id), [
      again ? "completed" : "interrupted",
      again ? null : "the node went away in the middle of it",
    ]);
    assert.deepEqual(
      runner.jobs.map(({ attempt }) => attempt),
      again ? [2] : [],
    );
  }
});

test("output written before a crash is part of the outcome", async () => {
  const at = runFixture();
  const id = await at.ask();
  const claim = { kind: taskKind, queue: "task@fake", holder: "dead", leaseMs: 1_000 } as const;
  await at.ledger.work.claim({ ...claim, limit: 1 });
  const bytes = new TextEncoder().encode("half of it");
  await at.ledger.work.write({ id, fence: 1, stream: "output", offset: 0, bytes });
  await at.node(fakeRunner(() => done));
  await at.pass(60_000);
  const { state, outcome } = await at.task(id);
  assert.deepEqual(
    [state, outcome?.summary, outcome?.outputBytes],
    ["interrupted", "half of it", 10],
  );
});

test("a node that stops gives a task back without counting the attempt", async () => {
  const at = runFixture();
  const first = fakeRunner(async (_job, { signal }) => ({
    result: "failed",
    reason: await untilTold(signal),
  }));
  const id = await at.ask();
  const node = await at.node(first);
  await at.pass(1_000);
  const stopped = node.stop();
  await at.pass(20_000);
  await stopped;
  assert.equal((await at.task(id)).state, "pending");
  const next = fakeRunner(() => done);
  await at.node(next);
  await at.pass(1_000);
  assert.equal((await at.task(id)).state, "completed");
  assert.deepEqual(
    next.jobs.map(({ attempt }) => attempt),
    [1],
  );
});

test("output over the limit is cut between two characters, and marked", async () => {
  const at = runFixture();
  const runner = fakeRunner((_job, fixture) => {
    for (let n = 0; n < 100; n += 1) fixture.write("한😀");
    return done;
  });
  const id = await at.ask();
  await at.node(runner, { outputBytesMax: 100 });
  await at.pass(1_000);
  const { outcome } = await at.task(id);
  assert.equal(outcome?.outputCut, true);
  const text = await at.output(id);
  assert.equal(text, `${"한😀".repeat(14)}\n--- output cut at 100 bytes ---\n`);
  assert.equal(outcome?.outputBytes, Buffer.byteLength(text));
});

test("200 KB of Korean and emoji in any pieces reads back byte for byte", async () => {
  const at = runFixture();
  const whole = "가나다 👩‍👩‍👧 라마바사 🎉\n".repeat(5_000);
  const runner = fakeRunner(async (_job, fixture) => {
    for (let from = 0; from < whole.length; from += 777) {
      fixture.write(whole.slice(from, from + 777)); // also in the middle of a surrogate pair
      if (from % 10 === 0) await sleep(at.clock, 3);
    }
    return done;
  });
  const id = await at.ask();
  await at.node(runner);
  await at.pass(30_000);
  assert.equal(await at.output(id), whole);
  const writes = at.calls.filter(({ verb }) => verb === "write");
  const sizes = writes.map(({ input }) => (input as { bytes: Uint8Array }).bytes.length);
  assert.ok(Math.max(...sizes) <= 64 * 1024);
  assert.ok(sizes.length < 40, `${sizes.length} writes`);
});

test("output whose write failed or whose answer was lost is stored once", async () => {
  const at = runFixture();
  const runner = fakeRunner(async (_job, fixture) => {
    for (let n = 0; n < 10; n += 1) {
      fixture.write(`${n}`);
      await sleep(at.clock, 1_000);
    }
    return done;
  });
  const id = await at.ask({ timeoutMs: 600_000 });
  let faults = 0;
  at.fault = (verb) => {
    if (verb !== "write" || faults >= 6) return;
    faults += 1;
    throw new DaybookError("unavailable", "gone");
  };
  await at.node(runner);
  await at.pass(120_000);
  assert.equal(await at.output(id), "0123456789");
  assert.equal(faults, 6);
});

test("progress is saved while a task runs, the newest, and in the history every few seconds", async () => {
  const at = runFixture();
  const runner = fakeRunner(async (_job, fixture) => {
    for (let n = 1; n <= 100; n += 1) {
      fixture.progress(`${n} of 100`);
      await sleep(at.clock, 100);
    }
    return done;
  });
  const id = await at.ask();
  await at.node(runner);
  await at.pass(5_050);
  assert.equal((await at.task(id)).outcome?.progress, "30 of 100");
  await at.pass(10_000);
  assert.equal((await at.task(id)).outcome?.progress, null);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  const kept = changes.filter(({ what }) => what === "kept");
  assert.deepEqual(
    kept.map(({ note }) => note),
    ["1 of 100", "30 of 100", "60 of 100", "91 of 100"],
  );
});

test("the consequences of a run are written with its end, for the same owner", async () => {
  const at = runFixture();
  const draft = makeNotification({
    message: "made",
    at: 0,
    atText: "now",
    target: "fake:b",
    origin: null,
  });
  const runner = fakeRunner(() => ({ result: "completed", consequences: [draft] }));
  const id = await at.ask();
  await at.node(runner);
  await at.pass(1_000);
  const { records } = await at.ledger.of("mina", "mina").list({ kind: notificationKind });
  assert.deepEqual(
    records.map(({ parent, owner }) => [parent, owner]),
    [[id, "mina"]],
  );
});

test("a run whose consequences cannot be written fails with the reason, and no retry", async () => {
  const at = runFixture();
  const body = { message: "m", at: 0, atText: "", target: "fake:b", origin: null };
  const book = at.ledger.of("mina", "mina");
  await book.append({ ...makeNotification(body), key: { name: "k" } });
  const other = makeNotification({ ...body, message: "another" });
  const runner = fakeRunner(() => ({
    result: "completed",
    consequences: [{ ...other, key: { name: "k" } }],
  }));
  const id = await at.ask({ retry });
  await at.node(runner);
  await at.pass(600_000);
  const [state, reason] = await endOf(at, id);
  assert.equal(state, "failed");
  assert.match(String(reason), /^what follows from it could not be written: /);
  assert.equal(runner.jobs.length, 1);
});

test("a run with a question notifies a person, and runs again with the answer", async () => {
  const at = runFixture();
  const runner = fakeRunner(({ answers }) =>
    answers.length === 0
      ? { result: "asks", question: "Deploy?", choices: ["yes", "no"] }
      : { result: "completed", said: answers[0]?.answer ?? "" },
  );
  const id = await at.ask();
  await at.node(runner);
  await at.pass(86_400_000);
  const asked = await at.task(id);
  assert.equal(asked.state, "needs_human");
  assert.deepEqual(asked.outcome?.question, { text: "Deploy?", choices: ["yes", "no"] });
  assert.deepEqual(await at.messages(), [
    `Deploy?\n(yes / no)\nTo answer: daybook run answer ${id} yes`,
  ]);
  await at.ledger.of("mina", "mina").edit({
    kind: "task",
    id,
    state: "pending",
    wakeAt: at.kernel.now(),
    body: { ...asked.body, answers: [{ question: "Deploy?", answer: "no" }] },
  });
  await at.pass(1_000);
  const { state, outcome } = await at.task(id);
  assert.deepEqual([state, outcome?.summary, outcome?.question], ["completed", "no", null]);
  assert.equal(attemptOf(await at.task(id)), 1);
});

test("a scheduled run without an answer fails after a week, and the schedule goes on", async () => {
  const at = runFixture();
  const runner = fakeRunner(() => ({ result: "asks", question: "Deploy?" }));
  const schedule = await at.schedule();
  const holds = [`run:${schedule.id}`];
  const id = await at.slot(schedule, { holds });
  await at.node(runner);
  await at.pass(7 * 86_400_000 - 1_000);
  assert.equal((await at.task(id)).state, "needs_human");
  await assert.rejects(at.slot(schedule, { holds }), (error) => hasCode(error, "held"));
  await at.pass(2_000);
  const { state, outcome } = await at.task(id);
  assert.deepEqual([state, outcome?.reason], ["failed", "nobody answered what it asked in time"]);
  assert.equal((await at.scheduleOf(schedule.id)).outcome?.consecutiveFailures, 1);
  const next = await at.slot(schedule, { holds });
  await at.pass(1_000);
  assert.equal((await at.task(next)).state, "needs_human");
  assert.equal((await at.messages()).length, 2);
});

test("a wake does not start a run that waits for a person", async () => {
  const at = runFixture();
  const runner = fakeRunner(() => ({ result: "asks", question: "Why?" }));
  const id = await at.ask();
  await at.node(runner);
  await at.pass(1_000);
  const body = { message: "m", at: 0, atText: "", target: "fake:b", origin: null };
  await at.ledger.of("mina", "mina").append(makeNotification(body), { wake: [{ id }] });
  await at.pass(60_000);
  assert.equal((await at.task(id)).state, "needs_human");
  assert.equal(runner.jobs.length, 1);
});

async function callBack(at: RunFixture, id: string, callback: string): Promise<void> {
  const { outcome } = await at.task(id);
  assert.ok(outcome);
  const wakeAt = at.kernel.now();
  const edit = { kind: "task", id, outcome: { ...outcome, callback }, wakeAt } as const;
  await at.ledger.of("mina", "mina").edit(edit);
}

test("a run that ends later runs again with its callback", async () => {
  const at = runFixture();
  const runner = fakeRunner(({ callback }) =>
    callback === undefined
      ? { result: "later" }
      : { result: "completed", said: JSON.stringify(callback) },
  );
  const id = await at.ask({ timeoutMs: 3_600_000 });
  await at.node(runner);
  await at.pass(600_000);
  assert.equal((await at.task(id)).state, "pending");
  await callBack(at, id, "it is done");
  await at.pass(1_000);
  const { state, outcome } = await at.task(id);
  assert.deepEqual([state, outcome?.summary], ["completed", '"it is done"']);
  assert.deepEqual([outcome?.callback, outcome?.awaitsUntil], [undefined, undefined]);
  assert.deepEqual(
    runner.jobs.map(({ attempt }) => attempt),
    [1, 1],
  );
});

test("a callback that is overdue is a failed attempt", async () => {
  const at = runFixture();
  const runner = fakeRunner(() => ({ result: "later" }));
  const id = await at.ask({ retry: { ...retry, attempts: 2 } });
  await at.node(runner);
  await at.pass(60_000 + 1_000);
  assert.deepEqual([(await at.task(id)).state, runner.jobs.length], ["pending", 2]);
  await at.pass(120_000);
  assert.deepEqual(await endOf(at, id), ["failed", "no callback came in time"]);
  assert.equal(runner.jobs.length, 2);
});

test("a callback that arrives before the run reports its wait is not lost", async () => {
  const at = runFixture();
  let id = "";
  const runner = fakeRunner(async ({ callback }) => {
    if (callback !== undefined) return done;
    await at.ledger.of("mina", "mina").edit({
      kind: "task",
      id,
      outcome: { ...(await at.task(id)).outcome, callback: "early" },
    });
    return { result: "later" };
  });
  id = await at.ask();
  await at.node(runner);
  await at.pass(1_000);
  assert.equal((await at.task(id)).state, "completed");
});

test("the concurrency of a runner holds over all nodes, and every task runs", async () => {
  const at = runFixture();
  let [now, most] = [0, 0];
  const runner = fakeRunner(async () => {
    now += 1;
    most = Math.max(most, now);
    await sleep(at.clock, 500);
    now -= 1;
    return done;
  }, 2);
  const ids = await Promise.all(Array.from({ length: 12 }, () => at.ask()));
  await at.node(runner);
  await at.node(runner, { holder: "n2" });
  await at.pass(60_000);
  assert.equal(most, 2);
  const states = await Promise.all(ids.map(async (id) => (await at.task(id)).state));
  assert.deepEqual(new Set(states), new Set(["completed"]));
  assert.deepEqual(new Set(runner.jobs.map(({ attempt }) => attempt)), new Set([1]));
});

test("with a concurrency limit, attempts count on and free their slot in between", async () => {
  const at = runFixture();
  const runner = fakeRunner(
    ({ input, attempt }) =>
      input === "bad" && attempt < 3 ? { result: "failed", reason: "no" } : done,
    1,
  );
  const slow = { ...retry, firstMs: 60_000 };
  const bad = await at.ask({ input: "bad", retry: slow });
  await at.node(runner);
  await at.pass(1_000);
  const good = await at.ask({ input: "good" });
  await at.pass(5_000);
  assert.equal((await at.task(good)).state, "completed");
  assert.equal((await at.task(bad)).state, "pending");
  await at.pass(600_000);
  assert.equal((await at.task(bad)).state, "completed");
  const tries = runner.jobs.filter(({ input }) => input === "bad").map(({ attempt }) => attempt);
  assert.deepEqual(tries, [1, 2, 3]);
});

test("a store that does not answer at the end of a run causes no second run", async () => {
  const at = runFixture();
  const schedule = await at.schedule();
  const runner = fakeRunner(() => {
    at.fault = (verb) => {
      if (verb === "get" || verb === "list") throw new DaybookError("unavailable", "gone");
    };
    return { result: "failed", reason: "no" };
  });
  const id = await at.slot(schedule);
  await at.node(runner);
  await at.pass(30_000);
  at.fault = () => undefined;
  await at.pass(30_000);
  assert.equal((await at.task(id)).state, "failed");
  assert.equal(runner.jobs.length, 1);
  assert.equal((await at.scheduleOf(schedule.id)).outcome?.consecutiveFailures, 1);
});

test("a run's end is kept while its schedule is unreadable; another node counts it", async () => {
  const at = runFixture();
  const schedule = await at.schedule();
  const runner = fakeRunner(() => {
    at.fault = (verb) => {
      if (verb === "get" || verb === "list") throw new DaybookError("unavailable", "gone");
    };
    return { result: "failed", reason: "no" };
  });
  const id = await at.slot(schedule);
  const first = await at.node(runner);
  await at.pass(1_000);
  const stopped = first.stop();
  await at.pass(60_000);
  await stopped;
  at.fault = () => undefined;
  const kept = await at.task(id);
  assert.deepEqual([kept.state, kept.outcome?.ended?.ran.result], ["pending", "failed"]);
  assert.equal((await at.scheduleOf(schedule.id)).outcome?.consecutiveFailures, 0);
  await at.node(runner, { holder: "n2" });
  await at.pass(30_000);
  const { state, outcome } = await at.task(id);
  assert.deepEqual([state, outcome?.reason, outcome?.ended], ["failed", "no", undefined]);
  assert.equal(runner.jobs.length, 1);
  assert.equal((await at.scheduleOf(schedule.id)).outcome?.consecutiveFailures, 1);
});

for (const retryAfterMs of [Number.NaN, Infinity, -Infinity, -1, 1.5]) {
  test(`a run's end with a pause of ${retryAfterMs} can be stored, and read again`, async () => {
    const at = runFixture();
    const runner = fakeRunner(() => {
      at.fault = (verb) => {
        if (verb === "get" || verb === "list") throw new DaybookError("unavailable", "gone");
      };
      return { result: "failed", reason: "no", retryAfterMs };
    });
    const id = await at.slot(await at.schedule());
    const node = await at.node(runner);
    await at.pass(1_000);
    const stopped = node.stop();
    await at.pass(60_000);
    await stopped;
    at.fault = () => undefined;
    const { outcome } = await at.task(id);
    assert.equal(outcome?.ended?.ran.result, "failed");
    const stored: unknown = JSON.parse(JSON.stringify(outcome));
    assert.deepEqual(taskKind.outcome?.parse(stored), outcome);
  });
}
