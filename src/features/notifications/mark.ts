import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification, type NotificationKind } from "./kind.ts";
import { isForListeners } from "./unread-notice.ts";

type Notification = LedgerRecord<NotificationKind>;

/** What a message that was sent shows from now on. */
export interface MarkWords {
  /** In the reader's language: `textsOf(language).marks`. */
  readonly message: string;
  readonly now: number;
  /**
   * Which change it is of, such as the revision of what was changed: asked twice, it is marked once. Another
   * change that makes the same words has another name, for something else may have been shown in between.
   */
  readonly change: string;
}

/** Edits a message that was sent, or is being sent: it goes where that went, and is no message itself. */
export function makeMark(said: Notification, words: MarkWords): DraftOf<NotificationKind> {
  const { message, now, change } = words;
  const { target, origin } = said.body;
  const marks = { said: said.id };
  const draft = makeNotification({
    message,
    at: now,
    atText: "now",
    target,
    origin,
    type: "mark",
    marks,
  });
  const key = { name: `mark:${said.id}:${change}`, asked: { said: said.id, change } };
  return { ...draft, parent: said.id, key };
}

/** Whether there is, or may soon be, a message that can show it: for the others nothing is written. */
export function canMark(said: Notification): boolean {
  const { body, state, endedAt, lease, queue, outcome } = said;
  if (body.type === "mark" || body.type === "digest") return false;
  if (endedAt === null) return lease !== null && !isForListeners(queue);
  return state === "delivered" && messagesIn(outcome?.receipt ?? null).length > 0;
}

/** The messages that a channel's proof names. What was said by a digest has none of its own. */
export function messagesIn(receipt: Json): readonly (string | number)[] {
  if (typeof receipt !== "object" || receipt === null || !("messages" in receipt)) return [];
  const { messages } = receipt;
  if (!Array.isArray(messages)) return [];
  return messages.filter((each) => typeof each === "string" || typeof each === "number");
}
