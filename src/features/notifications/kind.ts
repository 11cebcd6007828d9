import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { count, json, moment } from "../../kernel/schemas.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf, Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { routeReason } from "./routing.ts";

/** The types that a request may have. */
export const writableTypes = [
  "reminder",
  "deadline_alert",
  "blocker_followup",
  "question_reminder",
] as const;

export const notificationType = z.enum([
  ...writableTypes,
  // Sent by the system itself.
  "notice",
  "digest",
  "nag",
  /** The output of a run. */
  "run",
  /** A question that a run asks. */
  "question",
  /** The new state of a sent message, shown on that message. */
  "mark",
  /** Only in imported records. */
  "progress_check",
]);
export type NotificationType = z.output<typeof notificationType>;

/** The type of a message for programs that read the queue as files. */
export const seedType = z.enum([
  "thread_start",
  "thread_update",
  "thread_reply",
  "human_input_request",
  "notification",
  "report",
]);
export type SeedType = z.output<typeof seedType>;

/** A change of a record, as a subscription's webhook receives it. */
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
    /** Who asked for it, as the request says. Absent: the caller. */
    createdBy: z.string().max(nameCharsMax).exactOptional(),
    /** Times of the ledger that it was imported from. */
    imported: z
      .strictObject({ createdAt: moment.nullable(), endedAt: moment.nullable() })
      .exactOptional(),
    target,
    /** Why it goes there. Absent in the system's own messages, and in records older than this field. */
    targetReason: routeReason.optional(),
    /** The chat or session of the request; null when it has none. */
    origin: z.string().nullable(),
    /** Absent: a reminder. */
    type: notificationType.exactOptional(),
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
    /** The notification whose thread this one is sent in. */
    thread: z.strictObject({ of: z.string() }).exactOptional(),
    /** True for the last message of its thread. */
    final: z.literal(true).exactOptional(),
    seedType: seedType.exactOptional(),
    /** How many units of the message begin the output of its run, which is longer than a message. */
    outputUnits: z.int().positive().exactOptional(),
    /** The channel, as the request named it. */
    channelName: z.string().exactOptional(),
    /** Fields of its file that only other programs read. */
    beside: z.record(z.string(), json).readonly().exactOptional(),
    /** The change that a webhook is sent, instead of a text for people. */
    change: recordChange.exactOptional(),
  }),
  outcome: z.strictObject({
    /** The channel's proof of delivery. */
    receipt: json,
    /** Why the newest attempt did not deliver it. */
    reason: z.string().nullable(),
    /** An attempt other than the last may also have arrived. */
    maybeDelivered: z.boolean(),
    /** How many parts of a long message were sent. */
    progress: json.exactOptional(),
    /** The digest that sends it after quiet hours, if it came due in them. */
    digest: z.string().exactOptional(),
  }),
  states: { pending: ["delivered", "done", "failed", "unconfirmed", "expired"] },
  hint: (id) => questionHint(id) ?? "",
});
export interface NotificationKind extends KindOf<typeof notificationKind> {}

/** For an id that looks like a question's: how to show or cancel a question. */
export function questionHint(id: string): string | undefined {
  if (!/^q-[\d-]{1,40}$/.test(id)) return undefined;
  return `; to show or cancel a question: daybook question show ${id}, daybook question cancel ${id}`;
}

/** Notifications for these channels are claimed lane by lane, by the node where the listener is attached. */
const listenerChannels: readonly string[] = ["inbox", "session", "sessions"];
export const socketQueue = "notification@session";

/** Creates every notification, requested or the system's own. */
export function makeNotification(
  body: NotificationKind["body"],
  placement: Pick<DraftOf<NotificationKind>, "priority" | "holds"> = {},
): DraftOf<NotificationKind> {
  checkTexts(body);
  const { channel } = parseTarget(body.target);
  if (body.expiresAt !== undefined && body.expiresAt <= body.at) {
    throw new DaybookError(
      "invalid",
      "It would expire before it is due: choose a later expiry time.",
    );
  }
  return {
    kind: "notification",
    body,
    state: "pending",
    wakeAt: body.at,
    lane: body.target,
    queue: listenerChannels.includes(channel) ? socketQueue : undefined,
    ...placement,
  };
}

/** The consequence of its end: wakes the parent, if that waits for it. */
export function parentWake({
  body,
  parent,
}: Pick<LedgerRecord<NotificationKind>, "body" | "parent">): Consequences {
  return body.wakesParent === true && parent !== null ? { wake: [{ id: parent }] } : {};
}

function checkTexts({ message, context = "", ...body }: NotificationKind["body"]): void {
  if (message.trim() === "") {
    throw new DaybookError("invalid", "The message is empty: write the text to send.");
  }
  if (message.length > messageCharsMax) {
    throw new DaybookError(
      "too_large",
      `The message has ${message.length} characters, and the maximum is ${messageCharsMax}: shorten it, or send a link.`,
    );
  }
  if (context.length > contextCharsMax) {
    throw new DaybookError(
      "too_large",
      `The context has ${context.length} characters, and the maximum is ${contextCharsMax}: shorten it.`,
    );
  }
  for (const name of ["createdBy", "relatedTaskId", "relatedQuestionId", "collapseKey"] as const) {
    if ((body[name] ?? "").length > nameCharsMax) {
      throw new DaybookError(
        "too_large",
        `"${name}" is longer than ${nameCharsMax} characters: shorten it.`,
      );
    }
  }
}
