import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { oneLine } from "../../../platform/text.ts";
import { lookOf } from "../../accounts/moment-view.ts";
import { endWakes, type NotificationKind, notificationKind } from "../../notifications/kind.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { marksOf, showMarks } from "../../notifications/operations/marks.ts";
import { notificationView, shown } from "../../notifications/operations/view.ts";
import { textsOf } from "../../texts/texts.ts";
import { cancelledAsNag, nagField } from "./as-notification.ts";

const input = z.strictObject({
  id: fields.id,
  reason: z.string().max(1_000).optional().describe("why; kept with it"),
});

const output = notificationView.extend({
  result: z.enum(["cancelled", "cancelling", "cancelled_before"]),
  nag: nagField,
});

export const cancel = operation({
  name: "cancel_notification",
  words: "Take back something that has not been said yet.",
  input,
  output,
  aliases: { notification_id: "id" },
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/notifications/{id}/cancel" },
  command: { name: "cancel", positionals: ["id"] },
  tool: "always",
  async run({ id, reason = "" }, context): Promise<z.infer<typeof output>> {
    const asNag = await cancelledAsNag(id, reason, context);
    if (asNag !== undefined) return nagResult(asNag);
    const { before, after } = await untilFresh(() => takeBack(id, reason.trim(), context));
    if (after.endedAt === null) await showMarks(after, ({ cancelled }) => cancelled, context);
    const view = shown(after, lookOf(context));
    if (after.endedAt === null) return { ...view, result: "cancelling" };
    if (after.state !== "cancelled") throw over(after.state);
    return { ...view, result: before.endedAt === null ? "cancelled" : "cancelled_before" };
  },
  say({ result, nag, message }, { language }) {
    const texts = textsOf(language);
    if (nag !== undefined && result === "cancelled") return texts.nagDeleted(oneLine(message, 100));
    if (result === "cancelling") return texts.cancelling();
    return result === "cancelled" ? texts.cancelled() : texts.cancelledBefore();
  },
});

type Notification = LedgerRecord<NotificationKind>;

function over(state: string): DaybookError {
  const sentence = `It is ${state} already, so it cannot be cancelled.`;
  return new DaybookError("ended", sentence, { details: { state } });
}

function nagResult({
  changed,
  ...nag
}: NonNullable<Awaited<ReturnType<typeof cancelledAsNag>>>): z.infer<typeof output> {
  if (nag.state !== "cancelled") throw over(nag.state);
  return { ...nag, result: changed ? "cancelled" : "cancelled_before" };
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
    const follows = { append, cancel: [{ id, reason }], ...endWakes(before) };
    return { before, after: await book.edit({ kind, id, ifRevision, body }, follows) };
  } catch (error) {
    if (!hasCode(error, "ended")) throw error;
    const after = await find(book, notificationKind, id);
    return { before: after, after };
  }
}
