import * as z from "zod";
import {
  fileId,
  fileKey,
  jsonObject,
  writtenFields,
  fileLayout,
  type FileView,
} from "../../kernel/files.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { isoMsOf } from "../../platform/iso-time.ts";
import { type Json, present } from "../../platform/json.ts";
import {
  makeNotification,
  messageCharsMax,
  notificationKind,
  seedType,
  type NotificationKind,
  type SeedType,
} from "./kind.ts";

type State = LedgerRecord<NotificationKind>["state"];

function folderOf(state: State): "pending" | "sent" | "failed" {
  if (state === "pending") return state;
  return state === "delivered" ? "sent" : "failed";
}

export const messageLayout = fileLayout({
  kind: notificationKind,
  folder: "queue/messages",
  stateFolders: ["pending", "sent", "failed"],
  stateFolder: folderOf,
  dropFolder: "pending",
  view: messageView,
});

function messageView(record: LedgerRecord<NotificationKind>): FileView {
  const { id, body, priority, createdAt, state, outcome } = record;
  const { message, context, final } = body;
  const { urgency = "high", ...beside } = body.beside ?? {};
  const { thread_ts, ...address } = addressOf(body.target, outcome?.receipt ?? null);
  const reason = state === "delivered" ? null : outcome?.reason;
  return {
    id,
    type: typeOf(body),
    task_id: body.relatedTaskId ?? null,
    ...address,
    urgency: priority === "high" ? urgency : "normal",
    content: message,
    context: context === undefined ? {} : { text: context },
    ...present({ thread_ts, final }),
    ...beside,
    created_at: isoMsOf(createdAt),
    status: folderOf(state),
    ...present({ reason: reason ?? undefined }),
  };
}

/** A Slack channel has its bare id, with the thread beside it: the one in the target, or the one of the receipt. */
function addressOf(target: string, receipt: Json): { channel: string; thread_ts?: string } {
  const [, channel, named] = /^slack:([^:]+)(?::(.+))?$/.exec(target) ?? [];
  if (channel === undefined) return { channel: target };
  const { thread } = (receipt ?? {}) as { thread?: Json };
  const thread_ts = named ?? (typeof thread === "string" ? thread : undefined);
  return present({ channel, thread_ts });
}

function typeOf({ seedType, type }: NotificationKind["body"]): SeedType {
  if (seedType !== undefined) return seedType;
  if (type === "run") return "report";
  return type === "question" ? "human_input_request" : "notification";
}

/** The file of a message: dropped by another program, or written by Daybook. */
export const messageFile = z
  .strictObject({
    id: fileId,
    type: seedType,
    task_id: z.string().max(300).nullable().optional(),
    channel: z.string().min(1).max(300), // of Slack, or a target
    urgency: z.enum(["normal", "high", "urgent"]).optional(),
    content: z.string().min(1).max(messageCharsMax),
    context: jsonObject.optional(),
    thread_ts: z.string().max(100).optional(),
    final: z.boolean().optional().describe("true: the last message of its thread"),
    reply_context: jsonObject.optional(),
    track_conversation: jsonObject.optional(),
    source_ref: jsonObject.optional(),
    retry_count: z.int().min(0).optional(),
    status: z.enum(["pending", "sent", "failed"]).optional(),
    ...writtenFields,
  })
  .describe("a message to send: a file in queue/messages/");

type MessageFile = z.output<typeof messageFile>;

export function messageFromFile(file: MessageFile, now: number): DraftOf<NotificationKind> {
  const { id, type, task_id: task, channel, urgency = "normal", content, thread_ts: ts } = file;
  const target = channel.includes(":") ? channel : `slack:${channel}`;
  const body = present({
    message: content,
    at: now,
    atText: "now",
    target: ts === undefined ? target : `${target}:${ts}`,
    origin: null,
    type: "run",
    seedType: type,
    relatedTaskId: task ?? undefined,
    final: file.final === true ? true : undefined,
    beside: besideOf(file),
  });
  const draft = makeNotification(body, { priority: urgency === "normal" ? undefined : "high" });
  return { ...draft, id, key: fileKey(id) };
}

/** The fields that only other programs read. */
function besideOf(file: MessageFile): NotificationKind["body"]["beside"] {
  const { context, reply_context, track_conversation, source_ref } = file;
  const urgency = file.urgency === "urgent" ? file.urgency : undefined; // its priority is high
  const beside = present({ urgency, context, reply_context, track_conversation, source_ref });
  return Object.keys(beside).length === 0 ? undefined : beside;
}
