import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { harmless } from "../../../platform/text.ts";
import { momentOptions } from "../../accounts/index.ts";
import {
  makeNotification,
  notificationKind,
  fields,
  requestKey,
  notificationView,
  shown,
} from "../../notifications/index.ts";
import { outputStream, type TaskKind, taskKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { runNotifications } from "./view.ts";

const input = z.strictObject({
  id: runId,
  offset: z.coerce.number().int().min(0).default(0).describe("from which character on"),
  max_chars: z.coerce
    .number()
    .int()
    .min(200)
    .max(8_000)
    .default(4_000)
    .describe("how many characters at most: 200 to 8000"),
});

const output = z.object({
  run_id: z.string(),
  offset: z.number(),
  max_chars: z.number(),
  chunk: z.string(),
  remaining: z.number().describe("characters that follow"),
  total: z.number().describe("characters in all"),
  next_offset: z.number().nullable().describe("the `offset` of what follows; null at the end"),
  cut: z.boolean().describe("it said more than is kept"),
  at_work: z.boolean().describe("more may come: it is still running"),
  message: z.string().optional().describe("said when there is nothing"),
});

export const runOutput = operation({
  name: "schedule_run_output",
  summary: "Read what a run said, whole, part by part.",
  input,
  output,
  aliases: { run_id: "id" },
  example: { id: exampleRunId },
  route: { method: "GET", path: "/v1/runs/{id}/output" },
  command: { name: "output", positionals: ["id"] },
  tool: "always",
  async run({ id, offset, max_chars: most }, context) {
    const book = bookOf(context);
    const record = await find(book, taskKind, id);
    const { chunk, total } =
      pingChars(record, { offset, most }) ?? (await charsOf(book, id, { offset, most }));
    const end = Math.min(offset + most, total);
    const remaining = Math.max(total - end, 0);
    return {
      run_id: id,
      offset,
      max_chars: most,
      chunk,
      remaining,
      total,
      next_offset: remaining === 0 ? null : end,
      cut: record.outcome?.outputCut ?? false,
      at_work: record.lease !== null,
      ...(total === 0 ? { message: "no output stored for this run" } : {}),
    };
  },
  render({ chunk, total, remaining, next_offset: offset, at_work: isAtWork }, { language }) {
    const texts = textsOf(language);
    if (total === 0) return texts.noOutput(isAtWork);
    const more = offset === null ? [] : [texts.outputLeft({ offset, remaining })];
    return [harmless(chunk), ...more].join("\n");
  },
});

/** What a ping brought stands in the record itself. */
function pingChars(
  { body, outcome }: LedgerRecord<TaskKind>,
  { offset, most }: { offset: number; most: number },
): { chunk: string; total: number } | undefined {
  if (body.name !== "ping" || typeof outcome?.result !== "string") return undefined;
  const chars = Array.from(outcome.result);
  return { chunk: chars.slice(offset, offset + most).join(""), total: chars.length };
}

const pageBytes = 256 * 1024;

/** Counts whole characters, never halves of one: a reader puts the parts together as they were. */
async function charsOf(
  book: Book,
  id: string,
  { offset, most }: { offset: number; most: number },
): Promise<{ chunk: string; total: number }> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  let total = 0;
  for (let at = 0, size = 1; at < size;) {
    const read = await book.read({ id, stream: outputStream, offset: at, limit: pageBytes });
    if (read.bytes.length === 0) break;
    at += read.bytes.length;
    ({ size } = read);
    const chars = Array.from(decoder.decode(read.bytes, { stream: at < size }));
    parts.push(...chars.slice(Math.max(offset - total, 0), Math.max(offset + most - total, 0)));
    total += chars.length;
  }
  return { chunk: parts.join(""), total };
}

const resent = notificationView.extend({
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
  run_id: z.string(),
});

export const resendRun = operation({
  name: "resend",
  summary: "Say again what a run said, without running it again.",
  input: z.strictObject({ id: runId, key: fields.key }),
  output: resent,
  aliases: { run_id: "id" },
  effect: "adds",
  example: { id: exampleRunId },
  route: { method: "POST", path: "/v1/runs/{id}/resend" },
  command: { name: "resend", positionals: ["id"] },
  async run({ id, key: name }, context): Promise<z.infer<typeof resent>> {
    const book = bookOf(context);
    await find(book, taskKind, id);
    const [said] = await runNotifications(book, id);
    if (said === undefined) throw silent(id);
    if (said.endedAt === null && name === undefined) throw waiting(said.id);
    const now = context.now();
    const { expiresAt: _, ...body } = said.body;
    const draft = makeNotification(
      { ...body, at: now, atText: "now" },
      { priority: said.priority },
    );
    const keyed = name === undefined ? {} : { key: requestKey(name, { run: id }, now) };
    const made = await book.append({ ...draft, parent: id, ...keyed });
    const record = made.record ?? (await find(book, notificationKind, said.id));
    return { ...shown(record, momentOptions(context)), fresh: made.fresh, run_id: id };
  },
  render: ({ target, due }, { language }) => textsOf(language).resent({ target, when: due.text }),
});

function silent(id: string): DaybookError {
  const sentence = `This run has said nothing, so there is nothing to say again: see daybook explain ${id}.`;
  return new DaybookError("stale", sentence);
}

function waiting(id: string): DaybookError {
  const sentence = `What this run said still waits to be delivered, as ${id}: see daybook explain ${id}.`;
  return new DaybookError("held", sentence, { details: { holder: id } });
}
