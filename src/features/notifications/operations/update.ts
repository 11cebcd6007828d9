import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, momentOptions } from "../../accounts/index.ts";
import { makeNotification, type NotificationKind, notificationKind } from "../kind.ts";
import { isWaiting } from "../snooze.ts";
import { textsOf } from "../texts.ts";
import { fields, priorityOf, timeWords } from "./fields.ts";
import { holdsAfter, guardRefusal } from "./insert.ts";
import { marksOf } from "./marks.ts";
import { notificationView, shown } from "./view.ts";

const input = z.strictObject({
  id: fields.id,
  message: z.string().optional().describe("what to say instead"),
  at: fields.at.optional().describe(timeWords),
  timezone: fields.timezone,
  priority: fields.priority,
  revision: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("only if it is still in this revision"),
});

const output = notificationView.extend({
  assumed: z.string().optional().describe("what the time did not say and was taken"),
});

export const update = operation({
  name: "update_notification",
  summary: "Change what waits to be said: its message, its time or its priority.",
  input,
  output,
  aliases: { notification_id: "id", scheduled_at: "at" },
  example: { id: exampleId, at: "tomorrow 10am" },
  route: { method: "PATCH", path: "/v1/notifications/{id}" },
  command: { name: "update", positionals: ["id"] },
  tool: "always",
  async run({ id, message, at, timezone, priority, revision }, context) {
    if (message === undefined && at === undefined && priority === undefined) {
      throw new DaybookError("invalid", "Say what to change: message, at or priority.");
    }
    const look = momentOptions(context, timezone);
    const read = at === undefined ? undefined : parseTime(at, look);
    const book = bookOf(context);
    const change = async (): Promise<LedgerRecord<NotificationKind>> => {
      const record = waiting(await findRecord(book, notificationKind, id));
      const body: NotificationKind["body"] = {
        ...record.body,
        ...(message === undefined ? {} : { message }),
        ...(read === undefined || at === undefined ? {} : { at: read.at, atText: at }),
      };
      const edit = editOf(record, body, context);
      const ifRevision = revision ?? record.revision;
      const request = { ...edit, ...priorityOf(priority), ifRevision };
      // What waits to say something once more has a message, which shows when that will be.
      const isCopy = body.snoozedFrom !== undefined && isWaiting(record);
      const when = isCopy && read ? dueOf(read.at, { ...look, ...read }).text : undefined;
      const append =
        when === undefined ? [] : await marksOf(record, ({ snoozed }) => snoozed(when), context);
      return book.edit(request, { append }).catch((error: unknown) => {
        throw guardRefusal(error, body, context);
      });
    };
    // A revision that the caller named is theirs to read again.
    const changed = await (revision === undefined ? retryIfStale(change) : change());
    const assumed = read?.assumed;
    return {
      ...shown(changed, { ...look, assumed }),
      ...(assumed === undefined ? {} : { assumed }),
    };
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

/** What a new body makes of the record: a moved time is waited for, and its day is held. */
export function editOf(
  { id, body: before }: LedgerRecord<NotificationKind>,
  body: NotificationKind["body"],
  context: Context,
): EditOf<NotificationKind> {
  const { kind, queue = kind } = makeNotification(body);
  if (body.at === before.at) return { kind, id, body };
  const holds = body.relatedTaskId === undefined ? {} : { holds: holdsAfter(id, body, context) };
  return { kind, id, body, wakeAt: body.at, queue, ...holds }; // what was unread is new again
}
