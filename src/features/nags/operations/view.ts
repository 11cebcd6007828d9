import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { recordOf } from "../../../kernel/own-book.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { dueOf, dueView, type MomentOptions } from "../../accounts/index.ts";
import { notificationKind, notificationView } from "../../notifications/index.ts";
import { type Nag, nagOutcome, nextOf, stateOf } from "../kind.ts";
import { type Page, pageKind, pageRecordId } from "../page.ts";

const moment = z.string().meta({ format: "date-time" });

/** A nag as every face shows it. */
export const nagView = z.object({
  id: z.string(),
  about: z
    .object({ page: z.string().exactOptional(), text: z.string().exactOptional() })
    .describe("the page it is about, by its client's id, or the words it says"),
  title: z.string().describe("the page's title, or the words, on one line"),
  state: z.enum(["active", "paused", "done", "cancelled"]),
  curve: z.string(),
  sent_count: z.number().describe("the number of the one that is said next, from 1"),
  said: z.number().describe("how many were said"),
  next: dueView.nullable().describe("null: it is being said, it rests, or it has ended"),
  last_notification_id: z
    .string()
    .nullable()
    .describe("what its channel calls the last one that arrived"),
  processed_at: moment.nullable().describe("since when it is being said; null when it is not"),
  target: z.string(),
  target_because: notificationView.shape.target_because,
  priority: notificationView.shape.priority,
  reason: z.string().nullable().describe("why the last one was not said, or why it rests"),
  failures: z.number().describe("how many in a row could not be said"),
  created_at: moment,
  created_by: z.string(),
  ended_at: moment.nullable(),
  revision: z.number(),
});
export type NagView = z.output<typeof nagView>;

export async function viewNag(book: Book, record: Nag, options: MomentOptions): Promise<NagView> {
  const { id, owner, body, priority, lease, endedAt } = record;
  const { count, saying, lastReceiptId, reason, failures } = nagOutcome(record);
  const pageId = "page" in body.about ? pageRecordId(owner, body.about.page) : undefined;
  const page = await recordOf(book, pageKind, pageId);
  const notification = await recordOf(book, notificationKind, saying);
  const since =
    lease?.claimedAt ?? (notification?.endedAt === null ? notification.createdAt : null);
  const at = nextOf(record);
  return {
    id,
    about: { ...body.about },
    title: titleOf(record, page),
    state: stateOf(record),
    curve: body.curveName,
    sent_count: count,
    said: count - 1,
    next: at === null ? null : dueOf(at, inNagZone(record, options)),
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

/** In the nag's own zone, if it has one. */
export function inNagZone({ body }: Nag, options: MomentOptions): MomentOptions {
  return body.zone === undefined ? options : { ...options, zone: body.zone, zoneFrom: "asked" };
}

const titleCharsMax = 200;

export function titleOf({ body }: Nag, page?: Page): string {
  if ("text" in body.about) return oneLine(body.about.text, titleCharsMax);
  const words = page?.state === "kept" ? page.body.title.trim() || page.body.body.trim() : "";
  return oneLine(words, titleCharsMax) || body.about.page;
}
