import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import type { LedgerRecord, Priority } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { parseFuture } from "../../../time/future.ts";
import { dueOf, guessView } from "../../accounts/index.ts";
import { outlookOf } from "../hold.ts";
import { makeNotification, type NotificationKind, notificationKind } from "../kind.ts";
import { isWaiting } from "../snooze.ts";
import { textsOf } from "../texts.ts";
import { fields, priorityOf, timeWords } from "./fields.ts";
import { holdsAfter, guardRefusal, type Whose } from "./insert.ts";
import { marksOf, type MarkOf } from "./marks.ts";
import { notificationView, shown } from "./view.ts";

const input = z.strictObject({
  id: fields.id,
  message: z.string().optional().describe("the new text"),
  at: fields.at.optional().describe(timeWords),
  timezone: fields.timezone,
  priority: fields.priority,
  revision: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("fails unless the notification is in this revision"),
});

const output = notificationView.extend({
  ...guessView,
});

export const update = operation({
  name: "update_notification",
  summary: "Change the message, time or priority of a waiting notification.",
  input,
  output,
  aliases: { notification_id: "id", scheduled_at: "at" },
  example: { id: exampleId, at: "tomorrow 10am" },
  route: { method: "PATCH", path: "/v1/notifications/{id}" },
  command: { name: "notification edit", aliases: ["update"], positionals: ["id"] },
  tool: "always",
  toolInputs: { seldom: ["revision"] },
  async run({ id, message, at, timezone, priority, revision }, context) {
    if (message === undefined && at === undefined && priority === undefined) {
      throw new DaybookError(
        "invalid",
        "There is nothing to change: give message, at or priority.",
      );
    }
    const options = await outlookOf(context, timezone);
    const parsed = at === undefined ? undefined : parseFuture(at, options);
    const book = bookOf(context);
    const markAt =
      (moment: NonNullable<typeof parsed>): MarkOf =>
      ({ snoozed }, language) =>
        snoozed(dueOf(moment.at, { ...options, ...moment, language }).text);
    const change = async (): Promise<LedgerRecord<NotificationKind>> => {
      const record = waiting(await findRecord(book, notificationKind, id));
      const body: NotificationKind["body"] = {
        ...record.body,
        message: message ?? record.body.message,
        at: parsed?.at ?? record.body.at,
        atText: at ?? record.body.atText,
      };
      const edit = {
        ...editOf(record, body, context),
        priority: priorityOf(priority),
        ifRevision: revision ?? record.revision,
      };
      // The sent message of a waiting copy shows when the copy will be sent.
      const isCopy = body.snoozedFrom !== undefined && isWaiting(record);
      const append = isCopy && parsed ? await marksOf(record, markAt(parsed), context) : [];
      return book.edit(edit, { append }).catch((error: unknown) => {
        throw guardRefusal(error, body, context);
      });
    };
    // With a revision of the caller's, the caller has to read again.
    const changed = await (revision === undefined ? retryIfStale(change) : change());
    const { assumed, instead } = parsed ?? {};
    const view = shown(changed, { ...options, assumed, instead });
    return { ...view, ...present({ assumed, instead }) };
  },
  render({ id, due, target }, { language }) {
    const texts = textsOf(language);
    const past = due.past ? [texts.pastSoAtOnce()] : [];
    return [texts.changed({ when: due.text, target }), ...past, id].join("\n");
  },
});

function waiting(record: LedgerRecord<NotificationKind>): LedgerRecord<NotificationKind> {
  const { state, endedAt, cancelling } = record;
  if (endedAt === null && !cancelling) return record;
  const why = cancelling && endedAt === null ? "being cancelled" : `${state} already`;
  throw new DaybookError("ended", `It is ${why}, so it cannot be changed.`, {
    details: { state },
  });
}

/** The edit for a new body: a new time changes the wake time and the holds. */
export function editOf(
  { id, body: before }: LedgerRecord<NotificationKind>,
  body: NotificationKind["body"],
  whose: Whose,
): EditOf<NotificationKind> {
  const { kind, queue = kind } = makeNotification(body);
  if (body.at === before.at) return { kind, id, body };
  const holds = body.relatedTaskId === undefined ? undefined : holdsAfter(id, body, whose);
  return { kind, id, body, wakeAt: body.at, queue, holds }; // an unread one pops up again
}

/** What another program may change in a waiting notification. */
export interface Rewrite {
  readonly message?: string;
  readonly at?: number;
  readonly atText?: string;
  readonly context?: string;
  readonly priority?: Priority;
}

/** The edit that moves or rewords a waiting notification, if nobody has changed it since; for features above. */
export function changeOf(
  record: LedgerRecord<NotificationKind>,
  { priority, ...rewrite }: Rewrite,
  whose: Whose,
): EditOf<NotificationKind> {
  const body: NotificationKind["body"] = { ...record.body, ...rewrite };
  return { ...editOf(record, body, whose), priority, ifRevision: record.revision };
}
