import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "../../app/config/config.ts";
import { loadConfig } from "../../app/config/load.ts";
import { schema } from "../../app/config/schema.ts";
import { namesIn, schemaAt } from "../../platform/settings/about.ts";
import { createSchedule } from "./operations/create.ts";
import { settingInputs } from "./operations/inputs.ts";

function load(text: string): Config["schedules"] {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  const parts = { env: {}, flags: {}, cwd: "/place", isTerminal: false, readText };
  return loadConfig(parts).config.schedules;
}

const wrong: readonly (readonly [yaml: string, says: string])[] = [
  ["when: soon", '3:3  schedules.a.when is "soon": write a recurring time, like'],
  ["when: tomorrow 9am", '3:3  schedules.a.when is "tomorrow 9am": write a recurring time'],
  ['when: "0 0 31 4 *"', "3:3  schedules.a.when never fires: correct its day or month."],
  ['when: "*/0 * * * *"', '3:3  schedules.a.when is "*/0 * * * *": write a recurring time'],
  ["when: daily 9am\n  whem: x", '4:3  unknown key "whem" in schedules.a: did you mean "when"?'],
  ["when: daily 9am\n  timezone: Mars", '4:3  schedules.a.timezone is "Mars": write a time zone'],
  ["when: daily 9am\n  timeout: long", '4:3  schedules.a.timeout is "long": write a length of'],
  ["when: daily 9am\n  notify: loud", '4:3  schedules.a.notify is "loud": write "always"'],
  ["when: daily 9am\n  target: nowhere", '4:3  schedules.a.target is "nowhere": write a target'],
  ["when: daily 9am\n  timeout: 0", "4:3  schedules.a.timeout is 0: write a length of time"],
  ["when: daily 9am\n  name: ' '", '4:3  schedules.a.name is "": write a name of at most 100'],
  [
    "when: daily 9am\n  budget: { runsPerDay: 0 }",
    "4:13  schedules.a.budget.runsPerDay is 0: write a whole number from 1.",
  ],
  [
    "when: daily 9am\n  budget: { costPerRun: -1 }",
    "4:13  schedules.a.budget.costPerRun is -1: write a number over 0.",
  ],
  [
    "when: daily 9am\n  budget: { runs_per_day: 3 }",
    '4:13  unknown key "runs_per_day" in schedules.a.budget: did you mean "runsPerDay"?',
  ],
  [
    "when: daily 9am\n  notify_after_failures: 1",
    '4:3  unknown key "notify_after_failures" in schedules.a: did you mean "notifyAfterFailures"?',
  ],
  [
    "when: daily 9am\n  budget: 3",
    "4:3  schedules.a.budget is 3: write its keys under it (runsPerDay, costPerDay, turnsPerRun, costPerRun).",
  ],
  [
    "when: daily 9am\n  cadence: { type: interval, every: 2h }",
    '4:3  schedules.a.cadence sets the time, as "when" does: keep one of them.',
  ],
  [
    "cadence: { type: cron }",
    "3:3  schedules.a.cadence.expression is missing: write { type: cron, expression:",
  ],
  [
    'cadence: { type: cron, expression: "0 0 31 4 *" }',
    "3:3  schedules.a.cadence never fires: correct its day or month.",
  ],
  [
    "cadence: { type: once, at: tomorrow 9am }",
    "3:3  schedules.a.cadence is invalid: write { type: cron, expression:",
  ],
  ["cadence: daily", '3:3  schedules.a.cadence is "daily": write { type: cron, expression:'],
];

describe("schedules in the file", () => {
  test("have what was not said by default", () => {
    const text = "schedules:\n  brief: { when: weekdays 08:30, run: { agent: look } }";
    assert.deepEqual(load(text), {
      brief: {
        owner: "me",
        when: "weekdays 08:30",
        run: { agent: "look" },
        notify: "always",
        misfire: "latest",
        overlap: "skip",
        rerun: false,
        notifyAfterFailures: 3,
        disableAfterFailures: 5,
        adopt: false,
        place: "daybook.yaml:2:3",
      },
    });
  });
  test("take every setting that schedule_create takes, under its name", () => {
    const inFile = (name: string): string =>
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    // The key that it stands under is the key.
    const { key: _, ...taken } = createSchedule.input.shape;
    const known = namesIn(schemaAt(schema, ["schedules", "a"]));
    assert.deepEqual(
      known.toSorted(),
      ["owner", "adopt", ...Object.keys(taken).map(inFile)].toSorted(),
    );
    const budget = namesIn(schemaAt(schema, ["schedules", "a", "budget"]));
    assert.deepEqual(budget, Object.keys(settingInputs.budget.unwrap().unwrap().shape).map(inFile));
  });
  test("may end on a day that is still to come, or over: that is told when it is made", () => {
    for (const until of ["20261201T000000Z", "20200101T000000Z"]) {
      const rule = `FREQ=DAILY;UNTIL=${until}`;
      const text = `schedules: { a: { cadence: { type: rrule, rule: ${rule} }, run: { task: b } } }`;
      assert.deepEqual(load(text)["a"]?.cadence, { type: "rrule", rule });
    }
  });
  for (const [yaml, says] of wrong) {
    test(`${yaml.replaceAll("\n  ", ", ")} is wrong, and the line says where and what to write`, () => {
      const text = `schedules:\n a:\n  ${yaml}\n  run: { task: b }`;
      assert.throws(
        () => load(text),
        ({ message }: Error) => message.startsWith(`daybook.yaml:${says}`),
      );
    });
  }
  for (const run of ["{}", "{ command: [] }", "{ task: a, agent: b }", "{ http: nowhere }", "x"]) {
    test(`${run} is nothing to run`, () => {
      const text = `schedules:\n a:\n  when: daily 9am\n  run: ${run}`;
      const says =
        /daybook\.yaml:4:\d+ {2}schedules\.a\.run.*: write \{ command: \[\.\/backup\.sh\] \}/;
      assert.throws(() => load(text), { code: "invalid", message: says });
    });
  }
  test("without a time or anything to run are told of both", () => {
    assert.throws(() => load("schedules: { a: {} }"), {
      message: /schedules\.a\.run is missing.*\n.*schedules\.a\.when is missing/,
    });
  });
});
