import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { harmless } from "../../../platform/text.ts";
import { messageView } from "../../notifications/file.ts";
import { taskResult, taskView } from "../../tasks/file.ts";
import { taskKind } from "../../tasks/kind.ts";
import { withoutSecret } from "../../tasks/operations/view.ts";
import { eventView } from "../file.ts";
import { eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { entry, entryOf } from "./queue-ls.ts";
import { queuedRecord, type Queued } from "./queued.ts";

export const queuedId = z.string().min(1).describe("which event, task or message, by its id");

const output = entry.extend({
  file: z.record(z.string(), z.unknown()).describe("as its file says it, in a book of files"),
  result: z.unknown().describe("of a task that has ended, how; else null"),
  at_work: z.string().nullable().describe("who has it right now"),
  attempts: z.number(),
  revision: z.number(),
});

export const queueShow = operation({
  name: "get_queued",
  summary: "Show one event, task or message as it lies in its queue.",
  input: z.strictObject({ id: queuedId }),
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/queue/{id}" },
  command: { name: "queue show", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const record = await queuedRecord(bookOf(context), id);
    const { lease, attempt, revision } = record;
    const hasEnded = is(taskKind, record) && record.endedAt !== null;
    return {
      ...entryOf(record),
      file: fileOf(record),
      result: hasEnded ? taskResult(record) : null,
      at_work: lease?.holder ?? null,
      attempts: attempt,
      revision,
    };
  },
  render({ queue, place, state, file, result }, { language }) {
    const head = `${queue}/${place}  ${textsOf(language).state(state)}`;
    const shown = [file, ...(result === null ? [] : [result])];
    return [head, ...shown.map((each) => harmless(JSON.stringify(each, null, 2)))].join("\n");
  },
});

function fileOf(record: Queued): Record<string, unknown> {
  if (is(eventKind, record)) return { ...eventView(record) };
  if (!is(taskKind, record)) return { ...messageView(record) };
  const view = taskView(record);
  // What signs a call stays where it is needed.
  return record.body.event === undefined
    ? { ...view, payload: withoutSecret(record.body) }
    : { ...view };
}
