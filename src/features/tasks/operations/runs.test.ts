import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { bookFixture, withRunners } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Context, Operation } from "../../../kernel/operation.ts";
import { sleep } from "../../../platform/clock.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../../testing/run-fixture.ts";
import { inZone } from "../../../time/zone.ts";
import { operations } from "../../index.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { backfillSchedule } from "../../schedules/operations/backfill.ts";
import { createSchedule } from "../../schedules/operations/create.ts";
import { deleteSchedule } from "../../schedules/operations/lifecycle.ts";
import { runScheduleNow, scheduleRuns } from "../../schedules/operations/runs.ts";
import { showSchedule } from "../../schedules/operations/schedules.ts";
import { functionRunner } from "../function-runner.ts";
import { task } from "../function.ts";
import type { Ran, Runner } from "../runner.ts";
import { answerRun } from "./answer.ts";
import { cancelRun } from "./cancel.ts";
import { runOutput, resendRun } from "./output.ts";
import { runTask } from "./run.ts";
import { showRun } from "./show.ts";

const { explain } = operations;

interface Scenario extends RunFixture {
  mina: Context;
  /** Calls an operation as an interface does. */
  call<Output>(operation: Operation<z.ZodObject, Output>, input: object): Promise<Output>;
  made(more?: object): Promise<string>;
}

/** A node with a runner, and a caller. */
async function scenario(runner: Runner): Promise<Scenario> {
  const at = runFixture();
  await at.node(runner);
  const mina = { ...bookFixture().mina, ledger: at.ledger, now: at.kernel.now };
  const call: Scenario["call"] = async (operation, input) =>
    operation.output.parse((await callOperation(mina, operation, input, mina)).output);
  const made = async (more: object = {}): Promise<string> => {
    const run = { task: runner.name };
    const input = {
      name: "brief",
      cadence: { type: "cron", expression: "0 * * * *" },
      run,
      ...more,
    };
    return (await call(createSchedule, input)).id;
  };
  return Object.assign(at, { mina, call, made });
}

function prints(text: string): Runner {
  return fakeRunner((_, { write }): Ran => {
    write(text);
    return { result: "completed", exit: 0 };
  });
}

/** Reads chunk after chunk, by the returned offsets. */
async function readAll(at: Scenario, id: string, most: number): Promise<string[]> {
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const part: z.infer<typeof runOutput.output> = await at.call(runOutput, {
      run_id: id,
      offset,
      max_chars: most,
    });
    assert.equal(part.offset + Array.from(part.chunk).length + part.remaining, part.total);
    parts.push(part.chunk);
    offset = part.next_offset;
  }
  return parts;
}

