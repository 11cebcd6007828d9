import type { z } from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import type { doneView } from "../kind-actions.ts";
import { endWakes, type NotificationKind, notificationKind } from "../kind.ts";
import { liveCopies } from "./copies.ts";
import { marksOf, showMarks } from "./marks.ts";
import { shown } from "./view.ts";

type Notification = LedgerRecord<NotificationKind>;
type Done = z.infer<typeof doneView>;

/** Takes back a notification and what would send it once more. */
export async function finishNotification(id: string, context: Context): Promise<Done> {
  const book = bookOf(context);
  const named = await find(book, notificationKind, id);
  const copies = (await liveCopies(book, named)).filter((copy) => copy.id !== id);
  const first = [named, ...copies].find(({ endedAt }) => endedAt === null);
  const marks = first === undefined ? [] : await marksOf(named, ({ done }) => done, context);
  // Not in one unit: what has ended, or is being cancelled, carries no further change.
  const after = await takeBack(book, named, named === first ? marks : []);
  const taken: string[] = [];
  for (const copy of copies) {
    const { state } = await takeBack(book, copy, copy === first ? marks : []);
    if (state !== "delivered") taken.push(copy.id);
  }
  if (after.state !== "cancelled") await showMarks(after, ({ done }) => done, context);
  const result = resultOf(named, after);
  return { ...shown(after, momentOptions(context)), result, taken_back: taken };
}

async function takeBack(
  book: Book,
  before: Notification,
  append: readonly DraftOf<NotificationKind>[],
): Promise<Notification> {
  if (before.endedAt !== null) return before;
  const consequences = { ...endWakes(before), append };
  const { record } = await book.cancel({ id: before.id, reason: "done" }, consequences);
  return record as Notification; // it was one when it was read
}

function resultOf(before: Notification, after: Notification): Done["result"] {
  if (after.endedAt === null) return "cancelling";
  if (after.state !== "cancelled") return "done";
  return before.endedAt === null ? "cancelled" : "cancelled_before";
}
