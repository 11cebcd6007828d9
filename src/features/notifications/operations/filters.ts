import * as z from "zod";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { parseTime } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/index.ts";
import { notificationType, type NotificationKind } from "../kind.ts";
import { fields } from "./fields.ts";

/** The filters of `list` and of a cancel of many. Times are those at which notifications are due. */
export const filters = {
  search: z.string().min(1).optional().describe("only those with this text in the message"),
  target: z
    .string()
    .min(1)
    .optional()
    .describe("only those for this target, as channel:address, or for this channel"),
  type: notificationType.optional().describe("only those of this type"),
  priority: z.enum(["low", "normal", "high"]).optional().describe("only those with this priority"),
  collapse_key: z.string().optional().describe("only those with this collapse key"),
  related_task_id: z.string().optional().describe("only those about this task"),
  since: fields.at.optional().describe('only those due at this time or later, such as "today"'),
  until: fields.at.optional().describe('only those due before this time, such as "+2d"'),
};
const given = z.object(filters);
export type Filters = z.output<typeof given>;

type Notification = LedgerRecord<NotificationKind>;

/** Whether a notification passes the filters. Marks and messages for programs are never listed. */
export function filterOf(wanted: Filters, context: Context): (record: Notification) => boolean {
  const { search, target, type: ofType, priority } = wanted;
  const text = search?.toLowerCase();
  const isInTime = timeFilter(wanted, context);
  return ({ body, priority: own }) =>
    body.type !== "mark" &&
    body.change === undefined &&
    (text === undefined || body.message.toLowerCase().includes(text)) &&
    (target === undefined || `${body.target}:`.startsWith(`${target}:`)) &&
    isWanted(ofType, body.type ?? "reminder") &&
    isWanted(priority, own) &&
    isWanted(wanted.collapse_key, body.collapseKey) &&
    isWanted(wanted.related_task_id, body.relatedTaskId) &&
    isInTime(body.at);
}

function isWanted(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value;
}

/** A day stands for its start: since "today" includes all of it, until "tomorrow" nothing of that. */
function timeFilter(wanted: Filters, context: Context): (at: number) => boolean {
  const options = momentOptions(context);
  const read = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseTime(text, { ...options, edge: "start" }).at;
  const [since = -Infinity, until = Infinity] = [read(wanted.since), read(wanted.until)];
  return (at) => at >= since && at < until;
}
