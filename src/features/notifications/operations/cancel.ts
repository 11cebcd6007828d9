import type { z } from "zod";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import type { cancelView } from "../kind-actions.ts";
import { endWakes, type NotificationKind, notificationKind } from "../kind.ts";
import { marksOf, showMarks } from "./marks.ts";
import { shown } from "./view.ts";

type Notification = LedgerRecord<NotificationKind>;

/** Takes back a notification that has not been sent. */
export async function cancelNotification(
  id: string,
  reason: string,
  context: Context,
): Promise<z.infer<typeof cancelView>> {
  const { before, after } = await untilFresh(() => takeBack(id, reason.trim(), context));
  if (after.endedAt === null) await showMarks(after, ({ cancelled }) => cancelled, context);
  const view = shown(after, momentOptions(context));
  if (after.endedAt === null) return { ...view, result: "cancelling" };
  if (after.state !== "cancelled") throw endedAs(after.state);
  return { ...view, result: before.endedAt === null ? "cancelled" : "cancelled_before" };
}

/** What has reached another end cannot be cancelled. */
export function endedAs(state: string): DaybookError {
  const sentence = `It is ${state} already, so it cannot be cancelled.`;
  return new DaybookError("ended", sentence, { details: { state } });
}

/** The reason stands in the context and in the history: an edit whose consequence is the cancel. */
async function takeBack(
  id: string,
  reason: string,
  context: Context,
): Promise<{ before: Notification; after: Notification }> {
  const book = bookOf(context);
  const before = await find(book, notificationKind, id);
  if (before.endedAt !== null || before.cancelling) return { before, after: before };
  const append = await marksOf(before, ({ cancelled }) => cancelled, context);
  if (reason === "") {
    const { record } = await book.cancel({ id }, { ...endWakes(before), append });
    // It may have reached another end since it was read.
    return { before, after: record as Notification };
  }
  const { context: known = "", ...rest } = before.body;
  const line = `Cancellation reason: ${reason}`;
  const body = { ...rest, context: known === "" ? line : `${known}\n${line}` };
  try {
    const { revision: ifRevision, kind } = before;
    const consequences = { append, cancel: [{ id, reason }], ...endWakes(before) };
    return { before, after: await book.edit({ kind, id, ifRevision, body }, consequences) };
  } catch (error) {
    if (!hasCode(error, "ended")) throw error;
    const after = await find(book, notificationKind, id);
    return { before: after, after };
  }
}
