import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { type NotificationKind, notificationKind, makeNotification } from "./kind.ts";
import { isForListeners } from "./pop-up.ts";
import type { Sent } from "./receipt.ts";

type Notification = LedgerRecord<NotificationKind>;

/** The text of a mark, and the change that it shows. */
export interface MarkText {
  /** In the reader's language. */
  readonly message: string;
  readonly now: number;
  /**
   * A name of the change, such as the revision of the record: two requests with one name write one mark. A later
   * change with the same text has another name, because another mark may have been shown in between.
   */
  readonly change: string;
}

/** A mark on a message that was sent or is being sent. It goes to the target of the message. */
export function makeMark(
  sent: Notification,
  { message, now, change }: MarkText,
): DraftOf<NotificationKind> {
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

/** Whether the notification has, or may soon have, a message that can show a mark. */
export function canMark(sent: Notification): boolean {
  const { body, state, endedAt, lease, queue, outcome } = sent;
  if (body.type === "mark" || body.type === "digest") return false;
  if (endedAt === null) return lease !== null && !isForListeners(queue);
  return state === "delivered" && messagesIn(outcome?.receipt ?? null).length > 0;
}

/** The messages that a receipt names. A notification that a digest sent has none of its own. */
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

/** Finds the message that a mark is shown on; or the result, if there is nothing to show, or not yet. */
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
    // A retried mark has the failed mark as its parent, so it is not among these.
    const isOlder = marks.slice(1).some(({ id: each }) => each === mark.id);
    if (isOlder) return nothing(`a newer mark is shown: ${newest?.id}`);
    if (sent.endedAt === null) return later("the message is not sent yet");
    // An older mark that is sent at the same time might arrive last.
    const isShowing = marks.some((each) => each.id !== mark.id && each.lease !== null);
    if (isShowing) return later("an older mark is being sent");
    if (!canMark(sent)) return nothing("no sent message can show it");
    return { message: sent, receipt: sent.outcome?.receipt ?? null };
  };
}

function nothing(why: string): Sent {
  return { result: "delivered", receipt: { nothing: why } };
}

function later(reason: string): Sent {
  return { result: "retry", reason };
}
