import type { z } from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Consequences, DraftOf, EditOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { outlookOf } from "../hold.ts";
import { parentWake, type NotificationKind, notificationKind } from "../kind.ts";
import type { doneView, cancelView } from "../record-actions.ts";
import { firstSent } from "../snooze.ts";
import { marksOf, showMarks } from "./marks.ts";
import { shown } from "./view.ts";

type Notification = LedgerRecord<NotificationKind>;

/** Cancels a notification that has not been sent. */
export async function cancelNotification(
  id: string,
  reason: string,
  context: Context,
): Promise<z.infer<typeof cancelView>> {
  const { before, after } = await retryIfStale(() => cancelWith(id, reason.trim(), context));
  if (after.endedAt === null) await showMarks(after, ({ cancelled }) => cancelled, context);
  const view = shown(after, await outlookOf(context));
  if (after.endedAt === null) return { ...view, result: "cancelling" };
  if (after.state !== "cancelled") throw alreadyEnded(after.state);
  return { ...view, result: before.endedAt === null ? "cancelled" : "cancelled_before" };
}

/** The error of a cancel after another end. */
export function alreadyEnded(state: string): DaybookError {
  const sentence = `It is ${state} already, so it cannot be cancelled.`;
  return new DaybookError("ended", sentence, { details: { state } });
}

/** Writes the reason into the context and the history: an edit whose consequence is the cancel. */
async function cancelWith(
  typed: string,
  reason: string,
  context: Context,
): Promise<{ before: Notification; after: Notification }> {
  const book = bookOf(context);
  const before = await findRecord(book, notificationKind, typed);
  const { id } = before;
  if (before.endedAt !== null || before.cancelling) return { before, after: before };
  const append = await marksOf(before, ({ cancelled }) => cancelled, context);
  if (reason === "") {
    const { record } = await book.cancel({ id }, { ...parentWake(before), append });
    // It may have reached another end since it was read.
    return { before, after: record as Notification };
  }
  const { edit, cancel, wake } = withdrawal(before, reason);
  try {
    return { before, after: await book.edit(edit, { append, cancel, wake }) };
  } catch (error) {
    if (!hasCode(error, "ended")) throw error;
    const after = await findRecord(book, notificationKind, id);
    return { before: after, after };
  }
}

interface Withdrawal extends Pick<Consequences, "cancel" | "wake"> {
  readonly edit: EditOf<NotificationKind>;
}

/** The writes that cancel a notification for a reason, if nobody has changed it since. */
export function withdrawal(
  { kind, id, revision: ifRevision, body, parent }: Notification,
  reason: string,
): Withdrawal {
  const { context: known = "", ...rest } = body;
  const line = `Cancellation reason: ${reason}`;
  const edited = { ...rest, context: known === "" ? line : `${known}\n${line}` };
  const edit = { kind, id, ifRevision, body: edited } as const;
  return { edit, cancel: [{ id, reason }], wake: parentWake({ body, parent }).wake };
}

/** The live copies of a snoozed notification: one, unless the first is being sent. */
export async function liveCopies(
  book: Book,
  record: Notification,
): Promise<readonly Notification[]> {
  const parent = firstSent(record);
  const { records } = await book.list({ kind: notificationKind, parent, live: true, limit: 500 });
  return records
    .filter((each) => is(notificationKind, each))
    .filter(({ body }) => body.snoozedFrom === parent);
}

type Done = z.infer<typeof doneView>;

/** Ends a notification and its snoozed copies as done. What was delivered stays so. */
export async function finishNotification(id: string, context: Context): Promise<Done> {
  const book = bookOf(context);
  const named = await findRecord(book, notificationKind, id);
  const copies = (await liveCopies(book, named)).filter((copy) => copy.id !== named.id);
  const first = [named, ...copies].find(({ endedAt }) => endedAt === null);
  const marks = first === undefined ? [] : await marksOf(named, ({ done }) => done, context);
  // Not in one unit: a record that has ended, or is being cancelled, takes no further change.
  const after = await withdraw(book, named, named === first ? marks : []);
  const taken: string[] = [];
  for (const copy of copies) {
    const { state } = await withdraw(book, copy, copy === first ? marks : []);
    if (state !== "delivered") taken.push(copy.id);
  }
  if (!isWithdrawn(after)) await showMarks(after, ({ done }) => done, context);
  const result = resultOf(named, after);
  return { ...shown(after, await outlookOf(context)), result, taken_back: taken };
}

async function withdraw(
  book: Book,
  before: Notification,
  append: readonly DraftOf<NotificationKind>[],
): Promise<Notification> {
  if (before.endedAt !== null) return before;
  const { id, kind } = before;
  const consequences = { ...parentWake(before), append };
  try {
    return await book.edit<NotificationKind>({ kind, id, ends: "done" }, consequences);
  } catch (error) {
    if (!hasCode(error, "leased") && !hasCode(error, "ended")) throw error;
  }
  // It is being sent: no further attempt starts, and what it ends as depends on this one.
  const { record } = await book.cancel({ id, reason: "done" }, consequences);
  return record as Notification; // it was one when it was read
}

function isWithdrawn({ state }: Notification): boolean {
  return state === "done" || state === "cancelled";
}

function resultOf(before: Notification, after: Notification): Done["result"] {
  if (after.endedAt === null) return "cancelling";
  if (!isWithdrawn(after)) return "done";
  return before.endedAt === null ? "cancelled" : "cancelled_before";
}
