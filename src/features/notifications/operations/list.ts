import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { distance } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { fields } from "./fields.ts";
import { notificationView, shown } from "./view.ts";

const states = ["pending", "delivered", "failed", "cancelled", "unconfirmed", "expired"] as const;

const input = z.strictObject({
  all: z.boolean().default(false).describe("also what has ended"),
  state: z.enum(states).optional().describe("only what is in this state"),
  related_task_id: z.string().optional().describe("only what is about this task"),
  limit: fields.limit,
  after: fields.after,
});

const output = z.object({
  notifications: z.array(notificationView),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

/** So many pages are looked through for one that has something to show. */
const pagesMax = 20;

export const list = operation({
  name: "list_notifications",
  summary: "Show what is in the book.",
  input,
  output,
  aliases: { status: "state" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/notifications" },
  command: { name: "list", positionals: [] },
  tool: "always",
  async run({ all, state, related_task_id: task, limit, after }, context) {
    const book = bookOf(context);
    const query: ListQuery<NotificationKind> = {
      kind: notificationKind,
      order: "newest",
      limit,
      ...(state === undefined ? (all ? {} : { live: true }) : { state }),
    };
    const isAsked = ({ body }: LedgerRecord<NotificationKind>): boolean =>
      body.type !== "mark" &&
      body.change === undefined &&
      (task === undefined || body.relatedTaskId === task);
    let { records, next } = await book.list({ ...query, after });
    for (let pages = 1; pages < pagesMax && next !== null && !records.some(isAsked); pages += 1) {
      ({ records, next } = await book.list({ ...query, after: next }));
    }
    const look = momentOptions(context);
    const notifications = records.filter(isAsked).map((record) => shown(record, look));
    return { notifications, next };
  },
  render({ notifications, next }, { language, now }) {
    const texts = textsOf(language);
    if (notifications.length === 0 && next === null) return texts.nothingListed();
    const lines = notifications.map(({ id, state, due, message }) => {
      const far = distance(fromIso(due.utc) - now, language);
      return `${id}  ${texts.state(state).padEnd(9)}  ${far.padEnd(14)}  ${oneLine(message, 60)}`;
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});
