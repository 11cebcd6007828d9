import * as z from "zod";
import { operation, type Context } from "../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../kernel/own-book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { parseTime } from "../../time/times.ts";
import { dueOf, lookOf } from "../accounts/moment-view.ts";
import { nagField, snoozedAsNag } from "../nags/operations/as-notification.ts";
import { expiryOf } from "../notifications/expiry.ts";
import { endWakes, type NotificationKind, notificationKind } from "../notifications/kind.ts";
import { liveCopies } from "../notifications/operations/copies.ts";
import { fields } from "../notifications/operations/fields.ts";
import { told } from "../notifications/operations/insert.ts";
import { marksOf } from "../notifications/operations/marks.ts";
import { editOf } from "../notifications/operations/update.ts";
import { notificationView, shown } from "../notifications/operations/view.ts";
import {
  bodyLater,
  checkSnooze,
  copyLater,
  firstSaid,
  isWaiting,
  snoozeHold,
  type Later,
} from "../notifications/snooze.ts";
import { textsOf } from "../texts/texts.ts";

type Notification = LedgerRecord<NotificationKind>;

const output = notificationView.extend({
  result: z
    .enum(["moved", "again"])
    .describe("moved: the time of one that waits; again: it is said once more, by this one"),
  snoozed: z.string().describe("the one that was named"),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
  nag: nagField,
});

export const snooze = operation({
  name: "snooze_notification",
  words: "Say something later, or once more if it has been said.",
  input: z.strictObject({ id: fields.id, at: fields.at, timezone: fields.timezone }),
  output,
  aliases: { notification_id: "id" },
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/notifications/{id}/snooze" },
  command: { name: "snooze", positionals: ["id", "at"] },
  tool: "on request",
  async run({ id, at: atText, timezone }, context): Promise<z.infer<typeof output>> {
    const look = lookOf(context, timezone);
    const { at, assumed } = parseTime(atText, look);
    const extra = assumed === undefined ? {} : { assumed };
    const asNag = await snoozedAsNag(id, { at, atText }, { look: { ...look, assumed }, context });
    if (asNag !== undefined) return { ...asNag, ...extra };
    const when = dueOf(at, { ...look, assumed }).text;
    const { record, result } = await untilFresh(() => putOff(id, { at, atText, when }, context));
    return {
      ...shown(record, { ...look, assumed }),
      result,
      snoozed: id,
      ...extra,
    };
  },
  say({ id, due, target }, { language }) {
    const texts = textsOf(language);
    const past = due.past ? [texts.pastSoAtOnce()] : [];
    return [texts.snoozed({ when: due.text, target }), ...past, id].join("\n");
  },
});

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
  const named = await find(bookOf(context), notificationKind, id);
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
  const draft = copyLater(named, later);
  // The name of a copy that is being said is not free yet: the newer one goes beside it.
  const holds = copies.length === 0 ? [snoozeHold(firstSaid(named))] : [];
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
  const body = bodyLater(record.body, later);
  const edit = { ...editOf(record, body, context), ifRevision: record.revision };
  const moved = await bookOf(context)
    .edit(edit, { append: marks })
    .catch((error: unknown) => {
      throw hasCode(error, "ended") ? meanwhile(error) : told(error, body, context);
    });
  // Claimed since it was read: if it is said now, it would not be said again.
  if (moved.lease !== null) throw meanwhile();
  return moved;
}

interface Again {
  readonly draft: DraftOf<NotificationKind>;
  readonly atWork: readonly Notification[];
  readonly marks: readonly DraftOf<NotificationKind>[];
}

/** What is being said right now may arrive, but is not tried again: its copy is. */
async function sayAgain({ draft, atWork, marks }: Again, context: Context): Promise<Notification> {
  const cancel = atWork.map(({ id }) => ({ id, reason: "snoozed" }));
  const wake = atWork.flatMap((each) => endWakes(each).wake ?? []);
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
