import * as z from "zod";
import type { Kind } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote, oneLine } from "../../../platform/text.ts";
import { notificationKind, type NotificationKind } from "../../notifications/index.ts";
import { taskKind, type TaskKind } from "../../tasks/index.ts";
import { eventKind, type EventKind } from "../kind.ts";

/** What lies in queues that people look into. */
const queuedKinds = [eventKind, taskKind, notificationKind] as const;
export type Queued =
  | LedgerRecord<EventKind>
  | LedgerRecord<TaskKind>
  | LedgerRecord<NotificationKind>;

export async function queuedRecord(book: Book, id: string): Promise<Queued> {
  const record = await book.get(id);
  if (record !== undefined && isQueued(record)) return record;
  const sentence = `There is no event, task or message ${quote(id)} in this book: see daybook queue ls.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

export function isQueued(record: AnyRecord): record is Queued {
  return queuedKinds.some((kind) => kind.name === record.kind);
}

/** The queues by the names of their folders. */
export const queueKinds: Readonly<Record<QueueName, Kind>> = {
  events: eventKind,
  tasks: taskKind,
  messages: notificationKind,
};
export const queueNames = ["events", "tasks", "messages"] as const;
export type QueueName = (typeof queueNames)[number];

export function queueOf({ kind }: Pick<Queued, "kind">): QueueName {
  return kind === "event" ? "events" : kind === "task" ? "tasks" : "messages";
}

/** Where it lies, in the words of the folders of a book of files: the same on every store. */
export function folderOf({ kind, state, lease }: Queued): string {
  switch (kind) {
    case "event":
      return state === "pending" || state === "dispatched" ? state : "completed";
    case "task":
      if (state === "pending") return lease === null ? "pending" : "in_progress";
      return state === "needs_human" ? "in_progress" : "completed";
    case "notification":
      if (state === "pending") return "pending";
      return state === "delivered" ? "sent" : "failed";
  }
}

export const folders: Readonly<Record<QueueName, readonly string[]>> = {
  events: ["pending", "dispatched", "completed"],
  tasks: ["pending", "in_progress", "completed"],
  messages: ["pending", "sent", "failed"],
};

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

export function entryOf(record: Queued): Entry {
  const { id, state, priority, outcome, createdAt } = record;
  return {
    id,
    queue: queueOf(record),
    place: folderOf(record),
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

export const queuedId = z.string().min(1).describe("which event, task or message, by its id");
