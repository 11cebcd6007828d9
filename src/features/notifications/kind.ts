import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf, Follows, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import type { ToldChange } from "../events/subscription.ts";
import type { Route } from "./routing.ts";

/** What people and programs may ask for. */
export const writableTypes = [
  "reminder",
  "deadline_alert",
  "blocker_followup",
  "question_reminder",
] as const;

/** What the book may hold beside: what the system says by itself, and what is not asked for any more. */
export type NotificationType =
  | (typeof writableTypes)[number]
  | "notice"
  | "digest"
  /** Something that is said until it is done. */
  | "nag"
  /** What a run said. */
  | "run"
  /** What a run asks. */
  | "question"
  /** The new state of a message that was sent, shown on it. */
  | "mark"
  | "progress_check"; // only in what was imported

/** What a message of a task is. */
export type SeedType =
  | "thread_start"
  | "thread_update"
  | "thread_reply"
  | "human_input_request"
  | "notification"
  | "report";

/** Something to be said once, to one place. */
export interface NotificationKind {
  name: "notification";
  body: {
    message: string;
    /** When to say it: UTC epoch milliseconds. */
    at: number;
    /** The words the time was asked in. */
    atText: string;
    /** Where it goes: `channel:address`. */
    target: string;
    /** Why there. Absent in what the system says by itself, and in what was asked before this was kept. */
    because?: Route["because"];
    /** Where it was asked for; null when that was no place to answer to. */
    origin: string | null;
    /** Absent: a reminder. */
    type?: NotificationType;
    relatedTaskId?: string;
    relatedQuestionId?: string;
    context?: string;
    /** After this it is not said any more. */
    expiresAt?: number;
    /** Rather never than twice: an attempt whose fate is unknown is the last. */
    atMostOnce?: boolean;
    /** A newer one with the same key takes the place of this one. */
    collapseKey?: string;
    /** It says once more what was said and put off: the one that was said first. */
    snoozedFrom?: string;
    /** What it follows from waits for its end. */
    wakes?: true;
    /** It is shown on the message that said this one. */
    marks?: { said: string };
    /** It is said in the thread of this one, wherever that arrived. */
    thread?: { of: string };
    /** Nothing more comes in its thread. */
    final?: true;
    /** What it is to programs that read the queue as files. */
    seedType?: SeedType;
    /** The channel that was named for it, as it was named. */
    channelName?: string;
    /** What stands beside it in its file, for other programs: kept and shown, and read by nobody here. */
    beside?: { readonly [name: string]: Json };
    /** It tells a program of a change, and has nothing for people. */
    change?: ToldChange;
  };
  outcome: {
    /** What the channel gave as proof of delivery. */
    receipt: Json;
    /** Why the newest attempt did not deliver. */
    reason: string | null;
    /** An attempt other than the last may also have arrived. */
    maybeDelivered: boolean;
    /** How far a message of many parts came. */
    progress?: Json;
    /** It came due in quiet hours, and is said by this digest when they end. */
    digest?: string;
  };
  live: "pending";
  end: "delivered" | "failed" | "cancelled" | "unconfirmed" | "expired";
}

export const notificationKind: Kind<NotificationKind> = defineKind({
  name: "notification",
  states: { pending: ["delivered", "failed", "unconfirmed", "expired"] },
  hint: (id) => questionHint(id) ?? "",
});

/** An id that looks like a question's is probably one: says where to look for it. */
export function questionHint(id: string): string | undefined {
  if (!/^q-[\d-]{1,40}$/.test(id)) return undefined;
  return `: of questions, see daybook question ${id}, or daybook cancel-question ${id}`;
}

export const messageCharsMax = 20_000;
export const contextCharsMax = 20_000;
/** What stands in words around a notification: ids of tasks and questions, a collapse key. */
const nameCharsMax = 200;

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
export function endWakes({
  body,
  parent,
}: Pick<LedgerRecord<NotificationKind>, "body" | "parent">): Follows {
  return body.wakes === true && parent !== null ? { wake: [{ id: parent }] } : {};
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
