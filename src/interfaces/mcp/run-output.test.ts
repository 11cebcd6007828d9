import assert from "node:assert/strict";
import { test } from "node:test";
import { desk } from "../../../test/desk.ts";
import { makeTask, outputStream, taskKind } from "../../features/tasks/kind.ts";
import { runOutput } from "../../features/tasks/operations/output.ts";
import { log } from "../../platform/log.ts";
import { answerCall } from "./answer.ts";

test("an agent reads a long output to its end, in answers that are never too long", async () => {
  const { mina, ledger, clock } = desk();
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
  let whole = "";
  for (let offset: number | null = 0; offset !== null;) {
    const input = { run_id: id, offset, max_chars: 8_000 };
    const answer = await answerCall(mina, quiet, { operation: runOutput, input, caller: mina });
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= 16_384);
    const part = runOutput.output.parse(answer.structuredContent);
    whole += part.chunk;
    const [said] = answer.content as { text: string }[];
    const more = `There is more: call schedule_run_output again with "offset": ${part.next_offset} `;
    assert.equal(said?.text.startsWith(more), part.next_offset !== null);
    offset = part.next_offset;
  }
  assert.equal(whole, text);
});
