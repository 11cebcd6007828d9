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
import type { Json } from "../../platform/json.ts";
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
  folder: "messages",
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
    ...(thread_ts === undefined ? {} : { thread_ts }),
    ...(final === undefined ? {} : { final }),
    ...beside,
    created_at: isoMsOf(createdAt),
    status: folderOf(state),
    ...(reason == null ? {} : { reason }),
  };
}

/** A channel of Slack has its bare id, and the thread beside: the one that was named, or that it arrived in. */
function addressOf(target: string, receipt: Json): { channel: string; thread_ts?: string } {
  const [, channel, named] = /^slack:([^:]+)(?::(.+))?$/.exec(target) ?? [];
  if (channel === undefined) return { channel: target };
  const { thread } = (receipt ?? {}) as { thread?: Json };
  const ts = named ?? (typeof thread === "string" ? thread : undefined);
  return { channel, ...(ts === undefined ? {} : { thread_ts: ts }) };
}

function typeOf({ seedType, type }: NotificationKind["body"]): SeedType {
  if (seedType !== undefined) return seedType;
  if (type === "run") return "report";
  return type === "question" ? "human_input_request" : "notification";
}

/** A message's file: one that others drop, and one that we show. */
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
    final: z.boolean().optional().describe("Nothing more comes in its thread"),
    reply_context: jsonObject.optional(),
    track_conversation: jsonObject.optional(),
    source_ref: jsonObject.optional(),
    retry_count: z.int().min(0).optional(),
    status: z.enum(["pending", "sent", "failed"]).optional(),
    ...writtenFields,
  })
  .describe("Something to be said: a file in queue/messages/");

type MessageFile = z.output<typeof messageFile>;

export function messageFromFile(file: MessageFile, now: number): DraftOf<NotificationKind> {
  const { id, type, task_id: task, channel, urgency = "normal", content, thread_ts: ts } = file;
  const target = channel.includes(":") ? channel : `slack:${channel}`;
  const draft = makeNotification(
    {
      message: content,
      at: now,
      atText: "now",
      target: ts === undefined ? target : `${target}:${ts}`,
      origin: null,
      type: "run",
      seedType: type,
      ...(typeof task === "string" ? { relatedTaskId: task } : {}),
      ...(file.final === true ? { final: true } : {}),
      ...besideOf(file),
    },
    urgency === "normal" ? {} : { priority: "high" },
  );
  return { ...draft, id, key: fileKey(id) };
}

function besideOf({ urgency, ...file }: MessageFile): { beside?: { [name: string]: Json } } {
  const { context, reply_context, track_conversation, source_ref } = file;
  const own = urgency === "urgent" ? urgency : undefined; // for us it is as urgent as high
  const all = { urgency: own, context, reply_context, track_conversation, source_ref };
  const given = Object.entries(all).flatMap(([name, value]): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? {} : { beside: Object.fromEntries(given) };
}
