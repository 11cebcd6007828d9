import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { runsThatTalked } from "../../../test/runs-that-talked.ts";
import { questioned } from "../../../test/when-records.ts";
import { operations, table } from "../../features/index.ts";
import { makeTask, outputStream, taskKind } from "../../features/tasks/kind.ts";
import { runOutput } from "../../features/tasks/operations/output.ts";
import type { Operation } from "../../kernel/operation.ts";
import { log } from "../../platform/log.ts";
import { answerCall } from "./answer.ts";
import { toToolCalls } from "./tool-calls.ts";

const asToolCalls = toToolCalls(table);

test("an answer names the question to a person, and the tool that answers it", async () => {
  const { mina, clock } = bookFixture();
  const write = (): void => undefined;
  const quiet = log({ write, clock, level: "error", format: "json", color: false });
  const call = async (operation: Operation, input: Record<string, unknown>) => {
    const answer = await answerCall(mina, quiet, {
      operation,
      input,
      caller: mina,
      toToolCalls: asToolCalls,
    });
    const [content] = answer.content as { text: string }[];
    return {
      text: content?.text ?? "",
      data: (answer.structuredContent ?? {}) as Record<string, unknown>,
    };
  };
  const { task, question } = await questioned(mina, { choices: ["main"] });
  const ended = await call(operations.showRun, { id: task });
  const request = { id: question, question: "Which branch?", choices: ["main"] };
  assert.deepEqual(ended.data["input_required"], request);
  const note = `input_required: a person must answer before this continues. Ask them, then call answer_question with "id": "${question}" `;
  assert.ok(ended.text.startsWith(note), ended.text);
  const listed = await call(operations.listQuestions, {});
  const [first] = listed.data["questions"] as { status: string }[];
  assert.equal(first?.status, "input_required");
  await call(operations.answerQuestion, { id: question, answer: "main" });
  const after = await call(operations.showRun, { id: task });
  assert.equal(after.data["input_required"], null);
  assert.doesNotMatch(after.text, /input_required/);
  const { asking } = await runsThatTalked(mina);
  const run = await call(operations.showRun, { id: asking });
  assert.match(run.text, new RegExp(`then call answer_run with "id": "${asking}"`));
});

test("an agent reads a long output completely, in answers within the limit", async () => {
  const { mina, ledger, clock } = bookFixture();
  const quiet = log({
    write: () => undefined,
    clock,
    level: "error",
    format: "json",
    color: false,
  });
  const text = "보고서 👩‍👩‍👧‍👦 ✅ é\n".repeat(2_000);
  const where = { target: "inbox:mina", origin: null };
  const draft = makeTask({ name: "x", input: null, at: 0, timeoutMs: 1, ...where });
  const { id } = await ledger.of("mina", "mina").append(draft);
  const request = {
    kind: taskKind,
    queue: "task@x",
    holder: "n",
    leaseMs: 60_000,
    limit: 1,
  } as const;
  const fence = (await ledger.work.claim(request)).records[0]?.lease.fence ?? 0;
  await ledger.work.write({ id, fence, stream: outputStream, offset: 0, bytes: Buffer.from(text) });
  let read = "";
  for (let offset: number | null = 0; offset !== null;) {
    const input = { run_id: id, offset, max_chars: 8_000 };
    const answer = await answerCall(mina, quiet, {
      operation: runOutput,
      input,
      caller: mina,
      toToolCalls: asToolCalls,
    });
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= 16_384);
    const part = runOutput.output.parse(answer.structuredContent);
    read += part.chunk;
    const [content] = answer.content as { text: string }[];
    const more = `There is more: call schedule_run_output again with "offset": ${part.next_offset} `;
    assert.equal(content?.text.startsWith(more), part.next_offset !== null);
    offset = part.next_offset;
  }
  assert.equal(read, text);
});

test("도구 리턴값 기반: the answer of schedule, update and cancel names the message, the time as read and the target", async () => {
  const { mina, clock } = bookFixture();
  const quiet = log({
    write: () => undefined,
    clock,
    level: "error",
    format: "json",
    color: false,
  });
  const call = async (name: string, input: Record<string, unknown>) => {
    const operation = table.find((each) => each.name === name) ?? assert.fail(name);
    const answer = await answerCall(mina, quiet, {
      operation,
      input,
      caller: mina,
      toToolCalls: asToolCalls,
    });
    const [content] = answer.content as { text: string }[];
    const { id } = (answer.structuredContent ?? {}) as { id?: string };
    return { text: content?.text ?? "", id: id ?? "" };
  };
  const made = await call("schedule_notification", { message: "회의 시작", at: "내일 오후 3시" });
  const moved = await call("update_notification", {
    id: made.id,
    message: "회의",
    at: "tomorrow 4pm",
  });
  const ended = await call("cancel_notification", { id: made.id });
  const again = await call("get_notification", { id: made.id });
  const told: [text: string, message: string, time: RegExp][] = [
    [made.text, "회의 시작", /17 Nov 2026 15:00/],
    [moved.text, "회의", /17 Nov 2026 16:00/],
    [ended.text, "회의", /17 Nov 2026 16:00/],
  ];
  for (const [text, message, time] of told) {
    assert.ok(text.includes(`\nMessage: "${message}"`), text);
    assert.match(text, time);
    assert.match(text, /inbox:mina|stdout:daemon/);
    assert.ok(text.indexOf("stored data") < text.indexOf("Message:"), "marked as data");
  }
  assert.doesNotMatch(again.text, /\nMessage: /, "an answer that shows the record already");
});
