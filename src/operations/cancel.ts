import * as z from "zod";
import { DaybookError, hasCode } from "../base/errors.ts";
import type { Book } from "../ledger/ledger.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { fields } from "./fields.ts";
import { lookOf, notificationView, shown } from "./notification-view.ts";
import { operation } from "./operation.ts";
import { bookOf, find, untilFresh } from "./own-book.ts";

const input = z.strictObject({
  id: fields.id,
  reason: z.string().max(1_000).optional().describe("why; kept with it"),
});

const output = notificationView.extend({
  result: z.enum(["cancelled", "cancelling", "cancelled_before"]),
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
    const book = bookOf(context);
    const { before, after } = await untilFresh(() => takeBack(book, id, reason.trim()));
    const view = shown(after, lookOf(context));
    if (after.endedAt === null) return { ...view, result: "cancelling" };
    if (after.state !== "cancelled") {
      throw new DaybookError("ended", `It is ${after.state} already, so it cannot be cancelled.`, {
        details: { state: after.state },
      });
    }
    return { ...view, result: before.endedAt === null ? "cancelled" : "cancelled_before" };
  },
  say({ result }, { language }) {
    const texts = textsOf(language);
    if (result === "cancelling") return texts.cancelling();
    return result === "cancelled" ? texts.cancelled() : texts.cancelledBefore();
  },
});

type Notification = LedgerRecord<"notification">;

/** The reason stands in the context and in the history: an edit whose consequence is the cancel. */
async function takeBack(
  book: Book,
  id: string,
  reason: string,
): Promise<{ before: Notification; after: Notification }> {
  const before = await find(book, "notification", id);
  if (before.endedAt !== null || before.cancelling) return { before, after: before };
  if (reason === "") {
    const { record } = await book.cancel({ id });
    // It may have reached another end since it was read.
    return { before, after: record as Notification };
  }
  const { context = "", ...rest } = before.body;
  const line = `Cancellation reason: ${reason}`;
  const body = { ...rest, context: context === "" ? line : `${context}\n${line}` };
  try {
    const { revision: ifRevision, kind } = before;
    const follows = { cancel: [{ id, reason }] };
    return { before, after: await book.edit({ kind, id, ifRevision, body }, follows) };
  } catch (error) {
    if (!hasCode(error, "ended")) throw error;
    const after = await find(book, "notification", id);
    return { before: after, after };
  }
}
