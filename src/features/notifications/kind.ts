import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import { count, json, moment } from "../../kernel/schemas.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf, Consequences, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { routeReason } from "./routing.ts";

/** The types that people and programs may ask for. */
export const writableTypes = [
  "reminder",
  "deadline_alert",
  "blocker_followup",
  "question_reminder",
] as const;

const type = z.enum([
  ...writableTypes,
  // Sent by the system itself.
  "notice",
  "digest",
  "nag",
  /** The output of a run. */
  "run",
  /** A question that a run asks. */
  "question",
  /** The new state of a message that was sent, shown on that message. */
  "mark",
  /** Only in imported records. */
  "progress_check",
]);
export type NotificationType = z.output<typeof type>;

/** What a message is to programs that read the queue as files. */
export const seedType = z.enum([
  "thread_start",
  "thread_update",
  "thread_reply",
  "human_input_request",
  "notification",
  "report",
]);
export type SeedType = z.output<typeof seedType>;

/** A change of a record, as a subscription's webhook gets it. */
export const recordChange = z.strictObject({
  kind: z.string(),
  /** Of the record. */
  id: z.string(),
  state: z.string(),
  seq: count,
  at: moment,
});
export type RecordChange = z.output<typeof recordChange>;

export const messageCharsMax = 20_000;
export const contextCharsMax = 20_000;
/** Ids of tasks and questions, a collapse key. */
const nameCharsMax = 200;

/** One message, sent once to one target. */
export const notificationKind = defineKind({
  name: "notification",
  body: z.strictObject({
    message: z.string().max(messageCharsMax),
    /** When to send it. */
    at: moment,
    /** The time as it was typed. */
    atText: z.string(),
    target,
    /** Why it goes there. Absent in the system's own messages, and in records older than this field. */
    targetReason: routeReason.optional(),
    /** The chat or session that asked; null when there is none to answer to. */
    origin: z.string().nullable(),
    /** Absent: a reminder. */
    type: type.exactOptional(),
    relatedTaskId: z.string().max(nameCharsMax).exactOptional(),
    relatedQuestionId: z.string().max(nameCharsMax).exactOptional(),
    context: z.string().max(contextCharsMax).exactOptional(),
    /** Not sent after this. */
    expiresAt: moment.exactOptional(),
    /** Never send twice: an attempt whose fate is unknown is the last. */
    atMostOnce: z.boolean().exactOptional(),
    /** A newer notification with the same key replaces this one. */
    collapseKey: z.string().max(nameCharsMax).exactOptional(),
    /** The first notification that was sent, if this one repeats a snoozed one. */
    snoozedFrom: z.string().exactOptional(),
    /** Its end wakes its parent. */
    wakesParent: z.literal(true).exactOptional(),
    /** The notification whose message this one edits. */
    marks: z.strictObject({ of: z.string() }).exactOptional(),
    /** The notification whose thread this one is sent in, wherever that arrived. */
    thread: z.strictObject({ of: z.string() }).exactOptional(),
    /** The last one of its thread. */
    final: z.literal(true).exactOptional(),
    seedType: seedType.exactOptional(),
    /** The channel, as the request named it. */
    channelName: z.string().exactOptional(),
    /** Other fields of its file: kept and shown for other programs, and not read here. */
    beside: z.record(z.string(), json).readonly().exactOptional(),
    /** The change that it tells a program of; it has no text for people then. */
    change: recordChange.exactOptional(),
  }),
  outcome: z.strictObject({
    /** The channel's proof of delivery. */
    receipt: json,
    /** Why the newest attempt did not deliver. */
    reason: z.string().nullable(),
    /** An attempt other than the last may also have arrived. */
    maybeDelivered: z.boolean(),
    /** How many parts of a long message were sent. */
    progress: json.exactOptional(),
    /** The digest that sends it after quiet hours, if it came due in them. */
    digest: z.string().exactOptional(),
  }),
  states: { pending: ["delivered", "failed", "unconfirmed", "expired"] },
  hint: (id) => questionHint(id) ?? "",
});
export interface NotificationKind extends KindOf<typeof notificationKind> {}

/** An id that looks like a question's is probably one: says where to look for it. */
export function questionHint(id: string): string | undefined {
  if (!/^q-[\d-]{1,40}$/.test(id)) return undefined;
  return `: of questions, see daybook question ${id}, or daybook cancel-question ${id}`;
}

/** Messages to these are claimed by the node that holds the socket, lane by lane. */
const heldBySockets: readonly string[] = ["inbox", "session", "sessions"];
export const socketQueue = "notification@session";

export interface Placed {
  priority?: Priority;
  holds?: readonly Hold[];
}

/** Every notification is made here, whoever asks for it. */
export function makeNotification(
  body: NotificationKind["body"],
  placed: Placed = {},
): DraftOf<NotificationKind> {
  checkTexts(body);
  const { channel } = parseTarget(body.target);
  if (body.expiresAt !== undefined && body.expiresAt <= body.at) {
    throw new DaybookError("invalid", "It expires before it is due: let it expire later.");
  }
  return {
    kind: "notification",
    body,
    state: "pending",
    wakeAt: body.at,
    lane: body.target,
    ...(heldBySockets.includes(channel) ? { queue: socketQueue } : {}),
    ...placed,
  };
}

/** What is written in one unit with its end: what it follows from may wait for that. */
export function parentWake({
  body,
  parent,
}: Pick<LedgerRecord<NotificationKind>, "body" | "parent">): Consequences {
  return body.wakesParent === true && parent !== null ? { wake: [{ id: parent }] } : {};
}

function checkTexts({ message, context = "", ...body }: NotificationKind["body"]): void {
  if (message.trim() === "") {
    throw new DaybookError("invalid", "The message is empty: say what should be said.");
  }
  if (message.length > messageCharsMax) {
    throw new DaybookError(
      "too_large",
      `The message is over ${messageCharsMax} characters: shorten it, or send a link.`,
    );
  }
  if (context.length > contextCharsMax) {
    throw new DaybookError("too_large", `The context is over ${contextCharsMax} characters.`);
  }
  for (const name of ["relatedTaskId", "relatedQuestionId", "collapseKey"] as const) {
    if ((body[name] ?? "").length > nameCharsMax) {
      throw new DaybookError("too_large", `"${name}" is over ${nameCharsMax} characters.`);
    }
  }
}
