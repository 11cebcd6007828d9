import * as z from "zod";
import { bookOf, findRecord, recordOf } from "../../../kernel/book.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
  fields,
  requestKey,
  notificationView,
  outlookOf,
  shown,
} from "../../notifications/index.ts";
import { taskKind } from "../../tasks/index.ts";
import { maySendTo, notAllowed } from "../messages.ts";
import { handlerNamed } from "../ports.ts";
import { isOfHandler } from "../task-end.ts";
import { textsOf } from "../texts.ts";

const output = notificationView.extend({
  fresh: z.boolean().describe("false: it was sent again before"),
});

export const retry = operation({
  name: "retry_notification",
  summary: "Send again a notification that was not delivered.",
  input: z.strictObject({ id: fields.id }),
  output,
  aliases: { notification_id: "id" },
  effect: "adds",
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/notifications/{id}/retry" },
  command: { name: "notification retry", aliases: ["retry"], positionals: ["id"] },
  async run({ id: typed }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const failed = await findRecord(book, notificationKind, typed);
    const { id } = failed;
    checkFailed(failed);
    await checkChannel(failed, context);
    const now = context.now();
    // The copy must not expire at the old time, and the parent was woken by the first end.
    const { expiresAt: _, wakesParent: __, imported: ___, ...body } = failed.body;
    const draft = makeNotification(
      { ...body, at: now, atText: "now" },
      { priority: failed.priority },
    );
    const key = requestKey(`retry:${id}`, { id }, now);
    const { fresh, record } = await book.append({ ...draft, parent: id, key });
    return { ...shown(record ?? failed, await outlookOf(context)), fresh };
  },
  render: ({ due, target }, { language }) => textsOf(language).planned({ when: due.text, target }),
});

/** Only what is not known to be delivered is sent again, as a copy: the first record stays as it ended. */
function checkFailed({ state, endedAt }: LedgerRecord<NotificationKind>): void {
  if (["failed", "unconfirmed", "expired"].includes(state)) return;
  const advice = endedAt === null ? "wait, or cancel it" : "create a new reminder";
  const sentence = `It is ${state}, and only a failed, unconfirmed or expired notification can be sent again: ${advice}.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

/** A result's message to a forbidden channel may be sent once the settings of the handler allow the channel. */
async function checkChannel(
  { body, parent }: LedgerRecord<NotificationKind>,
  context: Context,
): Promise<void> {
  const { channelName, target } = body;
  const task = await recordOf(bookOf(context), taskKind, parent);
  if (channelName === undefined || task === undefined || !isOfHandler(task)) return;
  const { event } = task.body;
  const channels = handlerNamed(context, event.handler)?.channels ?? [];
  const now = { body: { ...task.body, event: { ...event, channels } } };
  if (!maySendTo(now, channelName)) throw new DaybookError("refused", `${notAllowed(target)}.`);
}
