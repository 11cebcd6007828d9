import * as z from "zod";
import { recordOf } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { dueOf, dueView, type MomentOptions } from "../../accounts/index.ts";
import {
  notificationKind,
  notificationView,
  type Outlook,
  shownWaiting,
  waitingView,
} from "../../notifications/index.ts";
import { forecastOf } from "../forecast.ts";
import { type Nag, nagOutcome, stateOf } from "../kind.ts";
import { type Page, pageKind, pageRecordId } from "../page.ts";

const moment = z.string().meta({ format: "date-time" });

/** A nag as every interface shows it. */
export const nagView = z.object({
  id: z.string(),
  about: z
    .object({ page: z.string().exactOptional(), text: z.string().exactOptional() })
    .describe("the page that it is about, by the client's id, or the text that it sends"),
  title: z.string().describe("the page's title, or the text, on one line"),
  state: z.enum(["active", "paused", "done", "cancelled"]),
  curve: z.string().describe("the name of its curve"),
  sent_count: z.number().describe("the number of the next message, from 1"),
  said: z.number().describe("how many messages were delivered"),
  next: dueView
    .nullable()
    .describe("when it is sent next; null: it is being sent, is paused or has ended"),
  waiting: waitingView
    .nullable()
    .describe("why the next message has not been sent yet; null: it waits only for its time"),
  last_notification_id: z
    .string()
    .nullable()
    .describe("the channel's id of the last message that was delivered"),
  processed_at: moment
    .nullable()
    .describe("when the current send started; null when nothing is being sent"),
  target: z.string(),
  target_because: notificationView.shape.target_because,
  priority: notificationView.shape.priority,
  reason: z.string().nullable().describe("why the last send failed, or why the nag is paused"),
  failures: z.number().describe("how many sends in a row have failed"),
  created_at: moment,
  created_by: z.string(),
  ended_at: moment.nullable(),
  revision: z.number(),
});
export type NagView = z.output<typeof nagView>;

export async function viewNag(book: Book, record: Nag, options: Outlook): Promise<NagView> {
  const { id, owner, body, priority, lease, endedAt } = record;
  const { count, saying, lastReceiptId, reason, failures } = nagOutcome(record);
  const pageId = "page" in body.about ? pageRecordId(owner, body.about.page) : undefined;
  const page = await recordOf(book, pageKind, pageId);
  const notification = await recordOf(book, notificationKind, saying);
  const since =
    lease?.claimedAt ?? (notification?.endedAt === null ? notification.createdAt : null);
  const { at, waiting } = forecastOf(record, notification, options);
  return {
    id,
    about: { ...body.about },
    title: titleOf(record, page),
    state: stateOf(record),
    curve: body.curveName,
    sent_count: count,
    said: count - 1,
    next: at === null ? null : dueOf(at, inNagZone(record, options)),
    waiting: waiting === undefined ? null : shownWaiting(waiting, options),
    last_notification_id: lastReceiptId,
    processed_at: isoOr(endedAt === null ? since : null),
    target: body.target,
    target_because: body.targetReason ?? null,
    priority,
    reason,
    failures,
    created_at: isoOf(record.createdAt),
    created_by: record.by,
    ended_at: isoOr(endedAt),
    revision: record.revision,
  };
}

/** Times of a nag are shown in its own zone, if it has one. */
export function inNagZone({ body }: Nag, options: MomentOptions): MomentOptions {
  return body.zone === undefined ? options : { ...options, zone: body.zone, zoneFrom: "asked" };
}

const titleCharsMax = 200;

export function titleOf({ body }: Nag, page?: Page): string {
  if ("text" in body.about) return oneLine(body.about.text, titleCharsMax);
  const text = page?.state === "kept" ? page.body.title.trim() || page.body.body.trim() : "";
  return oneLine(text, titleCharsMax) || body.about.page;
}
