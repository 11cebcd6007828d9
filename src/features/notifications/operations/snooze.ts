import type { z } from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { dueOf } from "../../accounts/index.ts";
import { expiryOf } from "../expiry.ts";
import { parentWake, type NotificationKind, notificationKind } from "../kind.ts";
import type { snoozeView, ViewContext } from "../record-actions.ts";
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
import { marksOf, type MarkOf } from "./marks.ts";
import { editOf } from "./update.ts";
import { shown } from "./view.ts";

type Notification = LedgerRecord<NotificationKind>;

/** Moves a waiting notification to a later time, or sends a copy of a sent one. */
export async function snoozeNotification(
  id: string,
  later: Later,
  { options, context }: ViewContext,
): Promise<z.infer<typeof snoozeView>> {
  const mark: MarkOf = ({ snoozed }, language) =>
    snoozed(dueOf(later.at, { ...options, language }).text);
  const { record, result } = await retryIfStale(() => snooze(id, { ...later, mark }, context));
  return { ...shown(record, options), result };
}

/** Moves the waiting one of the notification and its copies. If none waits, writes a new copy. */
async function snooze(
  id: string,
  { mark, ...later }: Later & { readonly mark: MarkOf },
  context: Context,
): Promise<{ readonly record: Notification; readonly result: "moved" | "again" }> {
  const named = await findRecord(bookOf(context), notificationKind, id);
  checkSnooze(named);
  const copies = await liveCopies(bookOf(context), named);
  const waits = [named, ...copies].find(isWaiting);
  const marks = await marksOf(named, mark, context);
  if (waits !== undefined) {
    return { record: await move(waits, { later, marks }, context), result: "moved" };
  }
  const inFlight = [named, ...copies.filter((copy) => copy.id !== named.id)].filter(
    ({ endedAt, cancelling }) => endedAt === null && !cancelling,
  );
  const isWithdrawn = ["cancelled", "done"].includes(named.state) || named.cancelling;
  if (isWithdrawn && inFlight.length === 0) throw withdrawnBefore(named);
  const draft = copyAt(named, later);
  // A copy in flight keeps the hold, so the new copy is written without it.
  const holds = copies.length === 0 ? [snoozeHold(firstSent(named))] : [];
  const unit = { draft: { ...draft, holds }, inFlight, marks };
  return { record: await appendCopy(unit, context), result: "again" };
}

async function move(
  record: Notification,
  { later, marks }: { later: Later; marks: readonly DraftOf<NotificationKind>[] },
  context: Context,
): Promise<Notification> {
  const body = bodyAt(record.body, later);
  const edit = { ...editOf(record, body, context), ifRevision: record.revision };
  const moved = await bookOf(context)
    .edit(edit, { append: marks })
    .catch((error: unknown) => {
      throw hasCode(error, "ended") ? changedMeanwhile(error) : guardRefusal(error, body, context);
    });
  // It was claimed since it was read, and its attempt sends it at the old time.
  if (moved.lease !== null) throw changedMeanwhile();
  return moved;
}

interface Copy {
  readonly draft: DraftOf<NotificationKind>;
  readonly inFlight: readonly Notification[];
  readonly marks: readonly DraftOf<NotificationKind>[];
}

/** Appends a copy. A notification in flight may still be delivered, but is not retried. */
async function appendCopy(
  { draft, inFlight, marks }: Copy,
  context: Context,
): Promise<Notification> {
  const cancel = inFlight.map(({ id }) => ({ id, reason: "snoozed" }));
  const wake = inFlight.flatMap((each) => parentWake(each).wake ?? []);
  try {
    const append = [...expiryOf(draft), ...marks];
    const { record } = await bookOf(context).append(draft, { append, cancel, wake });
    if (record !== null) return record;
  } catch (error) {
    throw hasCode(error, "held") ? changedMeanwhile(error) : error;
  }
  throw new DaybookError("bug", "A notification without a key was not written.");
}

/** Makes the caller read the records and decide again. */
function changedMeanwhile(cause?: unknown): DaybookError {
  const sentence = "It was sent or snoozed at the same time: try again.";
  return new DaybookError("stale", sentence, { cause });
}

function withdrawnBefore({ state, cancelling }: Notification): DaybookError {
  const ended = state === "done" ? "done already" : "cancelled already";
  const why = cancelling ? "being cancelled" : ended;
  return new DaybookError(
    "ended",
    `It is ${why}, so it cannot be snoozed: create a new notification.`,
    {
      details: { state },
    },
  );
}
