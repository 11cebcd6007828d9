import * as z from "zod";
import type { FileLayout, FileView } from "../../../kernel/files.ts";
import { findById, noRecord } from "../../../kernel/id-prefix.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import {
  messageLayout,
  notificationKind,
  type NotificationKind,
} from "../../notifications/index.ts";
import { taskKind, taskLayout, withoutSecret, type TaskKind } from "../../tasks/index.ts";
import { eventLayout } from "../file.ts";
import { eventKind, type EventKind } from "../kind.ts";

/** A record in one of the queues that people look into. */
export type Queued =
  | LedgerRecord<EventKind>
  | LedgerRecord<TaskKind>
  | LedgerRecord<NotificationKind>;

export const queueName = z.enum(["events", "tasks", "messages"]);
export type QueueName = z.infer<typeof queueName>;

/** On every store a queue is shown by the layout of its files: the same folders, the same fields. */
export const queueLayouts: Readonly<Record<QueueName, FileLayout>> = {
  events: eventLayout,
  tasks: taskLayout,
  messages: messageLayout,
};

const queueNames = { event: "events", task: "tasks", notification: "messages" } as const;

export function isQueued(record: AnyRecord): record is Queued {
  return Object.hasOwn(queueNames, record.kind);
}

export function queueOf({ kind }: Pick<Queued, "kind">): QueueName {
  return queueNames[kind];
}

/** The state folder that its file lies in. */
export function folderOf(record: Queued): string {
  const { state, lease } = record;
  return queueLayouts[queueOf(record)].stateFolder?.(state, lease !== null) ?? state;
}

export function foldersOf(name: QueueName): readonly string[] {
  return queueLayouts[name].stateFolders ?? [];
}

/** The fields of its file. The secret that signs a call is left out. */
export function fileOf(record: Queued): FileView {
  const view = queueLayouts[queueOf(record)].view?.(record) ?? {};
  const isOwnTask = record.kind === "task" && record.body.event === undefined;
  return isOwnTask ? { ...view, payload: withoutSecret(record.body) } : view;
}

export async function queuedRecord(book: Book, id: string): Promise<Queued> {
  const record = await findById(book, id, [eventKind, taskKind, notificationKind]);
  if (record !== undefined) return record;
  throw noRecord("event, task or message", id, ". List them: daybook queue list");
}

export const entry = z.object({
  id: z.string(),
  queue: queueName,
  place: z.string().describe("the folder of its file in a file store"),
  state: z.string(),
  priority: z.enum(["low", "normal", "high"]),
  about: z.string().describe("its type, its handler, or the beginning of its text"),
  reason: z.string().nullable(),
  created_at: z.string(),
});

export function entryOf(record: Queued): z.infer<typeof entry> {
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

export const queuedId = z.string().min(1).describe("the id of the event, task or message");

/** What may replace the content of a task or an event. */
export const contentInputs = {
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "another payload, as JSON; @FILE reads a file, - reads the input. Default: the same payload",
    ),
  input: z.unknown().optional().describe("another input of the task, as JSON. Default: the same"),
};
