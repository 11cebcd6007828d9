import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { bookFixture, withRunners } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { toErrorData, type ErrorData } from "../../../platform/errors.ts";
import { setProfile } from "../../accounts/operations/profile.ts";
import { task } from "../../tasks/function.ts";
import { localRunners } from "../../tasks/ports.ts";
import { createSchedule } from "./create.ts";
import { editSchedule } from "./edit.ts";
import { previewSchedule } from "./schedules.ts";
import { createWatch } from "./watch.ts";

const run = { command: ["./report.sh"] };
const day = { when: "every day" };

async function refusal(operation: Operation, input: object): Promise<ErrorData> {
  const at = bookFixture();
  await callOperation(
    at.mina,
    createSchedule,
    { name: "brief", when: "weekdays 08:30", run },
    at.mina,
  );
  const tasks = [
    task({ name: "invoice", input: z.object({ lines: z.number() }), run: () => undefined }),
  ];
  const context = withRunners(at.mina, { ...at.mina.use(localRunners), tasks });
  const answer = await callOperation(context, operation, input, context).catch(toErrorData);
  return answer as ErrorData;
}

const times: [asked: object, path: string][] = [
  [{ when: "garbage" }, "when"],
  [{ when: "매월 32일" }, "when"],
  [{ when: "2020-01-01 09:00" }, "when"],
  [{ when: "every 10 s" }, "when"],
  [{ when: "RRULE:FREQ=OFTEN" }, "when"],
  [{ when: "every day", timezone: "Mars/Base" }, "timezone"],
  [{ when: "every day", cadence: { type: "interval", every: "2h" } }, "cadence"],
  [{ cadence: { type: "once", at: "soon" } }, "cadence.at"],
  [{ cadence: { type: "cron", expression: "61 * * * *" } }, "cadence.expression"],
  [
    { cadence: { type: "cron", expression: "0 9 * * *", timezone: "Mars/Base" } },
    "cadence.timezone",
  ],
  [{ cadence: { type: "interval", every: "long" } }, "cadence.every"],
  [{ cadence: { type: "interval", every: 1e300 } }, "cadence.every"],
  [{ cadence: { type: "rrule", rule: "FREQ=OFTEN" } }, "cadence.rule"],
  [{ cadence: { type: "rrule", rule: "FREQ=DAILY", start: "soon" } }, "cadence.start"],
  [{ cadence: { type: "cron", expression: "0 9 30 2 *" } }, "cadence"],
  [{ cadence: { type: "interval", every: 10 } }, "cadence"],
];

describe("an error about a time names its input", () => {
  for (const [asked, path] of times) {
    test(`${JSON.stringify(asked)}: ${path}`, async () => {
      for (const [operation, more] of [
        [createSchedule, { run }],
        [editSchedule, { id: "brief" }],
        [previewSchedule, {}],
      ] as const) {
        const { code, details } = await refusal(operation, { ...asked, ...more });
        assert.deepEqual([code, details["path"]], ["invalid", path], operation.name);
      }
    });
  }
});

describe("an error about another input names it", () => {
  const cases: [asked: object, path: string][] = [
    [{ run }, "when"],
    [{ ...day }, "run"],
    [{ ...day, run: { command: ["a"], task: "b" } }, "run"],
    [{ ...day, run: { task: "x", cwd: "/" } }, "run.cwd"],
    [{ ...day, run: { agent: "x", input: 1 } }, "run.input"],
    [{ ...day, run: { command: [""] } }, "run.command"],
    [{ ...day, run: { http: "file:///etc/hosts" } }, "run.http"],
    [{ ...day, run: { agent: "x".repeat(20_001) } }, "run.agent"],
    [{ ...day, run: { task: "invoice", input: { lines: "x" } } }, "run.input.lines"],
    [{ ...day, run, timeout: "soon" }, "timeout"],
    [{ ...day, run, timeout: "8 days" }, "timeout"],
    [{ ...day, run, name: " x" }, "name"],
  ];
  for (const [asked, path] of cases) {
    test(`${JSON.stringify(asked).slice(0, 80)}: ${path}`, async () => {
      assert.equal((await refusal(createSchedule, asked)).details["path"], path);
    });
  }

  const watches: [asked: object, path: string][] = [
    [{ every: "soon" }, "every"],
    [{ every: 10 }, "every"],
    [{ when: "every 10 s" }, "when"],
    [{}, "when"],
    [{ every: "1d", when: "every day" }, "every"],
    [{ every: "1d", grace: "soon" }, "grace"],
    [{ every: "1d", grace: "8 days" }, "grace"],
  ];
  for (const [asked, path] of watches) {
    test(`a watch of ${JSON.stringify(asked)}: ${path}`, async () => {
      const { details } = await refusal(createWatch, { name: "backup", ...asked });
      assert.equal(details["path"], path);
    });
  }

  test("a zone of a profile", async () => {
    const { details } = await refusal(setProfile, { timezone: "Mars/Base" });
    assert.equal(details["path"], "timezone");
  });

  test("a budget, under the names that were typed", async () => {
    const budget = { runs_per_day: 0.5, cost_per_day: 0, turns_per_run: 0, cost_per_run: -1 };
    for (const [operation, more] of [
      [createSchedule, { ...day, run }],
      [editSchedule, { id: "brief" }],
    ] as const) {
      const { message, details } = await refusal(operation, { ...more, budget });
      assert.equal(
        message,
        '"budget.runs_per_day" must be a whole number; "budget.cost_per_day" must be over 0; "budget.turns_per_run" must be at least 1; "budget.cost_per_run" must be over 0.',
      );
      assert.deepEqual(
        (details["problems"] as { path: string }[]).map(({ path }) => path),
        Object.keys(budget).map((name) => `budget.${name}`),
      );
    }
  });
});
