import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { harmless } from "../../../platform/text.ts";
import {
  makeNotification,
  notificationKind,
  fields,
  requestKey,
  notificationView,
  outlookOf,
  shown,
} from "../../notifications/index.ts";
import { outputStream, type TaskKind, taskKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, freshView, runId } from "./inputs.ts";
import { runNotifications } from "./view.ts";

const input = z.strictObject({
  id: runId,
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("the first character to return, counted from 0. Default: 0"),
  max_chars: z.coerce
    .number()
    .int()
    .min(200)
    .max(8_000)
    .default(4_000)
    .describe("the most characters to return: 200 to 8000. Default: 4000"),
});

const output = z.object({
  run_id: z.string(),
  offset: z.number(),
  max_chars: z.number(),
  chunk: z.string(),
  remaining: z.number().describe("the characters after this chunk"),
  total: z.number().describe("the characters of the complete output"),
  next_offset: z.number().nullable().describe("the offset of the next chunk; null at the end"),
  cut: z.boolean().describe("the output was longer than the limit"),
  at_work: z.boolean().describe("true: it is still running, and more output may come"),
  message: z.string().optional().describe("only if there is no output"),
});

export const runOutput = operation({
  name: "schedule_run_output",
  summary: "Read the complete output of a run, in chunks.",
  input,
  output,
  aliases: { run_id: "id" },
  example: { id: exampleRunId },
  route: { method: "GET", path: "/v1/runs/{id}/output" },
  command: { name: "run output", aliases: ["output"], positionals: ["id"] },
  tool: "always",
  toolInputs: { shownAs: { id: "run_id" } },
  async run({ id: typed, offset, max_chars: most }, context) {
    const book = bookOf(context);
    const record = await findRecord(book, taskKind, typed);
    const { id } = record;
    const { chunk, total } =
      pingChunk(record, { offset, most }) ?? (await outputChunk(book, id, { offset, most }));
    const end = Math.min(offset + most, total);
    const remaining = Math.max(total - end, 0);
    return present({
      run_id: id,
      offset,
      max_chars: most,
      chunk,
      remaining,
      total,
      next_offset: remaining === 0 ? null : end,
      cut: record.outcome?.outputCut ?? false,
      at_work: record.lease !== null,
      message: total === 0 ? "no output stored for this run" : undefined,
    });
  },
  render({ chunk, total, remaining, next_offset: offset, at_work: isAtWork }, { language }) {
    const texts = textsOf(language);
    if (total === 0) return texts.noOutput(isAtWork);
    const more = offset === null ? [] : [texts.outputRemaining({ offset, remaining })];
    return [harmless(chunk), ...more].join("\n");
  },
});

interface Chunk {
  chunk: string;
  total: number;
}

/** The output of a ping is stored in the record itself. */
function pingChunk(
  { body, outcome }: LedgerRecord<TaskKind>,
  { offset, most }: { offset: number; most: number },
): Chunk | undefined {
  if (body.name !== "ping" || typeof outcome?.result !== "string") return undefined;
  const chars = Array.from(outcome.result);
  return { chunk: chars.slice(offset, offset + most).join(""), total: chars.length };
}

const pageBytes = 256 * 1024;

/** Counts complete characters, so that the chunks together are the output byte for byte. */
async function outputChunk(
  book: Book,
  id: string,
  { offset, most }: { offset: number; most: number },
): Promise<Chunk> {
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
  fresh: freshView,
  run_id: z.string(),
});

export const resendRun = operation({
  name: "resend_run",
  oldNames: ["resend"],
  summary: "Send the output of a run again, without another run.",
  input: z.strictObject({ id: runId, key: fields.key }),
  output: resent,
  aliases: { run_id: "id" },
  effect: "adds",
  example: { id: exampleRunId },
  route: { method: "POST", path: "/v1/runs/{id}/resend" },
  command: { name: "run resend", aliases: ["resend"], positionals: ["id"] },
  async run({ id: typed, key: name }, context): Promise<z.infer<typeof resent>> {
    const book = bookOf(context);
    const { id } = await findRecord(book, taskKind, typed);
    const [sent] = await runNotifications(book, id);
    if (sent === undefined) throw notSent(id);
    if (sent.endedAt === null && name === undefined) throw stillWaits(sent.id);
    const now = context.now();
    const { expiresAt: _, ...body } = sent.body;
    const { priority } = sent;
    const draft = makeNotification({ ...body, at: now, atText: "now" }, { priority });
    const key = name === undefined ? undefined : requestKey(name, { run: id }, now);
    const appended = await book.append({ ...draft, parent: id, key });
    const record = appended.record ?? (await findRecord(book, notificationKind, sent.id));
    return { ...shown(record, await outlookOf(context)), fresh: appended.fresh, run_id: id };
  },
  render: ({ target, due }, { language }) => textsOf(language).resent({ target, when: due.text }),
});

function notSent(id: string): DaybookError {
  const sentence = `This run sent no notification, so none can be sent again: see daybook explain ${id}.`;
  return new DaybookError("stale", sentence);
}

function stillWaits(id: string): DaybookError {
  const sentence = `The notification of this run, ${id}, still waits to be delivered: see daybook explain ${id}.`;
  return new DaybookError("held", sentence, { details: { holder: id } });
}
