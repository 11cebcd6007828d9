import * as z from "zod";
import type { ListQuery, Page } from "../ledger/reading.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { oneLine } from "../rules/text.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { distance } from "../rules/times.ts";
import { fields } from "./fields.ts";
import { fromIso, lookOf, notificationView, shown } from "./notification-view.ts";
import { operation } from "./operation.ts";
import { bookOf } from "./own-book.ts";

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
  words: "Show what is in the book.",
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
    const query: ListQuery = {
      kind: "notification",
      order: "newest",
      limit,
      ...(state === undefined ? (all ? {} : { live: true }) : { state }),
    };
    let found: LedgerRecord<"notification">[] = [];
    let next: string | null = after ?? "";
    for (let page = 0; page < pagesMax && found.length === 0 && next !== null; page += 1) {
      const read: Page = await book.list(next === "" ? query : { ...query, after: next });
      found = read.records
        .filter((record) => record.kind === "notification")
        .filter(({ body }) => task === undefined || body.relatedTaskId === task);
      ({ next } = read);
    }
    const look = lookOf(context);
    return { notifications: found.map((record) => shown(record, look)), next };
  },
  say({ notifications, next }, { language, now }) {
    const texts = textsOf(language);
    if (notifications.length === 0 && next === null) return texts.nothingListed();
    const lines = notifications.map(({ id, state, due, message }) => {
      const far = distance(fromIso(due.utc) - now, language);
      return `${id}  ${texts.state(state).padEnd(9)}  ${far.padEnd(14)}  ${oneLine(message, 60)}`;
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});
