import { is } from "../../../kernel/kind.ts";
import type { Caller, Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { canMark, makeMark, type MarkText } from "../mark.ts";
import { firstSent } from "../snooze.ts";
import { isForListeners } from "../unread.ts";
import { isMessageOf } from "./message-lookup.ts";

type Notification = LedgerRecord<NotificationKind>;
type Draft = DraftOf<NotificationKind>;
type Words = (marks: MarkTexts) => string;

/**
 * What the messages show from now on that sent this, or what it says once more: the one that was named, and the
 * newest. To be written in one unit with the change. Nothing when no message was sent, or it shows that already.
 */
export async function marksOf(
  named: Notification,
  words: Words,
  context: Context,
): Promise<readonly Draft[]> {
  if (isForListeners(named.queue)) return [];
  const message = words(marksIn(context.profile.language));
  const newest = await newestSent(named, context);
  const drafts: Draft[] = [];
  for (const sent of newest === undefined || newest.id === named.id ? [named] : [named, newest]) {
    const draft = canMark(sent) ? await markUnlessShown(sent, message, context) : undefined;
    if (draft !== undefined) drafts.push(draft);
  }
  return drafts;
}

/** The same where no unit is left to be part of: what has ended carries no further change. */
export async function showMarks(
  named: Notification,
  words: Words,
  context: Context,
): Promise<void> {
  const [first, ...append] = await marksOf(named, words, context);
  if (first !== undefined) await bookOf(context).append(first, { append });
}

/** A chat shows a press on the message that was pressed: what is written is only that it does. */
function markOn(sent: Notification, words: MarkText, caller: Caller): Draft {
  const draft = makeMark(sent, words);
  const { origin, pressed } = caller;
  if (origin === null || pressed === undefined || !isMessageOf(sent, origin, pressed)) return draft;
  const { kind, body, parent, key, lane } = draft as Draft & { parent: string };
  const outcome = { receipt: { pressed }, reason: null, maybeDelivered: false };
  return {
    kind,
    body,
    parent,
    ...(key && { key }),
    ...(lane && { lane }),
    outcome,
    ends: "delivered",
  };
}

async function newestSent(
  named: Notification,
  context: Context,
): Promise<Notification | undefined> {
  const parent = firstSent(named);
  const isFirst = parent === named.id;
  if (isFirst && named.endedAt === null) return undefined; // nothing says it once more yet
  const book = bookOf(context);
  const query = { kind: notificationKind, parent, state: "delivered", order: "newest" } as const;
  const { records } = await book.list({ ...query, limit: childrenMax });
  const copy = records.find(({ body }) => body.snoozedFrom === parent);
  if (copy !== undefined) return copy;
  const first = isFirst ? named : await book.get(parent);
  return is(notificationKind, first) ? first : undefined;
}

const childrenMax = 100;

async function markUnlessShown(
  sent: Notification,
  message: string,
  context: Context,
): Promise<Draft | undefined> {
  const query = { kind: notificationKind, parent: sent.id, order: "newest" } as const;
  const { records } = await bookOf(context).list({ ...query, limit: childrenMax });
  const last = records.find(({ body }) => body.type === "mark");
  if (last?.body.message === message) return undefined;
  // Two who ask for the same at once mark it once.
  const change = `${last?.id ?? "first"}:${message.slice(0, 100)}`;
  return markOn(sent, { message, now: context.now(), change }, context);
}
