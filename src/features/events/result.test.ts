import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Json } from "../../platform/json.ts";
import type { Ran, RunResult } from "../tasks/outcome.ts";
import { readResult, resultFault, resultOf, resultSchema, type ResultStatus } from "./result.ts";

const id = "task-20260207-001";

describe("parsing a result", () => {
  const good: { readonly [Status in ResultStatus]: object } = {
    success: { summary: "done", notify_channel: "C0TEAM", memory_updates: ["a"] },
    failed: { summary: "", error: "no network" },
    killed: { summary: "", error: "no heartbeat" },
    skipped: { summary: "", reason: "a draft" },
    needs_human: {
      summary: "",
      question: "Merge?",
      choices: ["yes"],
      session_id: "s",
      proclamation: { channel: "C1", message: "x" }, // the messages of the task leave it out
    },
  };
  for (const [status, rest] of Object.entries(good)) {
    test(`${status} gets our id of the task`, () => {
      assert.deepEqual(readResult({ status, ...rest, task_id: "task-other" }, id), {
        status,
        ...rest,
        task_id: id,
      });
    });
  }

  test("a summary is not required beside an error, a reason or a question", () => {
    const said = { status: "needs_human", question: "Which branch?" };
    assert.deepEqual(readResult(said, id), { ...said, summary: "", task_id: id });
    assert.equal(
      resultFault({ status: "failed", notify_channel: "general", x: 1 }, id),
      `"notify_channel" is not valid: write the id of a channel, like "C0123456789"; "error" is missing; it may not have "x": write it like {"status":"failed","error":"the network is down"}`,
    );
    assert.match(resultFault({ status: "done" }, id), /^"status" must be one of success, failed,/);
  });

  const bad: [why: string, said: Json][] = [
    ["a text", "success"],
    ["a list", []],
    ["no status", { summary: "" }],
    ["an unknown status", { status: "done", summary: "" }],
    ["no summary", { status: "success" }],
    ["a failure without its error", { status: "failed", summary: "" }],
    ["a death without its error", { status: "killed", summary: "" }],
    ["a question without text", { status: "needs_human", summary: "", question: "" }],
    ["a skip without its reason", { status: "skipped", summary: "" }],
    ["an unknown field", { status: "success", summary: "", extra: 1 }],
    ["an invalid channel", { status: "success", summary: "", notify_channel: "general" }],
    [
      "a proclamation over 3,000 characters",
      {
        status: "success",
        summary: "",
        proclamation: { channel: "C1", message: "x".repeat(3_001) },
      },
    ],
  ];
  for (const [why, said] of bad) {
    test(`${why} is refused with the reason`, () => {
      assert.equal(readResult(said, id), undefined);
      assert.notEqual(resultFault(said, id), "");
    });
  }
});

