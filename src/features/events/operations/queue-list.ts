import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { is, statesOf } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { matchingPage } from "../../../kernel/list-all.ts";
import { renderList, type Column } from "../../../kernel/list-table.ts";
import { operation } from "../../../kernel/operation.ts";
import type { ListQuery } from "../../../kernel/query.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote, harmless } from "../../../platform/text.ts";
import {
  idColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
  wordColumn,
} from "../../accounts/index.ts";
import { notificationKind, fields } from "../../notifications/index.ts";
import { taskResult, taskKind } from "../../tasks/index.ts";
import { textsOf } from "../texts.ts";
import {
  entry,
  entryOf,
  fileOf,
  folderOf,
  foldersOf,
  isQueued,
  queueLayouts,
  queueName,
  queuedId,
  queuedRecord,
  type Queued,
  type QueueName,
} from "./queue-entry.ts";

const page = z.object({
  entries: z.array(entry),
  next: z
    .string()
    .nullable()
    .describe("where the next page of one queue starts; null on the last page"),
  cut: z.boolean().describe("there are more entries: name one queue to see them all"),
});

const columns: readonly Column<z.infer<typeof entry>>[] = [
  idColumn(({ id }) => id),
  wordColumn("queue", ({ queue, place }) => `${queue}/${place}`),
  stateColumn(({ state }) => state),
  ...timeColumns<z.infer<typeof entry>>("created", (view) => view.created_at),
  textColumn("about", ({ about }) => about),
  noteColumn(({ reason }, { language }) => reason && textsOf(language).reason(reason)),
];

export const queueLs = operation({
  name: "list_queue",
  summary: "List the events, tasks and messages in the queues, the newest first.",
  input: z.strictObject({
    queue: queueName
      .optional()
      .describe("the queue: events, tasks or messages. Default: all of them"),
    state: z.string().optional().describe("only entries in this state or folder"),
    limit: fields.limit,
    after: fields.after,
  }),
  output: page,
  aliases: { status: "state" },
  example: { queue: "tasks", state: "pending" },
  route: { method: "GET", path: "/v1/queue" },
  command: { name: "queue list", aliases: ["queue ls"], positionals: ["queue", "state"] },
  async run({ queue, state, limit, after }, context): Promise<z.infer<typeof page>> {
    const book = bookOf(context);
    if (queue === undefined && after !== undefined) {
      throw new DaybookError("invalid", '"after" needs a queue: name the queue of the page.');
    }
    const names = queue === undefined ? queueName.options : [queue];
    if (state !== undefined) checkState(state, names);
    const pages = [];
    for (const name of names) pages.push(await pageOf(book, name, { state, limit, after }));
    const next = queue === undefined ? null : (pages[0]?.next ?? null);
    const cut = queue === undefined && pages.some((page) => page.next !== null);
    return { entries: pages.flatMap(({ records }) => records.map(entryOf)), next, cut };
  },
  render({ entries, next, cut }, reader) {
    const { nothingQueued, more, notAll } = textsOf(reader.language);
    const list = renderList(columns, entries, reader, { next, empty: nothingQueued, more });
    return cut ? `${list}\n${notAll()}` : list;
  },
});

function checkState(state: string, names: readonly QueueName[]): void {
  const states = names.flatMap((name) => [
    ...foldersOf(name),
    ...statesOf(queueLayouts[name].kind),
  ]);
  if (states.includes(state)) return;
  const choices = [...new Set(states)];
  const sentence = `${quote(state)} is not a state of ${names.join(", ")}. Choose one of: ${choices.join(", ")}.`;
  throw new DaybookError("invalid", sentence, { details: { choices } });
}

async function pageOf(
  book: Book,
  name: QueueName,
  { state, ...range }: Pick<ListQuery, "state" | "limit" | "after">,
): Promise<{ records: readonly Queued[]; next: string | null }> {
  const live = state === undefined ? undefined : isLiveState(name, state);
  const query = { kind: queueLayouts[name].kind, order: "newest", live, ...range } as const;
  const isListed = (record: AnyRecord): boolean =>
    isQueued(record) &&
    (state === undefined || record.state === state || folderOf(record) === state) &&
    !(is(notificationKind, record) && record.body.type === "mark");
  const { records, next } = await matchingPage(book, query, isListed);
  return { records: records.filter(isQueued), next };
}

/** Records that have ended lie in other folders, so only one half of a queue is searched. */
function isLiveState(name: QueueName, state: string): boolean {
  return state === "needs_human" || (foldersOf(name).includes(state) && !endFolders.has(state));
}

const endFolders: ReadonlySet<string> = new Set(["completed", "sent", "failed"]);

const shown = entry.extend({
  file: z.record(z.string(), z.unknown()).describe("the fields of its file in a file store"),
  result: z.unknown().describe("the result of a task that has ended; else null"),
  at_work: z.string().nullable().describe("the holder of its lease, such as a worker"),
  attempts: z.number(),
  revision: z.number(),
});

export const queueShow = operation({
  name: "show_queued",
  oldNames: ["get_queued"],
  summary: "Show one event, task or message with the content of its file.",
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
      file: { ...fileOf(record) },
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
