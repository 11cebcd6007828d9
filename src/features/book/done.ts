import * as z from "zod";
import type { Book } from "../../kernel/ledger.ts";
import { operation } from "../../kernel/operation.ts";
import { bookOf, find } from "../../kernel/own-book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { oneLine } from "../../platform/text.ts";
import { lookOf } from "../accounts/moment-view.ts";
import { doneAsNag, nagField } from "../nags/operations/as-notification.ts";
import { endWakes, type NotificationKind, notificationKind } from "../notifications/kind.ts";
import { liveCopies } from "../notifications/operations/copies.ts";
import { fields } from "../notifications/operations/fields.ts";
import { marksOf, showMarks } from "../notifications/operations/marks.ts";
import { notificationView, shown } from "../notifications/operations/view.ts";
import { textsOf } from "../texts/texts.ts";

type Notification = LedgerRecord<NotificationKind>;

const output = notificationView.extend({
  result: z
    .enum(["cancelled", "cancelling", "cancelled_before", "done"])
    .describe("done: it had been said; the others: it had not, and is not any more"),
  taken_back: z
    .array(z.string())
    .describe("what would have said it once more, after it was put off, and does not now"),
  nag: nagField,
});

export const done = operation({
  name: "done_notification",
  words: "Say that something is done: it is not said any more, nor once more.",
  input: z.strictObject({ id: fields.id }),
  output,
  aliases: { notification_id: "id" },
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/notifications/{id}/done" },
  command: { name: "done", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const asNag = await doneAsNag(id, context);
    if (asNag !== undefined) return asNag;
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
    return { ...shown(after, lookOf(context)), result, taken_back: taken };
  },
  say({ result, taken_back: taken, nag, message }, { language }) {
    const texts = textsOf(language);
    if (nag !== undefined && result === "done") return texts.nagDone(oneLine(message, 100));
    if (result === "cancelling") return texts.cancelling();
    if (result === "cancelled_before" && taken.length === 0) return texts.cancelledBefore();
    return taken.length > 0 || result === "cancelled" ? texts.doneUnsaid() : texts.done();
  },
});

async function takeBack(
  book: Book,
  before: Notification,
  append: readonly DraftOf<NotificationKind>[],
): Promise<Notification> {
  if (before.endedAt !== null) return before;
  const follows = { ...endWakes(before), append };
  const { record } = await book.cancel({ id: before.id, reason: "done" }, follows);
  return record as Notification; // it was one when it was read
}

function resultOf(before: Notification, after: Notification): z.infer<typeof output>["result"] {
  if (after.endedAt === null) return "cancelling";
  if (after.state !== "cancelled") return "done";
  return before.endedAt === null ? "cancelled" : "cancelled_before";
}