describe("the output of a run", () => {
  test("of 200 KB in Korean with emoji is read in chunks, the same byte for byte", async () => {
    const line = "가나다라 마바사 👩‍👩‍👧‍👦 오늘의 보고서 🇰🇷 é ✅\n";
    const text = line.repeat(Math.ceil((200 * 1_024) / Buffer.byteLength(line)));
    const at = await scenario(prints(text));
    const { id } = await at.call(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    for (const most of [8_000, 777, 4_000]) {
      const parts = await readAll(at, id, most);
      assert.ok(Buffer.from(parts.join("")).equals(Buffer.from(text)));
      assert.ok(parts.slice(0, -1).every((part) => Array.from(part).length === most));
    }
    const { total } = await at.call(runOutput, { id, offset: 10 ** 9 });
    assert.equal(total, Array.from(text).length);
  });
  test("has a message when it is empty", async () => {
    const at = await scenario(prints(""));
    const { id } = await at.call(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    const output = await at.call(runOutput, { id });
    const { message, chunk, total } = output;
    assert.deepEqual(
      { message, chunk, total },
      { message: "no output stored for this run", chunk: "", total: 0 },
    );
    const reader = { language: "en", zone: "UTC", now: 0 } as const;
    assert.equal(runOutput.render(output, reader), "No output stored for this run.");
  });
  test("takes offsets from 0, and 200 to 8000 characters, by default 4000", async () => {
    const at = await scenario(prints("x".repeat(9_000)));
    const { id } = await at.call(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    const bad = [{ offset: -1 }, { max_chars: 199 }, { max_chars: 8_001 }, { offset: 0.5 }];
    for (const wrong of bad) {
      await assert.rejects(at.call(runOutput, { id, ...wrong }), { code: "invalid" });
    }
    const { chunk, remaining, total } = await at.call(runOutput, { id });
    assert.deepEqual([chunk.length, remaining, total], [4_000, 5_000, 9_000]);
  });
});

describe("the runs of a schedule", () => {
  test("show how each ended, and are notified only with a receipt", async () => {
    const at = await scenario(prints("three are open"));
    const id = await at.made();
    const { id: run } = await at.call(runScheduleNow, { id });
    await at.pass(60_000);
    const [seen] = (await at.call(scheduleRuns, { schedule_id: "brief" })).runs;
    assert.equal(seen?.id, run);
    const { status, because, exit, output_summary: summary, attempt, notified } = seen;
    assert.deepEqual(
      { status, because, exit, summary, attempt, notified },
      {
        status: "completed",
        because: "run now",
        exit: 0,
        summary: "three are open",
        attempt: 1,
        notified: false,
      },
    );
    const request = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
    const [claimed] = (await at.ledger.work.claim(request)).records;
    assert.ok(claimed);
    const receipt = { receipt: { message: 1 }, reason: null, maybeDelivered: false };
    const { fence } = claimed.lease;
    await at.ledger.work.settle([
      { id: claimed.id, fence, revision: 1, ends: "delivered", outcome: receipt },
    ]);
    assert.equal((await at.call(scheduleRuns, { id })).runs[0]?.notified, true);
    assert.equal((await at.call(showSchedule, { id })).last_run_status, "completed");
  });
  test("show which one is running", async () => {
    const at = await scenario(
      fakeRunner(async () => {
        await sleep(at.clock, 30_000);
        return { result: "completed" };
      }),
    );
    const schedule = await at.made();
    const { id } = await at.call(runScheduleNow, { id: schedule });
    const words = async (language: "en" | "ko"): Promise<string> => {
      const reader = { language, zone: "UTC", now: 0 };
      const runs = scheduleRuns.render(await at.call(scheduleRuns, { id: schedule }), reader);
      return [runs, showRun.render(await at.call(showRun, { id }), reader)].join("\n");
    };
    await at.pass(1_000);
    assert.match(await words("en"), / at work .*\n.* at work /);
    assert.match(await words("ko"), / 실행 중 .*\n.* 실행 중 /);
    await at.pass(60_000);
    assert.match(await words("en"), / completed .*\n.* completed /);
  });
  test("are listed the newest first, five to a page, with the next page", async () => {
    const at = await scenario(prints("x"));
    const id = await at.made();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.unshift((await at.call(runScheduleNow, { id })).id);
      await at.pass(60_000);
    }
    const first = await at.call(scheduleRuns, { id });
    assert.deepEqual([first.count, first.runs.map((each) => each.id)], [5, ids.slice(0, 5)]);
    const rest = await at.call(scheduleRuns, { id, after: first.next ?? "" });
    assert.deepEqual(
      rest.runs.map((each) => each.id),
      ids.slice(5),
    );
    for (const limit of [0, 21]) {
      await assert.rejects(at.call(scheduleRuns, { id, limit }), { code: "invalid" });
    }
  });
  test("are not backfilled from a time in the future", async () => {
    const at = await scenario(prints("x"));
    const request = { id: await at.made(), from: "+1d" };
    await assert.rejects(at.call(backfillSchedule, request), {
      code: "invalid",
      message: '"from" is in the future: give a past time, such as 2026-11-01.',
    });
  });
  test("are backfilled for full days, from the start of the first to the end of the last", async () => {
    const at = await scenario(prints("x"));
    const before = inZone(at.kernel.now(), "Asia/Seoul");
    const today = before.toPlainDate().add({ days: 1 });
    const fourToday = today.toZonedDateTime({ timeZone: "Asia/Seoul", plainTime: "04:00" });
    await at.pass(fourToday.epochMilliseconds - before.epochMilliseconds);
    const expression = "0 3 * * *";
    const id = await at.made({ cadence: { type: "cron", expression, timezone: "Asia/Seoul" } });
    const [from, to] = [3, 1].map((days) => today.subtract({ days }).toString());
    const found = await at.call(backfillSchedule, { id, from, to, dry_run: true });
    assert.deepEqual(
      found.slots.map(({ slot }) => slot.local.slice(0, 16)),
      [3, 2, 1].map((days) => `${today.subtract({ days }).toString()}T03:00`),
    );
    const counts = { [today.toString()]: 1, today: 1, 오늘: 1, yesterday: 2, 그저께: 3 };
    for (const [from, expected] of Object.entries({ ...counts, "3 days ago": 3, "2일 전": 2 })) {
      const { count } = await at.call(backfillSchedule, { id, from, dry_run: true });
      assert.equal(count, expected, from);
    }
    const yesterday = { id, from: "yesterday", to: "어제", dry_run: true };
    assert.equal((await at.call(backfillSchedule, yesterday)).count, 1);
    await assert.rejects(at.call(backfillSchedule, { id, from: "3d", dry_run: true }), {
      code: "invalid",
      message: '"3d" is a length, not a time: write "in 3d" or "3d ago".',
    });
  });
  test("are backfilled between two times, once for each slot", async () => {
    const at = await scenario(prints("x"));
    const id = await at.made();
    const from = Temporal.Instant.fromEpochMilliseconds(at.kernel.now() - 12_600_000).toString();
    const plan = await at.call(backfillSchedule, { id, from, dry_run: true });
    assert.deepEqual([plan.count, plan.fresh, plan.slots[0]?.run_id], [4, false, null]);
    assert.equal((await at.call(scheduleRuns, { id })).count, 0);
    const done = await at.call(backfillSchedule, { id, from });
    assert.deepEqual([done.count, done.fresh], [4, true]);
    const again = await at.call(backfillSchedule, { id, from });
    assert.deepEqual([again.count, again.fresh], [0, false]);
    assert.deepEqual(
      again.slots.map((slot) => slot.run_id),
      done.slots.map((slot) => slot.run_id),
    );
    await at.pass(120_000);
    const { runs } = await at.call(scheduleRuns, { id, limit: 20 });
    assert.deepEqual(
      runs.map(({ status }) => status),
      Array.from({ length: 4 }, () => "completed"),
    );
    await assert.rejects(at.call(backfillSchedule, { id, from, limit: 2 }), { code: "too_large" });
    await assert.rejects(at.call(backfillSchedule, { id, from, limit: 101 }), { code: "invalid" });
  });
});

describe("a run in progress", () => {
  const endless = (): Runner =>
    fakeRunner(async (_, { signal }): Promise<Ran> => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { result: "failed", reason: "told to stop" };
    });
  test("blocks another run, and ends cancelled when it is cancelled", async () => {
    const at = await scenario(endless());
    const schedule = await at.made();
    const { id } = await at.call(runScheduleNow, { id: schedule });
    await at.pass(1_000);
    assert.equal((await at.call(showRun, { id })).at_work, true);
    await assert.rejects(at.call(runScheduleNow, { id: schedule }), {
      code: "held",
      message: `The schedule is running now, as ${id}: wait for that run to end, or cancel it first.`,
    });
    assert.equal((await at.call(cancelRun, { id, reason: "enough" })).cancel, "cancelling");
    await at.pass(60_000);
    assert.equal((await at.call(showRun, { id })).status, "cancelled");
    assert.equal((await at.call(cancelRun, { id })).cancel, "ended");
  });
  test("continues when its schedule is deleted; a waiting run is cancelled", async () => {
    const at = await scenario(endless());
    const schedule = await at.made();
    const { id } = await at.call(runScheduleNow, { id: schedule });
    await at.pass(1_000);
    const from = Temporal.Instant.fromEpochMilliseconds(at.kernel.now() - 3_700_000).toString();
    const { slots } = await at.call(backfillSchedule, { id: schedule, from });
    await at.pass(1_000);
    await at.call(deleteSchedule, { id: schedule });
    const waiting = slots[0]?.run_id ?? assert.fail("no slot was made up for");
    assert.equal((await at.call(showRun, { id: waiting })).status, "cancelled");
    assert.equal((await at.call(showRun, { id })).at_work, true);
  });
});

describe("a task", () => {
  const send = task({
    name: "send",
    input: z.object({ to: z.string() }),
    run: ({ to }, { ask }) => `sent to ${to}: ${ask("Send it?", { choices: ["Yes", "No"] })}`,
  });

  test("asks a person, continues with the answer, and refuses a second one", async () => {
    const at = await scenario(functionRunner(send));
    const { id, state } = await at.call(runTask, { task: "send", input: { to: "mina" } });
    assert.equal(state, "pending");
    await at.pass(1_000);
    const asking = await at.call(showRun, { id });
    assert.deepEqual([asking.status, asking.question?.text], ["needs_human", "Send it?"]);
    assert.equal(asking.attempt, 1);
    await assert.rejects(at.call(answerRun, { id, answer: "perhaps" }), {
      code: "invalid",
      message: '"perhaps" is none of the choices: answer "Yes", "No".',
    });
    const given = await at.call(answerRun, { id, answer: " yes" });
    assert.deepEqual(given.answers, [{ question: "Send it?", answer: "Yes" }]);
    await at.pass(1_000);
    const done = await at.call(showRun, { id });
    assert.deepEqual([done.status, done.result], ["completed", "sent to mina: Yes"]);
    await assert.rejects(at.call(answerRun, { id, answer: "No" }), {
      code: "ended",
      message: /^The run asks nothing: it is completed/,
    });
  });
  test("runs at its time, once for a key, with its input checked if it is known", async () => {
    const at = await scenario(functionRunner(send));
    const input = { task: "send", input: { to: "mina" }, at: "+2h", key: "k" };
    const first = await at.call(runTask, input);
    assert.deepEqual([first.unknown_task, first.fresh], ["send", true]);
    assert.deepEqual(
      [(await at.call(runTask, input)).id, (await at.call(runTask, input)).fresh],
      [first.id, false],
    );
    const known = withRunners(at.mina, { tasks: [send] });
    const wrong = runTask.run({ task: "send", input: { to: 7 } }, known);
    await assert.rejects(wrong, { code: "invalid", message: /^The input of send is wrong at to/ });
    const right = await runTask.run({ task: "send", input: { to: "jun" } }, known);
    assert.equal(right.unknown_task, undefined);
    await at.pass(3_600_000);
    assert.equal((await at.call(showRun, { id: first.id })).status, "pending");
    await at.pass(3_700_000);
    assert.equal((await at.call(showRun, { id: first.id })).status, "needs_human");
  });
  test("runs after a length or at an hour that it assumes, and says so", async () => {
    const at = await scenario(functionRunner(send));
    const length = await at.call(runTask, { task: "send", input: {}, at: "1h" });
    const now = at.kernel.now();
    assert.equal(Date.parse(length.due.utc) - now, 3_600_000);
    const hour = await at.call(runTask, { task: "send", input: {}, at: "tomorrow 3" });
    assert.deepEqual([hour.assumed, hour.instead], ["15:00", "3 am"]);
    assert.match(runTask.render(hour, bookFixture().reader()), /15:00 assumed; write 3 am/);
    const past = at.call(runTask, { task: "send", input: {}, at: "2시간 전" });
    await assert.rejects(past, {
      code: "invalid",
      message: /^"2시간 전" is .*, 2 hours ago: give a later time, or "now"\.$/,
    });
  });
  test("cannot have the name of a built-in runner", async () => {
    const at = await scenario(prints(""));
    for (const name of ["command", "http", "agent", "ping", "workspace"]) {
      await assert.rejects(at.call(runTask, { task: name, input: {} }), { code: "refused" });
    }
    await assert.rejects(at.call(runTask, { task: "no name!" }), { code: "invalid" });
  });
});

describe("the notification of a run", () => {
  test("is sent again without another run, to the same target", async () => {
    const runner = fakeRunner((): Ran => ({ result: "completed", said: "three are open" }));
    const at = await scenario(runner);
    const { id } = await at.call(runScheduleNow, { id: await at.made({ target: "telegram:7" }) });
    await at.pass(60_000);
    await assert.rejects(at.call(resendRun, { id }), { code: "held", message: /still waits/ });
    const request = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
    const [first] = (await at.ledger.work.claim(request)).records;
    assert.ok(first);
    const { fence } = first.lease;
    await at.ledger.work.settle([{ id: first.id, fence, revision: 1, ends: "failed" }]);
    const said = await at.call(resendRun, { run_id: id, key: "k" });
    assert.deepEqual(
      [said.message, said.target, said.type, said.state],
      ["three are open", "telegram:7", "run", "pending"],
    );
    assert.notEqual(said.id, first.id);
    assert.equal((await at.call(resendRun, { run_id: id, key: "k" })).fresh, false);
    assert.equal(runner.jobs.length, 1);
    assert.deepEqual(await at.messages(), ["three are open", "three are open"]);
  });
  test("omits the final line end of the output", async () => {
    const at = await scenario(prints("two\n\n  lines\n"));
    await at.call(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    assert.deepEqual(await at.messages(), ["two\n\n  lines"]);
  });
  test("cannot be sent again if there was none, and the error names explain", async () => {
    const at = await scenario(prints("x"));
    const { id } = await at.call(runScheduleNow, { id: await at.made({ notify: "never" }) });
    await at.pass(60_000);
    await assert.rejects(at.call(resendRun, { id }), {
      code: "stale",
      message: new RegExp(`daybook explain ${id}`),
    });
  });
  test("is explained by the run, its slot and its schedule, in both languages", async () => {
    const at = await scenario(prints("three are open"));
    const schedule = await at.made();
    const { id } = await at.call(runScheduleNow, { id: schedule });
    await at.pass(60_000);
    const { records } = await at.ledger.of("mina", "mina").list({ kind: notificationKind });
    const story = await at.call(explain, { id: records[0]?.id ?? "" });
    assert.deepEqual(
      story.because.map((cause) => [cause.kind, cause.run?.name ?? cause.schedule?.name]),
      [
        ["task", "brief"],
        ["schedule", "brief"],
      ],
    );
    const reader = { zone: "Asia/Seoul", now: at.kernel.now() };
    const told = explain.render(story, { ...reader, language: "en" });
    assert.match(told, new RegExp(`cause +run 1 \\(${id}\\) of "brief", completed on `));
    assert.match(told, /cause +a run was requested on .* Asia\/Seoul, started \d+ ms after/);
    assert.match(told, /cause +the schedule "brief", every hour.*, which is active/);
    assert.match(
      told,
      /cause +created by mina-at-cli on .* in stdout:daemon; its answers go only there/,
    );
    const korean = explain.render(story, { ...reader, language: "ko" });
    assert.match(korean, /원인 +"brief" 실행 1 \(\S+\), 완료/);
    const run = explain.render(await at.call(explain, { id }), { ...reader, language: "en" });
    assert.match(run, /message +three are open/);
    const whole = explain.render(await at.call(explain, { id: schedule }), {
      ...reader,
      language: "en",
    });
    assert.match(whole, /time +every hour/);
  });
});

test("a record that a run creates inherits its origin and target", async () => {
  const made: string[] = [];
  const runner = fakeRunner(async (job): Promise<Ran> => {
    const { owner, by, origin } = job;
    const caller = { owner, by, scopes: ["write"], origin } as const;
    const input = { name: "child", when: "every day", run: { task: "fake" } };
    const { output } = await callOperation(at.mina, createSchedule, input, caller);
    made.push(createSchedule.output.parse(output).id);
    return { result: "completed" };
  });
  const at = await scenario(runner);
  const chat = { ...at.mina, origin: "telegram:1234" };
  const input = { name: "parent", when: "every day", run: { task: "fake" } };
  const { output } = await callOperation(chat, createSchedule, input, chat);
  await at.call(runScheduleNow, { id: createSchedule.output.parse(output).id });
  await at.pass(60_000);
  const child = await at.call(showSchedule, { id: made[0] ?? "" });
  assert.deepEqual(
    [child.channel_id, child.channel_context_id, child.target],
    ["telegram", "1234", "telegram:1234"],
  );
});

test("a run of another book answers like a missing one in every operation", async () => {
  const at = await scenario(prints("x"));
  const { id: theirs } = await at.call(runScheduleNow, { id: await at.made() });
  const jun = { ...at.mina, owner: "jun", by: "jun" };
  const ways: [Operation, object][] = [
    [showRun, {}],
    [runOutput, {}],
    [cancelRun, {}],
    [answerRun, { answer: "x" }],
    [resendRun, {}],
  ];
  for (const [operation, more] of ways) {
    const said = async (id: string): Promise<string> => {
      const answer = callOperation(jun, operation, { id, ...more }, jun);
      const error = await answer.then(
        () => assert.fail("it was found"),
        (error: Error) => error,
      );
      return error.message.replaceAll(id, "ID");
    };
    assert.equal(await said(theirs), await said("01a1e170-0000-7000-8000-000000000000"));
  }
});