describe("the result of an attempt", () => {
  const output = { text: "the beginning" };
  const cases: [ran: Exclude<RunResult, { result: "stopped" | "later" }>, expected: object][] = [
    [{ result: "completed" }, { status: "success", summary: "the beginning" }],
    [
      { result: "completed", said: "hello" },
      { status: "success", summary: "hello" },
    ],
    [
      { result: "completed", said: "a word ".repeat(2_000) },
      { status: "success", summary: "a word ".repeat(2_000).trim() },
    ],
    [
      { result: "completed", said: "가".repeat(30_000) },
      { status: "success", summary: `${"가".repeat(19_999)}…` },
    ],
    [
      { result: "completed", returned: { n: 1 } },
      { status: "success", summary: "the beginning" },
    ],
    [
      { result: "completed", said: `I did it.\n{"status":"skipped","summary":"","reason":"no"}` },
      { status: "skipped", summary: "", reason: "no" },
    ],
    [
      { result: "completed", lastLine: `{"status":"success","summary":"line"}` },
      { status: "success", summary: "line" },
    ],
    [
      { result: "completed", lastLine: `{"status":"success"}` },
      {
        status: "failed",
        summary: "the beginning",
        error: `its result is not valid: "summary" is missing: write it like {"status":"success","summary":"3 files written"}`,
      },
    ],
    [
      { result: "completed", lastLine: `{"status":"failed","error":"boom"}` },
      { status: "failed", summary: "", error: "boom" },
    ],
    [
      { result: "completed", lastLine: `{"status":"skipped","why":"it is a draft"}` },
      {
        status: "failed",
        summary: "the beginning",
        error: `its result is not valid: "reason" is missing; it may not have "why": write it like {"status":"skipped","reason":"it is a draft"}`,
      },
    ],
    [
      { result: "completed", returned: { status: "needs_human" } },
      {
        status: "failed",
        summary: "the beginning",
        error: `its result is not valid: "question" is missing: write it like {"status":"needs_human","question":"Merge it?"}`,
      },
    ],
    [
      { result: "completed", nothingToDo: "the check said no" },
      { status: "skipped", summary: "the beginning", reason: "the check said no" },
    ],
    [
      { result: "completed", lastLine: `{"level":"info","msg":"ready"}` },
      { status: "success", summary: "the beginning" },
    ],
    [
      {
        result: "failed",
        reason: "exit 1",
        lastLine: `{"status":"failed","summary":"","error":"e"}`,
      },
      { status: "failed", summary: "", error: "e" },
    ],
    [
      { result: "failed", reason: "" },
      { status: "failed", summary: "the beginning", error: "it failed without a reason" },
    ],
    [
      { result: "asks", question: "Merge?", choices: ["y", ""] },
      { status: "needs_human", summary: "the beginning", question: "Merge?", choices: ["y"] },
    ],
    [
      { result: "interrupted" },
      {
        status: "killed",
        summary: "the beginning",
        error: "the node went away in the middle of it",
      },
    ],
  ];
  for (const [ran, expected] of cases) {
    test(JSON.stringify(ran).slice(0, 80), () => {
      assert.deepEqual(resultOf(ran, output, id), { ...expected, task_id: id });
    });
  }

  for (const line of [
    `{"status":"success","summary":"done"`,
    `{"status":"success","summary":"do"ne"}`,
    `{'status':'success','summary':'done'}`,
    `{status: "success", summary: "done"}`,
  ]) {
    test(`a result that is not valid JSON is shown as such, with how to write it: ${line}`, () => {
      const ran: Ran = { result: "completed", lastLine: line };
      assert.deepEqual(resultOf(ran, { text: line }, id), {
        task_id: id,
        status: "failed",
        summary: line,
        error: `its result is not valid: It is not JSON. Write it like {"status":"success","summary":"3 files written"}`,
      });
    });
  }

  test("a result with an unknown status is shown as such, and never as a success", () => {
    const lastLine = `{"status":"done","message":"x"}`;
    const result = resultOf({ result: "completed", lastLine }, { text: lastLine }, id);
    assert.equal(result.status, "failed");
    assert.match(result.error, /"status" must be one of success, failed, .*: write it like \{/);
  });

  test("text in braces is output, not a result", () => {
    for (const lastLine of ["{name} was deployed", "{}", "{ done }"]) {
      const result = resultOf({ result: "completed", lastLine }, { text: lastLine }, id);
      assert.deepEqual([result.status, result.summary], ["success", lastLine]);
    }
  });

  test("every outcome of a runner makes a valid result", () => {
    const text = fc.string({ unit: "binary", maxLength: 5_000 });
    const ran: fc.Arbitrary<Ran> = fc.oneof(
      fc.record({
        result: fc.constant("completed" as const),
        said: text,
        returned: fc.jsonValue(),
      }),
      fc.record({ result: fc.constant("failed" as const), reason: text, lastLine: text }),
      fc.record({ result: fc.constant("asks" as const), question: text, choices: fc.array(text) }),
    );
    fc.assert(
      fc.property(ran, text, (answer, wrote) => {
        if (answer.result === "later") return;
        const result = resultOf(answer, { text: wrote }, id);
        assert.deepEqual(resultSchema.parse(result), result);
        assert.equal(result.task_id, id);
      }),
      { numRuns: 300 },
    );
  });
});
