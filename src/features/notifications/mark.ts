import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { type NotificationKind, notificationKind, makeNotification } from "./kind.ts";
import { isForListeners } from "./pop-up.ts";
import type { Sent } from "./receipt.ts";

type Notification = LedgerRecord<NotificationKind>;

/** What a message that was sent shows from now on. */
export interface MarkText {
  /** In the reader's language: `marksIn(language)`. */
  readonly message: string;
  readonly now: number;
  /**
   * Which change it is of, such as the revision of what was changed: asked twice, it is marked once. Another
   * change that makes the same words has another name, for something else may have been shown in between.
   */
  readonly change: string;
}

/** Edits a message that was sent, or is being sent: it goes where that went, and is no message itself. */
export function makeMark(sent: Notification, words: MarkText): DraftOf<NotificationKind> {
  const { message, now, change } = words;
  const { target, origin } = sent.body;
  const marks = { of: sent.id };
  const draft = makeNotification({
    message,
    at: now,
    atText: "now",
    target,
    origin,
    type: "mark",
    marks,
  });
  const key = { name: `mark:${sent.id}:${change}`, asked: { said: sent.id, change } };
  return { ...draft, parent: sent.id, key };
}

/** Whether there is, or may soon be, a message that can show it: for the others nothing is written. */
export function canMark(sent: Notification): boolean {
  const { body, state, endedAt, lease, queue, outcome } = sent;
  if (body.type === "mark" || body.type === "digest") return false;
  if (endedAt === null) return lease !== null && !isForListeners(queue);
  return state === "delivered" && messagesIn(outcome?.receipt ?? null).length > 0;
}

/** The messages that a channel's proof names. What was sent by a digest has none of its own. */
export function messagesIn(receipt: Json): readonly (string | number)[] {
  if (typeof receipt !== "object" || receipt === null || !("messages" in receipt)) return [];
  const { messages } = receipt;
  if (!Array.isArray(messages)) return [];
  return messages.filter((each) => typeof each === "string" || typeof each === "number");
}

/** The notification that a mark is shown on, and its receipt. */
export interface Marked {
  readonly message: Notification;
  readonly receipt: Json;
}

const childrenMax = 100;

/** Finds what a mark is to be shown on; or says why there is nothing to show, or not yet. */
export function markLookup(
  ledger: Ledger,
): (mark: Claimed<NotificationKind>) => Promise<Marked | Sent> {
  return async (mark) => {
    const id = mark.body.marks?.of ?? "";
    const book = ledger.of(mark.owner, mark.by);
    const sent = await book.get(id);
    if (!is(notificationKind, sent)) return nothing("it was pruned");
    const { records } = await book.list({
      kind: notificationKind,
      parent: id,
      order: "newest",
      limit: childrenMax,
    });
    const marks = records.filter(({ body }) => body.type === "mark");
    const [newest] = marks;
    // One that somebody had tried again follows from the one that failed, and is meant as it is.
    const isOlder = marks.slice(1).some(({ id: each }) => each === mark.id);
    if (isOlder) return nothing(`a newer one is shown: ${newest?.id}`);
    if (sent.endedAt === null) return later("the message is not sent yet");
    // An older one that is shown at the same time might arrive last.
    const isShowing = marks.some((each) => each.id !== mark.id && each.lease !== null);
    if (isShowing) return later("an older one is being shown");
    if (!canMark(sent)) return nothing("no message was sent that can show it");
    return { message: sent, receipt: sent.outcome?.receipt ?? null };
  };
}

function nothing(why: string): Sent {
  return { result: "delivered", receipt: { nothing: why } };
}

function later(reason: string): Sent {
  return { result: "retry", reason };
}
