import * as z from "zod";
import { is, statesOf } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { pageWhere } from "../../../kernel/list-all.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { oneLine, quote, harmless } from "../../../platform/text.ts";
import { messageView, notificationKind, fields } from "../../notifications/index.ts";
import { taskResult, taskView, taskKind, withoutSecret } from "../../tasks/index.ts";
import { eventView } from "../file.ts";
import { eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import {
  folders,
  queueNames,
  folderOf,
  type Queued,
  type QueueName,
  queueKinds,
  isQueued,
  queuedRecord,
  entry,
  entryOf,
  queuedId,
} from "./queued.ts";

const queueInput = z
  .enum(["events", "tasks", "messages"])
  .optional()
  .describe("which queue: events, tasks or messages; all of them when absent");
const page = z.object({
  entries: z.array(entry),
  next: z.string().nullable().describe("where the next page of one queue starts; null on the last"),
  cut: z.boolean().describe("there are more: name one queue to see them all"),
});

export const queueLs = operation({
  name: "list_queue",
  summary: "Show what lies in the queues, the newest first.",
  input: z.strictObject({
    queue: queueInput,
    state: z.string().optional().describe("only what is in this state, or lies in this folder"),
    limit: fields.limit,
    after: fields.after,
  }),
  output: page,
  aliases: { status: "state" },
  example: { queue: "tasks", state: "pending" },
  route: { method: "GET", path: "/v1/queue" },
  command: { name: "queue ls", positionals: ["queue", "state"] },
  async run({ queue, state, limit, after }, context): Promise<z.infer<typeof page>> {
    const book = bookOf(context);
    if (queue === undefined && after !== undefined) {
      throw new DaybookError("invalid", "Name the queue that the next page is of.");
    }
    const names = queue === undefined ? queueNames : [queue];
    if (state !== undefined) checkState(state, names);
    const pages = [];
    for (const name of names) pages.push(await pageOf(book, name, { state, limit, after }));
    const next = queue === undefined ? null : (pages[0]?.next ?? null);
    const cut = queue === undefined && pages.some((page) => page.next !== null);
    return { entries: pages.flatMap(({ records }) => records.map(entryOf)), next, cut };
  },
  render({ entries, next, cut }, { language }) {
    const texts = textsOf(language);
    const lines = entries.map(({ id, queue, place, state, about }) => {
      const where = `${queue}/${place}`.padEnd(18);
      return `${where}  ${id}  ${texts.state(state)}  ${oneLine(about, 60)}`.trimEnd();
    });
    const more = next === null ? (cut ? [texts.notAll()] : []) : [texts.more(next)];
    return lines.length + more.length === 0
      ? texts.nothingQueued()
      : [...lines, ...more].join("\n");
  },
});

function checkState(state: string, names: readonly QueueName[]): void {
  const known = names.flatMap((name) => [...folders[name], ...statesOf(queueKinds[name])]);
  if (known.includes(state)) return;
  const choices = [...new Set(known)];
  const sentence = `${quote(state)} is no state of ${names.join(", ")}: say ${choices.join(", ")}.`;
  throw new DaybookError("invalid", sentence, { details: { choices } });
}

async function pageOf(
  book: Book,
  name: QueueName,
  { state, limit, after }: { state: string | undefined; limit: number; after: string | undefined },
): Promise<{ records: readonly Queued[]; next: string | null }> {
  const query: ListQuery = {
    kind: queueKinds[name],
    order: "newest",
    limit,
    after,
    ...liveness(name, state),
  };
  const isAsked = (record: AnyRecord): boolean =>
    isQueued(record) &&
    (state === undefined || [record.state, folderOf(record)].some((each) => each === state)) &&
    !(is(notificationKind, record) && record.body.type === "mark");
  const { records, next } = await pageWhere(book, query, isAsked);
  return { records: records.filter(isQueued), next };
}

/** The last of the folders is for what has ended: nothing else need be looked through. */
function liveness(name: QueueName, state: string | undefined): { live?: boolean } {
  if (state === undefined) return {};
  const live = [...folders[name].filter((each) => !ends.includes(each)), "needs_human"];
  return { live: live.includes(state) };
}

const ends: readonly string[] = ["completed", "sent", "failed"];
const shown = entry.extend({
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
  output: shown,
  example: { id: "task-20261115-001" },
  route: { method: "GET", path: "/v1/queue/{id}" },
  command: { name: "queue show", positionals: ["id"] },
  async run({ id }, context): Promise<z.infer<typeof shown>> {
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
