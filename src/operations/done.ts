import * as z from "zod";
import type { Book } from "../ledger/ledger.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { liveCopies } from "./copies.ts";
import { fields } from "./fields.ts";
import { lookOf, notificationView, shown } from "./notification-view.ts";
import { operation } from "./operation.ts";
import { bookOf, find } from "./own-book.ts";

type Notification = LedgerRecord<"notification">;

const output = notificationView.extend({
  result: z
    .enum(["cancelled", "cancelling", "cancelled_before", "done"])
    .describe("done: it had been said; the others: it had not, and is not any more"),
  taken_back: z
    .array(z.string())
    .describe("what would have said it once more, after it was put off, and does not now"),
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
    const named = await find(book, "notification", id);
    const copies = (await liveCopies(book, named)).filter((copy) => copy.id !== id);
    // Not in one unit: what has ended, or is being cancelled, carries no further change.
    const after = await takeBack(book, named);
    const taken: string[] = [];
    for (const copy of copies) {
      if ((await takeBack(book, copy)).state !== "delivered") taken.push(copy.id);
    }
    const result = resultOf(named, after);
    return { ...shown(after, lookOf(context)), result, taken_back: taken };
  },
  say({ result, taken_back: taken }, { language }) {
    const texts = textsOf(language);
    if (result === "cancelling") return texts.cancelling();
    if (result === "cancelled_before" && taken.length === 0) return texts.cancelledBefore();
    return taken.length > 0 || result === "cancelled" ? texts.doneUnsaid() : texts.done();
  },
});

async function takeBack(book: Book, before: Notification): Promise<Notification> {
  if (before.endedAt !== null) return before;
  const { record } = await book.cancel({ id: before.id, reason: "done" });
  return record as Notification; // it was one when it was read
}

function resultOf(before: Notification, after: Notification): z.infer<typeof output>["result"] {
  if (after.endedAt === null) return "cancelling";
  if (after.state !== "cancelled") return "done";
  return before.endedAt === null ? "cancelled" : "cancelled_before";
}
