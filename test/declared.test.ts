import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as z from "zod";
import { open, task, type OpenOptions } from "../src/index.ts";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

test("a daemon creates, reloads and deletes the schedules of its settings", async (t) => {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const set = (text: string): void => writeFileSync(file, text);
  const env = { DAYBOOK_HOME: home, DAYBOOK_CONFIG: file };
  set("schedules:\n  nightly:\n    when: 0 3 * * *\n    run: { task: work }\n");
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/is ready/);
  const typed = async (...words: readonly string[]): Promise<string> => {
    const one = child(t, bin, words, env);
    await one.ended;
    return one.lines.join("\n");
  };
  const statuses = async (): Promise<readonly string[]> => {
    const answer = await typed("schedules", "--json");
    const { schedules } = JSON.parse(answer) as { schedules: { name: string; status: string }[] };
    return schedules.map(({ name, status }) => `${name} ${status}`);
  };
  assert.deepEqual(await statuses(), ["nightly active"]);
  set("schedules:\n  hourly:\n    when: every 1h\n    run: { task: work }\n");
  await typed("config", "reload");
  await daemon.line(/schedule\.applied.*remove/);
  assert.match(await typed("apply", "--dry-run"), /^same {2}hourly \(me\)/);
  assert.deepEqual(await statuses(), ["hourly active"]);
  assert.match(await typed("schedules", "--status", "completed"), /nightly/);
  set("schedules:\n  hourly:\n    when: now and then\n    run: { task: work }\n");
  assert.match(await typed("config", "check"), /daybook\.yaml:3:5 {2}schedules\.hourly\.when is/);
});

/** A daemon over a settings file, and the output of commands beside it. */
async function beside(t: TestContext, settings: string) {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const set = (text: string): void => writeFileSync(file, text);
  const env = { DAYBOOK_HOME: home, DAYBOOK_CONFIG: file, DAYBOOK_LANGUAGE: "en" };
  set(settings);
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/is ready/);
  const said = async (exit: number, ...words: readonly string[]): Promise<string> => {
    const one = child(t, bin, words, env);
    assert.equal(await one.ended, exit, one.lines.join("\n"));
    return one.lines.join("\n");
  };
  return { file, set, said, daemon };
}

const alpha = "  alpha: { when: every 1h, run: { task: work } }\n";

test("apply makes the daemon's schedules match the current file", async (t) => {
  const beta = "  beta: { when: every 3h, run: { task: work } }\n";
  const { set, said } = await beside(t, `schedules:\n${alpha}${beta}`);
  const gamma = "  gamma: { when: every 4h, run: { task: work } }\n";
  set(`schedules:\n${alpha.replace("1h", "2h")}${gamma}`);
  const steps = "change  alpha (me): when\ncreate  gamma (me)\nremove  beta (me)";
  assert.equal(
    await said(0, "apply", "--dry-run"),
    `${steps}\nNothing was changed: this is what daybook schedule apply would do.`,
  );
  assert.match(await said(0, "schedules"), /beta/);
  assert.equal(await said(0, "apply"), steps);
  assert.doesNotMatch(await said(0, "schedules"), /beta/);
  assert.equal(await said(0, "config", "reload"), "No setting has changed.");
  assert.equal(await said(0, "apply"), "same  alpha (me)\nsame  gamma (me)");
});

test("a reload, an apply and the status report refused schedules", async (t) => {
  const { file, set, said } = await beside(t, "");
  await said(0, "schedule", "every 3h", "--name", "alpha", "--task", "work");
  set(`schedules:\n${alpha}`);
  const why = `${file}:2:3  schedules.alpha: A schedule named "alpha" already exists: choose another name, or edit that one.`;
  const taken = "daybook: The settings were reloaded, but their schedules were refused";
  const reloaded = await said(4, "config", "reload");
  assert.equal(reloaded, `${taken} and stay as they were: correct them, and reload again.\n${why}`);
  const status = `Schedules in the settings were refused, and stay as they were: ${why}`;
  assert.ok((await said(0, "status")).includes(status));
  const facts = JSON.parse(await said(0, "status", "--json")) as { config: { problem: string } };
  assert.equal(facts.config.problem, why);
  assert.equal(await said(4, "apply"), `daybook: ${why}`);
  set(`schedules:\n${alpha.replace("alpha", "omega")}`);
  assert.equal(await said(0, "config", "reload"), "Changed: schedules.");
  assert.ok(!(await said(0, "status")).includes("refused"));
});

test("a program has its declared schedules once it starts", async (t) => {
  const store = `sqlite:${join(folder(t), "book.db")}`;
  const schedules = { nightly: { when: "0 3 * * *", run: { task: "work" } } };
  const names = async (options: object): Promise<readonly string[]> => {
    const daybook = await open({ store, ...options });
    try {
      await daybook.start();
      const found = await daybook.searchSchedules({ status: "active" });
      return found.schedules.map(({ name }) => name);
    } finally {
      await daybook.close();
    }
  };
  assert.deepEqual(await names({ schedules }), ["nightly"]);
  assert.deepEqual(await names({}), ["nightly"], "who says nothing of them takes none away");
  assert.deepEqual(await names({ schedules: {} }), []);
  await assert.rejects(names({ schedules: { a: { when: "soon", run: { task: "b" } } } }), {
    message: /schedules\.a\.when is "soon": write/,
  });
});

