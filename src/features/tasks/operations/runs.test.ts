import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { bookFixture, withRunners } from "../../../../test/book-fixture.ts";
import { ask } from "../../../kernel/ask.ts";
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
  /** Asks as a face does. */
  asked<Output>(operation: Operation<z.ZodObject, Output>, input: object): Promise<Output>;
  made(more?: object): Promise<string>;
}

/** A node that runs what `runner` runs, and somebody who asks. */
async function scenario(runner: Runner): Promise<Scenario> {
  const at = runFixture();
  await at.node(runner);
  const mina = { ...bookFixture().mina, ledger: at.ledger, now: at.kernel.now };
  const asked: Scenario["asked"] = async (operation, input) =>
    operation.output.parse((await ask(mina, operation, input, mina)).output);
  const made = async (more: object = {}): Promise<string> => {
    const run = { task: runner.name };
    const input = {
      name: "brief",
      cadence: { type: "cron", expression: "0 * * * *" },
      run,
      ...more,
    };
    return (await asked(createSchedule, input)).id;
  };
  return Object.assign(at, { mina, asked, made });
}

function says(text: string): Runner {
  return fakeRunner((_, { write }): Ran => {
    write(text);
    return { result: "completed", exit: 0 };
  });
}

/** Reads as somebody does who is told where the next part begins. */
async function readAll(at: Scenario, id: string, most: number): Promise<string[]> {
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const part: z.infer<typeof runOutput.output> = await at.asked(runOutput, {
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
  test("of 200 KB in Korean with emoji is read in parts, and is the same byte for byte", async () => {
    const line = "가나다라 마바사 👩‍👩‍👧‍👦 오늘의 보고서 🇰🇷 é ✅\n";
    const text = line.repeat(Math.ceil((200 * 1_024) / Buffer.byteLength(line)));
    const at = await scenario(says(text));
    const { id } = await at.asked(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    for (const most of [8_000, 777, 4_000]) {
      const parts = await readAll(at, id, most);
      assert.ok(Buffer.from(parts.join("")).equals(Buffer.from(text)));
      assert.ok(parts.slice(0, -1).every((part) => Array.from(part).length === most));
    }
    const { total } = await at.asked(runOutput, { id, offset: 10 ** 9 });
    assert.equal(total, Array.from(text).length);
  });
  test("is said to be none where there is none", async () => {
    const at = await scenario(says(""));
    const { id } = await at.asked(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    const output = await at.asked(runOutput, { id });
    const { message, chunk, total } = output;
    assert.deepEqual(
      { message, chunk, total },
      { message: "no output stored for this run", chunk: "", total: 0 },
    );
    const reader = { language: "en", zone: "UTC", now: 0 } as const;
    assert.equal(runOutput.render(output, reader), "No output stored for this run.");
  });
  test("takes offsets from 0, and 200 to 8000 characters, 4000 when nothing is said", async () => {
    const at = await scenario(says("x".repeat(9_000)));
    const { id } = await at.asked(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    const bad = [{ offset: -1 }, { max_chars: 199 }, { max_chars: 8_001 }, { offset: 0.5 }];
    for (const wrong of bad) {
      await assert.rejects(at.asked(runOutput, { id, ...wrong }), { code: "invalid" });
    }
    const { chunk, remaining, total } = await at.asked(runOutput, { id });
    assert.deepEqual([chunk.length, remaining, total], [4_000, 5_000, 9_000]);
  });
});

describe("the runs of a schedule", () => {
  test("say what became of each, and that it was told only when there is a receipt", async () => {
    const at = await scenario(says("three are open"));
    const id = await at.made();
    const { id: run } = await at.asked(runScheduleNow, { id });
    await at.pass(60_000);
    const [seen] = (await at.asked(scheduleRuns, { schedule_id: "brief" })).runs;
    assert.equal(seen?.run_id, run);
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
    assert.equal((await at.asked(scheduleRuns, { id })).runs[0]?.notified, true);
    assert.equal((await at.asked(showSchedule, { id })).last_run_status, "completed");
  });
  test("say which of them is at work", async () => {
    const at = await scenario(
      fakeRunner(async () => {
        await sleep(at.clock, 30_000);
        return { result: "completed" };
      }),
    );
    const schedule = await at.made();
    const { id } = await at.asked(runScheduleNow, { id: schedule });
    const words = async (language: "en" | "ko"): Promise<string> => {
      const reader = { language, zone: "UTC", now: 0 };
      const runs = scheduleRuns.render(await at.asked(scheduleRuns, { id: schedule }), reader);
      return [runs, showRun.render(await at.asked(showRun, { id }), reader)].join("\n");
    };
    await at.pass(1_000);
    assert.match(await words("en"), / at work\n.* at work /);
    assert.match(await words("ko"), / 실행 중\n.* 실행 중 /);
    await at.pass(60_000);
    assert.match(await words("en"), / completed\n.* completed /);
  });
  test("come the newest first, five at a time, with the way on", async () => {
    const at = await scenario(says("x"));
    const id = await at.made();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.unshift((await at.asked(runScheduleNow, { id })).id);
      await at.pass(60_000);
    }
    const first = await at.asked(scheduleRuns, { id });
    assert.deepEqual([first.count, first.runs.map((each) => each.run_id)], [5, ids.slice(0, 5)]);
    const rest = await at.asked(scheduleRuns, { id, after: first.next ?? "" });
    assert.deepEqual(
      rest.runs.map((each) => each.run_id),
      ids.slice(5),
    );
    for (const limit of [0, 21]) {
      await assert.rejects(at.asked(scheduleRuns, { id, limit }), { code: "invalid" });
    }
  });
  test("are not made up for from a time that is still to come", async () => {
    const at = await scenario(says("x"));
    const asked = { id: await at.made(), from: "+1d" };
    await assert.rejects(at.asked(backfillSchedule, asked), {
      code: "invalid",
      message: '"from" is still to come: say a time that lies back, such as 2026-11-01.',
    });
  });
  test("are made up for of whole days, from the start of the first to the end of the last", async () => {
    const at = await scenario(says("x"));
    const before = inZone(at.kernel.now(), "Asia/Seoul");
    const today = before.toPlainDate().add({ days: 1 });
    const fourToday = today.toZonedDateTime({ timeZone: "Asia/Seoul", plainTime: "04:00" });
    await at.pass(fourToday.epochMilliseconds - before.epochMilliseconds);
    const expression = "0 3 * * *";
    const id = await at.made({ cadence: { type: "cron", expression, timezone: "Asia/Seoul" } });
    const [from, to] = [3, 1].map((days) => today.subtract({ days }).toString());
    const found = await at.asked(backfillSchedule, { id, from, to, dry_run: true });
    assert.deepEqual(
      found.slots.map(({ slot }) => slot.local.slice(0, 16)),
      [3, 2, 1].map((days) => `${today.subtract({ days }).toString()}T03:00`),
    );
    for (const from of [today.toString(), "today", "오늘"]) {
      const { count } = await at.asked(backfillSchedule, { id, from, dry_run: true });
      assert.equal(count, 1);
    }
  });
  test("are made up for between two times, each slot once however often it is asked", async () => {
    const at = await scenario(says("x"));
    const id = await at.made();
    const from = Temporal.Instant.fromEpochMilliseconds(at.kernel.now() - 12_600_000).toString();
    const plan = await at.asked(backfillSchedule, { id, from, dry_run: true });
    assert.deepEqual([plan.count, plan.fresh, plan.slots[0]?.run_id], [4, false, null]);
    assert.equal((await at.asked(scheduleRuns, { id })).count, 0);
    const done = await at.asked(backfillSchedule, { id, from });
    assert.deepEqual([done.count, done.fresh], [4, true]);
    const again = await at.asked(backfillSchedule, { id, from });
    assert.deepEqual([again.count, again.fresh], [0, false]);
    assert.deepEqual(
      again.slots.map((slot) => slot.run_id),
      done.slots.map((slot) => slot.run_id),
    );
    await at.pass(120_000);
    const { runs } = await at.asked(scheduleRuns, { id, limit: 20 });
    assert.deepEqual(
      runs.map(({ status }) => status),
      Array.from({ length: 4 }, () => "completed"),
    );
    await assert.rejects(at.asked(backfillSchedule, { id, from, limit: 2 }), { code: "too_large" });
    await assert.rejects(at.asked(backfillSchedule, { id, from, limit: 101 }), { code: "invalid" });
  });
});

describe("a run that is at work", () => {
  const endless = (): Runner =>
    fakeRunner(async (_, { signal }): Promise<Ran> => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { result: "failed", reason: "told to stop" };
    });
  test("is the only one, is stopped when it is cancelled, and ends cancelled", async () => {
    const at = await scenario(endless());
    const schedule = await at.made();
    const { id } = await at.asked(runScheduleNow, { id: schedule });
    await at.pass(1_000);
    assert.equal((await at.asked(showRun, { id })).at_work, true);
    await assert.rejects(at.asked(runScheduleNow, { id: schedule }), {
      code: "held",
      message: `It is running right now, as ${id}: wait for its end, or cancel that run first.`,
    });
    assert.equal((await at.asked(cancelRun, { id, reason: "enough" })).cancel, "cancelling");
    await at.pass(60_000);
    assert.equal((await at.asked(showRun, { id })).status, "cancelled");
    assert.equal((await at.asked(cancelRun, { id })).cancel, "ended");
  });
  test("goes on when its schedule is deleted; one that waits for its turn is taken back", async () => {
    const at = await scenario(endless());
    const schedule = await at.made();
    const { id } = await at.asked(runScheduleNow, { id: schedule });
    await at.pass(1_000);
    const from = Temporal.Instant.fromEpochMilliseconds(at.kernel.now() - 3_700_000).toString();
    const { slots } = await at.asked(backfillSchedule, { id: schedule, from });
    await at.pass(1_000);
    await at.asked(deleteSchedule, { id: schedule });
    const waiting = slots[0]?.run_id ?? assert.fail("no slot was made up for");
    assert.equal((await at.asked(showRun, { id: waiting })).status, "cancelled");
    assert.equal((await at.asked(showRun, { id })).at_work, true);
  });
});

describe("a task", () => {
  const send = task({
    name: "send",
    input: z.object({ to: z.string() }),
    run: ({ to }, { ask }) => `sent to ${to}: ${ask("Send it?", { choices: ["Yes", "No"] })}`,
  });

  test("asks a person, goes on with the answer, and takes no answer after that", async () => {
    const at = await scenario(functionRunner(send));
    const { id, state } = await at.asked(runTask, { task: "send", input: { to: "mina" } });
    assert.equal(state, "pending");
    await at.pass(1_000);
    const asking = await at.asked(showRun, { id });
    assert.deepEqual([asking.status, asking.question?.text], ["needs_human", "Send it?"]);
    assert.equal(asking.attempt, 1);
    await assert.rejects(at.asked(answerRun, { id, answer: "perhaps" }), {
      code: "invalid",
      message: '"perhaps" is none of the choices: say "Yes", "No".',
    });
    const given = await at.asked(answerRun, { id, answer: " yes" });
    assert.deepEqual(given.answers, [{ question: "Send it?", answer: "Yes" }]);
    await at.pass(1_000);
    const done = await at.asked(showRun, { id });
    assert.deepEqual([done.status, done.result], ["completed", "sent to mina: Yes"]);
    await assert.rejects(at.asked(answerRun, { id, answer: "No" }), {
      code: "ended",
      message: /^It asks nothing, being completed/,
    });
  });
  test("runs at the time asked for, once for a key, with its input checked where it is known", async () => {
    const at = await scenario(functionRunner(send));
    const input = { task: "send", input: { to: "mina" }, at: "+2h", key: "k" };
    const first = await at.asked(runTask, input);
    assert.deepEqual([first.unknown_task, first.fresh], ["send", true]);
    assert.deepEqual(
      [(await at.asked(runTask, input)).id, (await at.asked(runTask, input)).fresh],
      [first.id, false],
    );
    const known = withRunners(at.mina, { tasks: [send] });
    const wrong = runTask.run({ task: "send", input: { to: 7 } }, known);
    await assert.rejects(wrong, { code: "invalid", message: /^The input of send is wrong at to/ });
    const right = await runTask.run({ task: "send", input: { to: "jun" } }, known);
    assert.equal(right.unknown_task, undefined);
    await at.pass(3_600_000);
    assert.equal((await at.asked(showRun, { id: first.id })).status, "pending");
    await at.pass(3_700_000);
    assert.equal((await at.asked(showRun, { id: first.id })).status, "needs_human");
  });
  test("is none that a runner of ours has the name of", async () => {
    const at = await scenario(says(""));
    for (const name of ["command", "http", "agent", "ping", "workspace"]) {
      await assert.rejects(at.asked(runTask, { task: name, input: {} }), { code: "refused" });
    }
    await assert.rejects(at.asked(runTask, { task: "no name!" }), { code: "invalid" });
  });
});

describe("what a run said", () => {
  test("is said again without running it, as a new notification to the same place", async () => {
    const runner = fakeRunner((): Ran => ({ result: "completed", said: "three are open" }));
    const at = await scenario(runner);
    const { id } = await at.asked(runScheduleNow, { id: await at.made({ target: "telegram:7" }) });
    await at.pass(60_000);
    await assert.rejects(at.asked(resendRun, { id }), { code: "held", message: /still waits/ });
    const request = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
    const [first] = (await at.ledger.work.claim(request)).records;
    assert.ok(first);
    const { fence } = first.lease;
    await at.ledger.work.settle([{ id: first.id, fence, revision: 1, ends: "failed" }]);
    const said = await at.asked(resendRun, { run_id: id, key: "k" });
    assert.deepEqual(
      [said.message, said.target, said.type, said.state],
      ["three are open", "telegram:7", "run", "pending"],
    );
    assert.notEqual(said.id, first.id);
    assert.equal((await at.asked(resendRun, { run_id: id, key: "k" })).fresh, false);
    assert.equal(runner.jobs.length, 1);
    assert.deepEqual(await at.messages(), ["three are open", "three are open"]);
  });
  test("is told without the line end that programs close with", async () => {
    const at = await scenario(says("two\n\n  lines\n"));
    await at.asked(runScheduleNow, { id: await at.made() });
    await at.pass(60_000);
    assert.deepEqual(await at.messages(), ["two\n\n  lines"]);
  });
  test("is nothing when it was silent, and the sentence says where to look", async () => {
    const at = await scenario(says("x"));
    const { id } = await at.asked(runScheduleNow, { id: await at.made({ notify: "never" }) });
    await at.pass(60_000);
    await assert.rejects(at.asked(resendRun, { id }), {
      code: "stale",
      message: new RegExp(`daybook explain ${id}`),
    });
  });
  test("is explained back to the run, its slot and its schedule, in both languages", async () => {
    const at = await scenario(says("three are open"));
    const schedule = await at.made();
    const { id } = await at.asked(runScheduleNow, { id: schedule });
    await at.pass(60_000);
    const { records } = await at.ledger.of("mina", "mina").list({ kind: notificationKind });
    const story = await at.asked(explain, { id: records[0]?.id ?? "" });
    assert.deepEqual(
      story.because.map((cause) => [cause.kind, cause.run?.name ?? cause.schedule?.name]),
      [
        ["task", "brief"],
        ["schedule", "brief"],
      ],
    );
    const reader = { zone: "Asia/Seoul", now: at.kernel.now() };
    const told = explain.render(story, { ...reader, language: "en" });
    assert.match(told, new RegExp(`because +run 1 \\(${id}\\) of "brief", completed on `));
    assert.match(told, /because +somebody asked for a run on .* Asia\/Seoul, started \d+ ms after/);
    assert.match(told, /because +schedule "brief", every hour.*, active now/);
    assert.match(
      told,
      /because +made by mina-at-cli on .* in stdout:daemon; it answers only there/,
    );
    const korean = explain.render(story, { ...reader, language: "ko" });
    assert.match(korean, /이유 +"brief" 실행 1 \(\S+\), 완료/);
    const run = explain.render(await at.asked(explain, { id }), { ...reader, language: "en" });
    assert.match(run, /message +three are open/);
    const whole = explain.render(await at.asked(explain, { id: schedule }), {
      ...reader,
      language: "en",
    });
    assert.match(whole, /time +every hour/);
  });
});

test("what a run creates has the origin of the run, and answers where that was", async () => {
  const made: string[] = [];
  const runner = fakeRunner(async (job): Promise<Ran> => {
    const { owner, by, origin } = job;
    const caller = { owner, by, scopes: ["write"], origin } as const;
    const input = { name: "child", when: "every day", run: { task: "fake" } };
    const { output } = await ask(at.mina, createSchedule, input, caller);
    made.push(createSchedule.output.parse(output).id);
    return { result: "completed" };
  });
  const at = await scenario(runner);
  const chat = { ...at.mina, origin: "telegram:1234" };
  const input = { name: "parent", when: "every day", run: { task: "fake" } };
  const { output } = await ask(chat, createSchedule, input, chat);
  await at.asked(runScheduleNow, { id: createSchedule.output.parse(output).id });
  await at.pass(60_000);
  const child = await at.asked(showSchedule, { id: made[0] ?? "" });
  assert.deepEqual(
    [child.channel_id, child.channel_context_id, child.target],
    ["telegram", "1234", "telegram:1234"],
  );
});

test("a run of another book answers like one that never was, on every way to it", async () => {
  const at = await scenario(says("x"));
  const { id: theirs } = await at.asked(runScheduleNow, { id: await at.made() });
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
      const asked = ask(jun, operation, { id, ...more }, jun);
      const error = await asked.then(
        () => assert.fail("it was there"),
        (error: Error) => error,
      );
      return error.message.replaceAll(id, "ID");
    };
    assert.equal(await said(theirs), await said("01a1e170-0000-7000-8000-000000000000"));
  }
});
