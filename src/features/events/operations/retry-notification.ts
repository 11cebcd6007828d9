import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { momentOptions } from "../../accounts/index.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
  fields,
  requestKey,
  notificationView,
  shown,
} from "../../notifications/index.ts";
import { taskKind } from "../../tasks/index.ts";
import { maySendTo, notAllowed } from "../messages.ts";
import { handlerNamed } from "../ports.ts";
import { isOfHandler } from "../task-end.ts";
import { textsOf } from "../texts.ts";

const output = notificationView.extend({
  fresh: z.boolean().describe("false: it was tried again before"),
});

export const retry = operation({
  name: "retry_notification",
  summary: "Say something now that could not be said.",
  input: z.strictObject({ id: fields.id }),
  output,
  aliases: { notification_id: "id" },
  effect: "adds",
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/notifications/{id}/retry" },
  command: { name: "retry", positionals: ["id"] },
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const failed = await find(book, notificationKind, id);
    checkFailed(failed);
    await checkNamed(failed, context);
    const now = context.now();
    // What had run out must not do so again; what it was said for has heard of its end.
    const { expiresAt: _, wakesParent: __, ...body } = failed.body;
    const draft = makeNotification(
      { ...body, at: now, atText: "now" },
      { priority: failed.priority },
    );
    const key = requestKey(`retry:${id}`, { id }, now);
    const { fresh, record } = await book.append({ ...draft, parent: id, key });
    return { ...shown(record ?? failed, momentOptions(context)), fresh };
  },
  render: ({ due, target }, { language }) => textsOf(language).planned({ when: due.text, target }),
});

/** An end never changes: it is said by a copy, and only when the first was not said, as far as we know. */
function checkFailed({ state, endedAt }: LedgerRecord<NotificationKind>): void {
  if (["failed", "unconfirmed", "expired"].includes(state)) return;
  const advice = endedAt === null ? "wait, or cancel it." : "ask for it anew.";
  throw new DaybookError("ended", `It is ${state}, so there is nothing to try again: ${advice}`, {
    details: { state },
  });
}

/** What a result named that it may not is said once its handler may: as that is set now. */
async function checkNamed(
  { body, parent }: LedgerRecord<NotificationKind>,
  context: Context,
): Promise<void> {
  const { channelName, target } = body;
  const task = parent === null ? undefined : await bookOf(context).get(parent);
  if (channelName === undefined || !is(taskKind, task) || !isOfHandler(task)) return;
  const { event } = task.body;
  const channels = handlerNamed(context, event.handler)?.channels ?? [];
  const now = { ...task, body: { ...task.body, event: { ...event, channels } } };
  if (!maySendTo(now, channelName)) throw new DaybookError("refused", `${notAllowed(target)}.`);
}
