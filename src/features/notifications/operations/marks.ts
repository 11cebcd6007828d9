import { bookOf, recordOf } from "../../../kernel/book.ts";
import type { Caller, Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import type { Language } from "../../../platform/language.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { canMark, makeMark, type MarkText } from "../mark.ts";
import { isForListeners } from "../pop-up.ts";
import { firstSent } from "../snooze.ts";
import { textsOf, type MarkTexts } from "../texts.ts";
import { isMessageOf } from "./message-lookup.ts";

type Notification = LedgerRecord<NotificationKind>;
type Draft = DraftOf<NotificationKind>;
/** The text of a mark, in the language of the owner: who changes the record may read another. */
export type MarkOf = (marks: MarkTexts, language: Language) => string;

/**
 * The marks on the messages of a notification and of its newest copy, to write in the unit of the change. None if no
 * message was sent, or if the message shows this mark already.
 */
export async function marksOf(
  named: Notification,
  textOf: MarkOf,
  context: Context,
): Promise<readonly Draft[]> {
  if (isForListeners(named.queue)) return [];
  const { language } = await context.readProfile(context.owner);
  const message = textOf(textsOf(language).marks, language);
  const newest = await newestSent(named, context);
  const drafts: Draft[] = [];
  for (const sent of newest === undefined || newest.id === named.id ? [named] : [named, newest]) {
    const draft = canMark(sent) ? await markUnlessShown(sent, message, context) : undefined;
    if (draft !== undefined) drafts.push(draft);
  }
  return drafts;
}

/** Writes the marks in a unit of their own, for a notification that has ended and takes no further change. */
export async function showMarks(
  named: Notification,
  textOf: MarkOf,
  context: Context,
): Promise<void> {
  const [first, ...append] = await marksOf(named, textOf, context);
  if (first !== undefined) await bookOf(context).append(first, { append });
}

/** The chat of a pressed button shows the mark itself: there the mark is written as delivered. */
function markOn(sent: Notification, text: MarkText, caller: Caller): Draft {
  const draft = makeMark(sent, text);
  const { origin, pressed } = caller;
  if (origin === null || pressed === undefined || !isMessageOf(sent, origin, pressed)) return draft;
  const { kind, body, parent, key, lane } = draft as Draft & { parent: string };
  const outcome = { receipt: { pressed }, reason: null, maybeDelivered: false };
  return { kind, body, parent, key, lane, outcome, ends: "delivered" };
}

async function newestSent(
  named: Notification,
  context: Context,
): Promise<Notification | undefined> {
  const parent = firstSent(named);
  const isFirst = parent === named.id;
  if (isFirst && named.endedAt === null) return undefined; // it has no copy
  const book = bookOf(context);
  const query = { kind: notificationKind, parent, state: "delivered", order: "newest" } as const;
  const { records } = await book.list({ ...query, limit: childrenMax });
  const copy = records.find(({ body }) => body.snoozedFrom === parent);
  if (copy !== undefined) return copy;
  return isFirst ? named : recordOf(book, notificationKind, parent);
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
  // Two equal requests at once write one mark.
  const change = `${last?.id ?? "first"}:${message.slice(0, 100)}`;
  return markOn(sent, { message, now: context.now(), change }, context);
}
