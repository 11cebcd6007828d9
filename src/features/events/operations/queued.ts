import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";

/** What lies in queues that people look into. */
export const queuedKinds = ["event", "task", "notification"] as const;
type QueuedKind = (typeof queuedKinds)[number];
export type Queued = Extract<AnyRecord, { kind: QueuedKind }>;

export async function queuedRecord(book: Book, id: string): Promise<Queued> {
  const record = await book.get(id);
  if (record !== undefined && isQueued(record)) return record;
  const sentence = `There is no event, task or message ${quote(id)} in this book: see daybook queue ls.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

export function isQueued(record: AnyRecord): record is Queued {
  return queuedKinds.some((kind) => kind === record.kind);
}

/** The queues by the names of their folders. */
export const queueNames = { events: "event", tasks: "task", messages: "notification" } as const;
export type QueueName = keyof typeof queueNames;

export function queueOf({ kind }: Pick<Queued, "kind">): QueueName {
  return kind === "event" ? "events" : kind === "task" ? "tasks" : "messages";
}

/** Where it lies, in the words of the folders of a book of files: the same on every store. */
export function placeOf({ kind, state, lease }: Queued): string {
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

export const places: Readonly<Record<QueueName, readonly string[]>> = {
  events: ["pending", "dispatched", "completed"],
  tasks: ["pending", "in_progress", "completed"],
  messages: ["pending", "sent", "failed"],
};
