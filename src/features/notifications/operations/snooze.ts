import type { z } from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { dueOf } from "../../accounts/index.ts";
import { expiryOf } from "../expiry.ts";
import { parentWake, type NotificationKind, notificationKind } from "../kind.ts";
import type { snoozeView, ViewedFrom } from "../record-actions.ts";
import {
  bodyAt,
  checkSnooze,
  copyAt,
  firstSent,
  isWaiting,
  snoozeHold,
  type Later,
} from "../snooze.ts";
import { liveCopies } from "./cancel.ts";
import { guardRefusal } from "./insert.ts";
import { marksOf } from "./marks.ts";
import { editOf } from "./update.ts";
import { shown } from "./view.ts";

type Notification = LedgerRecord<NotificationKind>;

/** Moves a notification that waits; sends once more what has been sent. */
export async function snoozeNotification(
  id: string,
  later: Later,
  { look, context }: ViewedFrom,
): Promise<z.infer<typeof snoozeView>> {
  const when = dueOf(later.at, look).text;
  const { record, result } = await retryIfStale(() => putOff(id, { ...later, when }, context));
  return { ...shown(record, look), result };
}

interface Wanted extends Later {
  /** The time, as its reader is told it. */
  readonly when: string;
}

interface PutOff {
  readonly record: Notification;
  readonly result: "moved" | "again";
}

/** Moves what waits: the one that was named, or what says it once more. Else a copy says it. */
async function putOff(id: string, wanted: Wanted, context: Context): Promise<PutOff> {
  const { when, ...later } = wanted;
  const named = await findRecord(bookOf(context), notificationKind, id);
  checkSnooze(named);
  const copies = await liveCopies(bookOf(context), named);
  const waits = [named, ...copies].find(isWaiting);
  const marks = await marksOf(named, ({ snoozed }) => snoozed(when), context);
  if (waits !== undefined) {
    return { record: await move(waits, { later, marks }, context), result: "moved" };
  }
  const atWork = [named, ...copies.filter((copy) => copy.id !== id)].filter(
    ({ endedAt, cancelling }) => endedAt === null && !cancelling,
  );
  const isTakenBack = named.state === "cancelled" || named.cancelling;
  if (isTakenBack && atWork.length === 0) throw takenBack(named);
  const draft = copyAt(named, later);
  // The hold of a copy that is being sent is not free yet: the newer copy goes without it.
  const holds = copies.length === 0 ? [snoozeHold(firstSent(named))] : [];
  const unit = { draft: { ...draft, holds }, atWork, marks };
  return { record: await sayAgain(unit, context), result: "again" };
}

interface Moved {
  readonly later: Later;
  readonly marks: readonly DraftOf<NotificationKind>[];
}

async function move(
  record: Notification,
  { later, marks }: Moved,
  context: Context,
): Promise<Notification> {
  const body = bodyAt(record.body, later);
  const edit = { ...editOf(record, body, context), ifRevision: record.revision };
  const moved = await bookOf(context)
    .edit(edit, { append: marks })
    .catch((error: unknown) => {
      throw hasCode(error, "ended") ? meanwhile(error) : guardRefusal(error, body, context);
    });
  // Claimed since it was read: sent now, it would not be sent again.
  if (moved.lease !== null) throw meanwhile();
  return moved;
}

interface Again {
  readonly draft: DraftOf<NotificationKind>;
  readonly atWork: readonly Notification[];
  readonly marks: readonly DraftOf<NotificationKind>[];
}

/** A notification in flight may still be delivered, but is not retried: the copy is sent instead. */
async function sayAgain({ draft, atWork, marks }: Again, context: Context): Promise<Notification> {
  const cancel = atWork.map(({ id }) => ({ id, reason: "snoozed" }));
  const wake = atWork.flatMap((each) => parentWake(each).wake ?? []);
  try {
    const append = [...expiryOf(draft), ...marks];
    const { record } = await bookOf(context).append(draft, { append, cancel, wake });
    if (record !== null) return record;
  } catch (error) {
    throw hasCode(error, "held") ? meanwhile(error) : error;
  }
  throw new DaybookError("bug", "What has no key was forgotten.");
}

/** Read it again and decide anew. */
function meanwhile(cause?: unknown): DaybookError {
  const sentence = "It was said or put off at the same time: ask again.";
  return new DaybookError("stale", sentence, { cause });
}

function takenBack({ state, cancelling }: Notification): DaybookError {
  const why = cancelling ? "being cancelled" : "cancelled already";
  return new DaybookError("ended", `It is ${why}, so it cannot be put off: ask for it anew.`, {
    details: { state },
  });
}
