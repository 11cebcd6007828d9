import * as z from "zod";
import { is, statesOf } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { oneLine, quote } from "../../../platform/text.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { textsOf } from "../texts.ts";
import { pageWhere } from "./page.ts";
import {
  places,
  queueNames,
  queueOf,
  placeOf,
  type Queued,
  type QueueName,
  queueKinds,
  isQueued,
} from "./queued.ts";

const queueInput = z
  .enum(["events", "tasks", "messages"])
  .optional()
  .describe("which queue: events, tasks or messages; all of them when absent");

export const entry = z.object({
  id: z.string(),
  queue: z.enum(["events", "tasks", "messages"]),
  place: z.string().describe("the folder it lies in, in a book of files"),
  state: z.string(),
  priority: z.enum(["low", "normal", "high"]),
  about: z.string().describe("its type, who runs it, or the beginning of what it says"),
  reason: z.string().nullable(),
  created_at: z.string(),
});
type Entry = z.infer<typeof entry>;

const output = z.object({
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
  output,
  aliases: { status: "state" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/queue" },
  command: { name: "queue ls", positionals: ["queue", "state"] },
  tool: "on request",
  async run({ queue, state, limit, after }, context): Promise<z.infer<typeof output>> {
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
  const known = names.flatMap((name) => [...places[name], ...statesOf(queueKinds[name])]);
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
    (state === undefined || [record.state, placeOf(record)].some((each) => each === state)) &&
    !(is(notificationKind, record) && record.body.type === "mark");
  const { records, next } = await pageWhere(book, query, isAsked);
  return { records: records.filter(isQueued), next };
}

/** The last of the folders is for what has ended: nothing else need be looked through. */
function liveness(name: QueueName, state: string | undefined): { live?: boolean } {
  if (state === undefined) return {};
  const live = [...places[name].filter((each) => !ends.includes(each)), "needs_human"];
  return { live: live.includes(state) };
}

const ends: readonly string[] = ["completed", "sent", "failed"];

export function entryOf(record: Queued): Entry {
  const { id, state, priority, outcome, createdAt } = record;
  return {
    id,
    queue: queueOf(record),
    place: placeOf(record),
    state,
    priority,
    about: aboutOf(record),
    reason: outcome?.reason ?? null,
    created_at: isoOf(createdAt),
  };
}

function aboutOf({ kind, body }: Queued): string {
  if (kind === "event") return body.type;
  if (kind === "task") return body.event?.handler ?? body.slot?.name ?? body.name;
  return oneLine(body.message, 100);
}
