import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import {
  bookFixture,
  using,
  withRunners,
  type BookFixture,
} from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Context } from "../../../kernel/operation.ts";
import { provide } from "../../../kernel/port.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { toErrorData } from "../../../platform/errors.ts";
import { task } from "../../tasks/function.ts";
import type { LocalRunners } from "../../tasks/ports.ts";
import { scheduleLimits, type ScheduleLimits } from "../ports.ts";
import { createSchedule } from "./create.ts";
import { deleteSchedule } from "./lifecycle.ts";
import { runScheduleNow } from "./runs.ts";

interface Surroundings {
  who?: Context;
  scopes?: readonly Scope[];
  runners?: LocalRunners;
  limits?: ScheduleLimits;
}

type Made = Awaited<ReturnType<typeof createSchedule.run>>;

/** Asks as a face does: the names of the seeds' tools are read. */
async function make(
  at: BookFixture,
  input: object,
  { who = at.mina, scopes = who.scopes, runners, limits }: Surroundings = {},
): Promise<Made> {
  const limited =
    limits === undefined
      ? who
      : using(
          who,
          provide(scheduleLimits, () => limits),
        );
  const context = runners === undefined ? limited : withRunners(limited, runners);
  return (await callOperation(context, createSchedule, input, { ...context, scopes }))
    .output as Made;
}

test("a condition in the time makes an agent's schedule conditional", async () => {
  const agent = "Look at the sky.";
  const made = await make(bookFixture(), {
    when: "every day 9am only if it rains",
    run: { agent },
  });
  assert.deepEqual(
    [made.notify, made.run],
    ["conditional", { agent: `${agent}\nonly if it rains` }],
  );
});

async function refusal(input: object, who: Surroundings = {}): Promise<[string, string]> {
  const at = bookFixture();
  try {
    await make(at, input, who);
  } catch (error) {
    const { records } = await at.ledger.of("mina", "mina").list({});
    assert.deepEqual(records, [], "something was written");
    const { code, message } = toErrorData(error);
    return [code, message];
  }
  return ["taken", ""];
}

const run = { command: ["./report.sh", "--all"] };