const whole = {
  name: "매일 아침",
  cadence: { type: "rrule", rule: "FREQ=DAILY", start: "2026-01-05 09:00", timezone: "UTC" },
  run: { task: "work", input: { id: 7 } },
  target: "inbox:me",
  notify: "conditional",
  misfire: "all",
  overlap: "queue",
  rerun: true,
  timeout: 90,
  notifyAfterFailures: 1,
  disableAfterFailures: 0,
  budget: { runsPerDay: 3, costPerDay: 2, turnsPerRun: 4, costPerRun: 0.5 },
} as const;

test("the settings accept every input of a schedule, and removed ones are reset", async (t) => {
  const store = `sqlite:${join(folder(t), "book.db")}`;
  const made = async (one: NonNullable<OpenOptions["schedules"]>[string]) => {
    const daybook = await open({ store, schedules: { morning: one } });
    try {
      const { steps } = await daybook.applySchedules({ dry_run: true });
      const [step] = steps;
      await daybook.start();
      const schedule = await daybook.showSchedule({ id: "매일 아침" });
      return { step: [step?.what, step?.name, ...(step?.fields ?? [])].join(" "), schedule };
    } finally {
      await daybook.close();
    }
  };
  const first = await made(whole);
  assert.equal(first.step, "create morning");
  const { next, ...schedule } = first.schedule;
  assert.partialDeepStrictEqual(schedule, {
    when_text: "FREQ=DAILY from 2026-01-05 09:00",
    run: whole.run,
    target: "inbox:me",
    notify: "conditional",
    misfire: "all",
    overlap: "queue",
    rerun: true,
    timeout: 90,
    notify_after_failures: 1,
    disable_after_failures: 0,
    budget: { runs_per_day: 3, cost_per_day: 2, turns_per_run: 4, cost_per_run: 0.5 },
  });
  assert.match(next[0]?.utc ?? "", /T09:00:00/);
  assert.equal((await made(whole)).step, "same morning");
  const later = { ...whole, cadence: { ...whole.cadence, start: "2026-01-05 10:00" } };
  const moved = await made(later);
  assert.equal(moved.step, "change morning when");
  assert.match(moved.schedule.next[0]?.utc ?? "", /T10:00:00/);
  const { budget: _, ...unbounded } = later;
  const freed = await made(unbounded);
  assert.deepEqual([freed.step, freed.schedule.budget], ["change morning budget", null]);
  assert.equal((await made(unbounded)).step, "same morning");
});

test("a task's own timeout applies if the settings have none", async () => {
  const work = task({ name: "work", input: z.object({}), timeout: 180_000, run: () => null });
  const nightly = { when: "0 3 * * *", run: { task: "work" } };
  const daybook = await open({ store: "memory:", tasks: [work], schedules: { nightly } });
  try {
    await daybook.start();
    assert.equal((await daybook.showSchedule({ id: "nightly" })).timeout, 180);
  } finally {
    await daybook.close();
  }
});

test("a check, a dry run and a start report an invalid schedule's line and column", async (t) => {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const env = { DAYBOOK_HOME: home, DAYBOOK_CONFIG: file };
  const wrong = "  ask:\n    when: daily 9am\n    run: { agent: look }\n";
  writeFileSync(file, `schedules:\n  nightly: { when: 0 3 * * *, run: { task: work } }\n${wrong}`);
  const says = `${file}:3:3  schedules.ask: No agent is set up here: set runners.agent in daybook.yaml.`;
  for (const words of [
    ["config", "check"],
    ["apply", "--dry-run"],
  ]) {
    const one = child(t, bin, words, env);
    assert.notEqual(await one.ended, 0);
    assert.deepEqual(one.lines, [`daybook: ${says}`], words.join(" "));
  }
  const daemon = child(t, bin, ["start"], env);
  const line = await daemon.line(/schedules\.refused/);
  assert.equal((JSON.parse(line) as { problem: string }).problem, says);
  await daemon.line(/is ready/);
  const status = child(t, bin, ["status"], env);
  await status.ended;
  assert.ok(status.lines.some((each) => each.endsWith(`refused, and stay as they were: ${says}`)));
});

test("a program reports an invalid schedule by its name when it starts", async () => {
  const schedules = { a: { when: "every 5s", run: { task: "b" } } };
  const daybook = await open({ store: "memory:", schedules });
  try {
    await assert.rejects(daybook.start(), {
      message:
        /^open\(\) {2}schedules\.a: It would fire 5 s after the time before, at .*: leave at least 1 min between two times\.$/,
    });
  } finally {
    await daybook.close();
  }
});