describe("a schedule", () => {
  test("shows its time as a phrase, its next five times and its target", async () => {
    const made = await make(bookFixture(), { name: "brief", when: "weekdays 08:30", run });
    assert.deepEqual(
      [made.name, made.status, made.when, made.target, made.target_because],
      ["brief", "active", "every weekday at 08:30 (Asia/Seoul)", "stdout:daemon", "origin"],
    );
    assert.deepEqual([made.channel_id, made.channel_context_id], ["stdout", "daemon"]);
    assert.equal(made.next_run_at, "2026-11-15T23:30:00Z");
    assert.deepEqual(
      made.next?.map(({ local }) => local.slice(0, 16)),
      [16, 17, 18, 19, 20].map((day) => `2026-11-${day}T08:30`),
    );
    assert.deepEqual(made.run, run);
    assert.deepEqual([made.notify, made.misfire, made.overlap], ["always", "latest", "skip"]);
    assert.deepEqual([made.notify_after_failures, made.disable_after_failures], [3, 5]);
  });

  test("says what it assumed where the time was incomplete", async () => {
    const at = bookFixture();
    const made = await make(at, { name: "brief", when: "평일 3시", run });
    assert.deepEqual([made.assumed, made.instead], ["15:00", "3 am"]);
    assert.match(
      createSchedule.render(made, at.reader()),
      /^'brief' runs every weekday at 15:00 \(Asia\/Seoul; 15:00 assumed; write 3 am for the morning\) → /,
    );
    assert.match(
      createSchedule.render(made, { ...at.reader(), language: "ko" }),
      /읽은 시각 15:00/,
    );
    at.clock.advance(12 * 60_000 + 500);
    const rule = await make(at, { name: "rule", when: "FREQ=DAILY;BYHOUR=9", run });
    assert.deepEqual([rule.assumed, rule.instead], [":13", undefined]);
  });

  const times: [asked: object, when: string, first: string][] = [
    [{ when: "매주 월요일 10시" }, "every Monday at 10:00 (Asia/Seoul)", "2026-11-16T01:00:00Z"],
    [{ when: "2시간마다" }, "every 2 h", "2026-11-16T01:00:00Z"],
    [{ cadence: { type: "interval", every: 90 } }, "every 1 min 30 s", "2026-11-15T23:01:30Z"],
    [{ cadence: { type: "interval", every: "2h" } }, "every 2 h", "2026-11-16T01:00:00Z"],
    [
      { cadence: { type: "cron", expression: "0 3 * * *", timezone: "Asia/Kolkata" } },
      "every day at 03:00 (Asia/Kolkata)",
      "2026-11-16T21:30:00Z",
    ],
    [
      { cadence: { type: "cron", expression: "0 3 * * *" }, timezone: "UTC" },
      "every day at 03:00 (UTC)",
      "2026-11-16T03:00:00Z",
    ],
    [
      { cadence: { type: "rrule", rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0" } },
      "every day at 09:00 (Asia/Seoul)",
      "2026-11-16T00:00:00Z",
    ],
    [
      { when: "RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0" },
      "every day at 09:00 (Asia/Seoul)",
      "2026-11-16T00:00:00Z",
    ],
    [
      { when: " byhour=3;byminute=0;freq=daily", timezone: "UTC" },
      "every day at 03:00 (UTC)",
      "2026-11-16T03:00:00Z",
    ],
    [
      { cadence: { type: "once", at: "2026-12-25T09:00:00+09:00" } },
      "once, on Fri 25 Dec 2026 09:00:00 (Asia/Seoul)",
      "2026-12-25T00:00:00Z",
    ],
    [
      { when: "2026-12-25T09:00:00+09:00", timezone: "UTC" },
      "once, on Fri 25 Dec 2026 00:00:00 (UTC)",
      "2026-12-25T00:00:00Z",
    ],
    [
      { cadence_type: "cron", cadence_value: "0 3 * * *", timezone: "UTC" },
      "every day at 03:00 (UTC)",
      "2026-11-16T03:00:00Z",
    ],
    [{ cadence_type: "interval", cadence_value: "3600" }, "every 1 h", "2026-11-16T00:00:00Z"],
    [
      { cadence_type: "once", cadence_value: "2026-12-25T00:00:00Z" },
      "once, on Fri 25 Dec 2026 09:00:00 (Asia/Seoul)",
      "2026-12-25T00:00:00Z",
    ],
  ];
  for (const [asked, when, first] of times) {
    test(`from ${JSON.stringify(asked)} runs ${when}`, async () => {
      const made = await make(bookFixture(), { ...asked, run });
      assert.deepEqual([made.when, made.next_run_at], [when, first]);
    });
  }

  const runs: [asked: object, runner: string, name: string][] = [
    [{ run }, "command", "report.sh"],
    [{ run: { task: "invoice.send", input: { id: 7 } } }, "task", "invoice.send"],
    [{ run: { http: "https://example.org/hook" } }, "http", "example.org"],
    [{ run: { agent: "Summarise my mail" } }, "agent", "Summarise my mail"],
    [{ goal: "Summarise my mail", notification: "conditional" }, "agent", "Summarise my mail"],
    [{ goal: "tidy", run: { agent: "tidy" } }, "agent", "tidy"],
    [{ goal: "tidy", run: {} }, "agent", "tidy"],
  ];
  for (const [asked, runner, name] of runs) {
    test(`that runs ${JSON.stringify(asked)} is named ${name} by default`, async () => {
      const at = bookFixture();
      const made = await make(at, { when: "every day", ...asked });
      assert.deepEqual([made.runner, made.name], [runner, name]);
      assert.equal((await make(at, { when: "every day", ...asked })).name, `${name} 2`);
    });
  }

  test("takes the seeds' name of disable_after_failures", async () => {
    const asked = { when: "every day", run, auto_disable_after_failures: 7 };
    assert.equal((await make(bookFixture(), asked)).disable_after_failures, 7);
    await assert.rejects(
      make(bookFixture(), { ...asked, disable_after_failures: 7 }),
      /given twice/,
    );
  });
  test("of an HTTP call shows its secret once", async () => {
    const at = bookFixture();
    const asked = { when: "every day", run: { http: "https://example.org/" }, key: "k" };
    const { secret = "", ...made } = await make(at, asked);
    assert.match(secret, /^whsec_/);
    const repeated = await make(at, asked);
    assert.deepEqual([repeated.fresh, repeated.id, repeated.secret], [false, made.id, undefined]);
    assert.doesNotMatch(JSON.stringify([made, repeated]), /whsec_/);
  });
  test("with the same key is created once, and another body conflicts", async () => {
    const at = bookFixture();
    const asked = { when: "every 2h", run, key: "k" };
    const { id } = await make(at, asked);
    at.clock.advance(60_000);
    assert.deepEqual((await make(at, asked)).id, id);
    await assert.rejects(make(at, { ...asked, when: "every 3h" }), { code: "conflict" });
  });
  test("keeps its origin beside another target", async () => {
    const at = bookFixture();
    const made = await make(at, { when: "every day", run, target: "telegram:7" });
    assert.deepEqual([made.target, made.target_because], ["telegram:7", "asked"]);
    assert.deepEqual([made.channel_id, made.channel_context_id], ["stdout", "daemon"]);
  });
  test("takes every setting", async () => {
    const made = await make(bookFixture(), {
      name: "all",
      when: "every day",
      run: { command: ["ls"], cwd: "jobs" },
      notify: "never",
      misfire: "all",
      overlap: "queue",
      rerun: true,
      timeout: "90s",
      notify_after_failures: 1,
      disable_after_failures: 0,
      budget: { runs_per_day: 4, cost_per_run: 0.5 },
    });
    const { notify, misfire, overlap, rerun, timeout, budget } = made;
    assert.deepEqual(
      { notify, misfire, overlap, rerun, timeout, budget },
      {
        notify: "never",
        misfire: "all",
        overlap: "queue",
        rerun: true,
        timeout: 90,
        budget: { runs_per_day: 4, cost_per_run: 0.5 },
      },
    );
    assert.deepEqual([made.notify_after_failures, made.disable_after_failures], [1, 0]);
  });
});

describe("a schedule of a task", () => {
  const send = task({
    name: "send",
    input: z.object({ id: z.number() }),
    timeout: 5_000,
    run() {},
  });
  const runners = { tasks: [send] };
  test("with a runner here has its input checked, and its timeout", async () => {
    const at = bookFixture();
    const asked = { when: "every day", run: { task: "send", input: { id: 7 } } };
    const made = await make(at, asked, { runners });
    assert.deepEqual([made.timeout, made.unknown_task], [5, undefined]);
    const wrong = { ...asked, run: { task: "send", input: { id: "x" } } };
    await assert.rejects(make(at, wrong, { runners }), { code: "invalid", message: /at id/ });
  });
  test("without a runner here is accepted with a warning", async () => {
    const asked = { when: "every day", run: { task: "other" } };
    assert.equal((await make(bookFixture(), asked, { runners })).unknown_task, "other");
  });
});

describe("an invalid schedule is refused with advice, and not written:", () => {
  const day = { when: "every day" };
  const cron = (expression: string) => ({ cadence: { type: "cron", expression }, run });
  const rule = (text: string) => ({ cadence: { type: "rrule", rule: text }, run });
  const cases: [name: string, input: object, code: string, says: RegExp][] = [
    ["no time", { run }, "invalid", /^The time is missing/],
    ["two times", { ...day, cadence: { type: "interval", every: "2h" }, run }, "invalid", /one of/],
    ["nothing to run", day, "invalid", /^Nothing to run/],
    ["two things", { ...day, run: { ...run, agent: "x" } }, "invalid", /has one of/],
    [
      "a goal beside a run",
      { ...day, run, goal: "x" },
      "invalid",
      /^"goal" is the run of an agent, but "run" has a command: .* one of them; .* "name"\.$/,
    ],
    [
      "a goal beside another",
      { ...day, run: { agent: "y" }, goal: "x" },
      "invalid",
      /has an agent/,
    ],
    ["a goal beside no object", { ...day, run: "x", goal: "x" }, "invalid", /"run"/],
    ["half a seed's cadence", { cadence_type: "cron", run }, "invalid", /give both/],
    ["an unknown type", { cadence: { type: "moon" }, run }, "invalid", /once, cron, interval or/],
    ["an unknown name", { ...day, run: { ...run, shell: true } }, "invalid", /"run" takes no "she/],
    ["31 April", cron("0 0 31 4 *"), "invalid", /never fires|31|day/i],
    ["*/0", cron("*/0 * * * *"), "invalid", /0/],
    ["minute 60", cron("60 * * * *"), "invalid", /60/],
    ["30 February by rule", rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), "invalid", /never fires/],
    [
      "a rule in words that never fires",
      { when: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", run },
      "invalid",
      /never fires/,
    ],
    [
      "a rule in words that is none",
      { when: "RRULE:FREQ=OFTEN", run },
      "invalid",
      /recurrence rule/,
    ],
    ["a dense rule", rule("FREQ=SECONDLY"), "invalid", /./],
    ["a gap too small", { cadence: { type: "interval", every: 10 }, run }, "invalid", /1 min/],
    ["seconds", cron("*/5 * * * * *"), "invalid", /at least 1 min/],
    [
      "a time that is past",
      { cadence: { type: "once", at: "2020-01-01T00:00Z" }, run },
      "invalid",
      /past/,
    ],
    ["an unknown zone", { ...day, timezone: "Mars/Base", run }, "invalid", /time zone/],
    [
      "a zone in the cadence",
      { cadence: { type: "cron", expression: "0 3 * * *", timezone: "X" }, run },
      "invalid",
      /time zone/,
    ],
    ["words", { when: "when the cows come home", run }, "invalid", /./],
    ["an empty command", { ...day, run: { command: [] } }, "invalid", /give a program to run/],
    ["cwd without a command", { ...day, run: { task: "x", cwd: "/" } }, "invalid", /cwd/],
    [
      "a runner's name as a task",
      { ...day, run: { task: "command", input: run } },
      "refused",
      /not a task/,
    ],
    ["another's inbox", { ...day, run, target: "inbox:jun" }, "refused", /your own inbox/],
    ["a channel that is none", { ...day, run, target: "pager:1" }, "invalid", /Unknown channel/],
    ["a timeout of months", { ...day, run, timeout: "2 months" }, "invalid", /length/],
    ["too many failures", { ...day, run, notify_after_failures: -1 }, "invalid", /at least 0/],
    ["a budget of nothing", { ...day, run, budget: { runs_per_day: 0 } }, "invalid", /at least 1/],
    ["a name of two lines", { ...day, run, name: "a\nb" }, "invalid", /one line/],
  ];
  for (const [name, input, code, says] of cases) {
    test(name, async () => {
      const [got, message] = await refusal(input);
      assert.equal(got, code, message);
      assert.match(message, says);
    });
  }
  const onlyFunctions =
    "Only functions run here, by their names: to run a command, an agent or an HTTP call, use a daemon over the same book (daybook start).";
  const setUps: [name: string, run: object, says: RegExp][] = [
    [
      "a command",
      run,
      /^Commands are not allowed here: set DAYBOOK_ALLOW_COMMANDS=1 or runners\.comm/,
    ],
    ["an agent", { agent: "x" }, /^No agent is set up here: set runners\.agent/],
    ["a call", { http: "https://example.org" }, new RegExp(`^${RegExp.escape(onlyFunctions)}$`)],
  ];
  for (const [name, asked, says] of setUps) {
    test(`${name} without a runner for it`, async () => {
      const [code, message] = await refusal({ ...day, run: asked }, { runners: {} });
      assert.equal(code, "refused");
      assert.match(message, says);
    });
  }
  test("an agent for a caller without the scopes read and write", async () => {
    for (const [scope, missing] of [
      ["write", "read"],
      ["read", "write"],
    ] as const) {
      const [code, message] = await refusal({ ...day, run: { agent: "x" } }, { scopes: [scope] });
      assert.equal(code, "refused");
      assert.match(message, new RegExp(`needs the scope "${missing}"`));
    }
  });
  test("any owner's `write` token may schedule commands that run as the daemon's user: not without the scope `run`", async () => {
    const scopes = ["read", "write", "target", "cron"] as const;
    const [code, message] = await refusal({ ...day, run }, { scopes });
    const sentence =
      'A command runs as the daemon\'s user, and this token may not run one: it needs the scope "run".';
    assert.deepEqual([code, message], ["refused", sentence]);
  });
  test("a command of an owner who is not in the list of owners in the settings (`runners.command.owners`)", async () => {
    const [code, message] = await refusal(
      { ...day, run },
      { runners: { command: true, commandOwners: ["jun"] } },
    );
    const sentence =
      'Commands of "mina" are not allowed here: add the owner to runners.command.owners in daybook.yaml.';
    assert.deepEqual([code, message], ["refused", sentence]);
  });
  for (const [name, asked] of setUps) {
    test(`${name} in a book inside a program, which has no settings`, async () => {
      const [code, message] = await refusal({ ...day, run: asked }, { runners: { tasks: [] } });
      assert.deepEqual([code, message], ["refused", onlyFunctions]);
    });
  }
  test("a command that is not among those allowed", async () => {
    const runners = { command: (program: string) => program === "./ok.sh" };
    const [code, message] = await refusal({ ...day, run }, { runners });
    assert.equal(code, "refused");
    assert.match(message, /^"\.\/report\.sh" is not allowed to run here: put it into runners/);
    await make(bookFixture(), { ...day, run: { command: ["./ok.sh"] } }, { runners });
  });
});

describe("limits", () => {
  test("count the schedules of each owner", async () => {
    const at = bookFixture();
    const few = { limits: { schedulesMax: 3 } };
    for (const when of ["every day", "every 2h", "every week"]) await make(at, { when, run }, few);
    await assert.rejects(make(at, { when: "every day", run }, few), {
      code: "held",
      message: "This book has 3 schedules, which is the limit: delete one first.",
    });
    await make(at, { when: "every day", run }, { who: at.jun, ...few });
  });
  test("are fifty schedules and a minute between runs by default", async () => {
    const at = bookFixture();
    for (let count = 0; count < 50; count += 1) await make(at, { when: "every day", run });
    await assert.rejects(make(at, { when: "every day", run }), /50 schedules/);
  });
  test("include the smallest gap of the settings", async () => {
    const asked = { cadence: { type: "interval", every: 10 }, run };
    assert.equal(
      (await make(bookFixture(), asked, { limits: { minGapMs: 10_000 } })).when,
      "every 10 s",
    );
  });
  test("let one schedule of a book have a name, in any case", async () => {
    const at = bookFixture();
    await make(at, { name: "Brief", when: "every day", run });
    await assert.rejects(make(at, { name: "brief", when: "every day", run }), {
      code: "held",
      message: 'A schedule named "brief" already exists: choose another name, or edit that one.',
    });
    await make(at, { name: "brief", when: "every day", run }, { who: at.jun });
  });
});

describe("schedules created by a run carry their depth and parent", () => {
  const goal = (text: string) => ({ when: "every day 9am", run: { agent: text } });

  /** The agent of a run asks: of a schedule, or of the run of another one. */
  async function inRunOf(at: BookFixture, schedule: string): Promise<Context> {
    const { id } = await runScheduleNow.run({ id: schedule }, at.mina);
    await at.ledger.of("mina", "mina").edit({ kind: "task", id, ends: "completed" });
    return { ...at.mina, run: id };
  }

  test("the same prompt under the same parent is one schedule (a natural key)", async () => {
    const at = bookFixture();
    const parent = await make(at, goal("Plan the day."));
    const who = await inRunOf(at, parent.id);
    const first = await make(at, goal("Look at the sky."), { who });
    const { fresh, depth, created_by_run: run } = first;
    assert.deepEqual([fresh, depth, run], [true, 1, who.run]);
    assert.equal((await at.ledger.of("mina", "mina").get(first.id))?.parent, who.run);
    const later = await inRunOf(at, parent.id);
    const again = { ...goal("Look at the sky."), when: "every day 10am", name: "sky" };
    const second = await make(at, again, { who: later });
    assert.deepEqual([second.id, second.fresh], [first.id, false]);
    assert.equal((await make(at, goal("Look at the sea."), { who: later })).fresh, true);
    assert.equal((await make(at, goal("Look at the sky."))).fresh, true, "a person may");
    await deleteSchedule.run({ id: first.id }, at.mina);
    assert.equal((await make(at, goal("Look at the sky."), { who })).fresh, true);
  });

  test("depth \u2264 3", async () => {
    const at = bookFixture();
    let { id } = await make(at, goal("0"));
    for (const depth of [1, 2, 3]) {
      const made = await make(at, goal(`${depth}`), { who: await inRunOf(at, id) });
      assert.equal(made.depth, depth);
      ({ id } = made);
    }
    await assert.rejects(make(at, goal("4"), { who: await inRunOf(at, id) }), (error) => {
      const { code, message } = toErrorData(error);
      return (
        code === "refused" && /only 3 deep, and this one would be at depth 4: do the/.test(message)
      );
    });
  });

  test("per-run and per-day limits with a clear refusal", async () => {
    const at = bookFixture();
    const { id } = await make(at, goal("0"));
    const refusalOf = async (text: string, who: Context): Promise<string> => {
      const [code, message] = await make(at, goal(text), { who }).then(
        () => ["taken", ""],
        (error: unknown) => [toErrorData(error).code, toErrorData(error).message],
      );
      return `${code}: ${message}`;
    };
    for (let run = 0; run < 4; run += 1) {
      const who = await inRunOf(at, id);
      for (let n = 0; n < 5; n += 1) await make(at, goal(`${run} ${n}`), { who });
      const refused = await refusalOf(`${run} 5`, who);
      assert.match(refused, /^held: This run has created 5 schedules, which is the limit: do the/);
    }
    const last = await inRunOf(at, id);
    assert.match(await refusalOf("one more", last), /^held: The runs of today have created 20 /);
    at.clock.advance(86_400_000);
    assert.equal((await make(at, goal("one more"), { who: last })).fresh, true);
  });
});
