import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { dueOf, dueView, type MomentOptions } from "../../accounts/index.ts";
import {
  type NotificationKind,
  notificationKind,
  notificationView,
} from "../../notifications/index.ts";
import { nagOutcome, type NagKind } from "../kind.ts";
import { pageRecordId, type PageKind, pageKind } from "../page.ts";

export type Nag = LedgerRecord<NagKind>;
type Page = LedgerRecord<PageKind>;

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
export type NagView = z.infer<typeof nagView>;

/** The other records that a view shows something of. */
export interface Related {
  readonly page: Page | undefined;
  /** The notification that is being sent. */
  readonly notification: LedgerRecord<NotificationKind> | undefined;
}

export async function relatedTo(book: Book, { owner, body, outcome }: Nag): Promise<Related> {
  const page = "page" in body.about ? await book.get(pageRecordId(owner, body.about.page)) : null;
  const sent = outcome?.saying == null ? null : await book.get(outcome.saying);
  return {
    page: is(pageKind, page) ? page : undefined,
    notification: is(notificationKind, sent) ? sent : undefined,
  };
}

export async function viewNag(book: Book, record: Nag, options: MomentOptions): Promise<NagView> {
  return nagViewFrom(record, await relatedTo(book, record), options);
}

export function nagViewFrom(
  record: Nag,
  { page, notification }: Related,
  options: MomentOptions,
): NagView {
  const { id, body, priority, lease, endedAt } = record;
  const { count, lastReceiptId, reason, failures } = nagOutcome(record);
  const at = nextOf(record);
  const state = stateOf(record);
  const since =
    lease?.claimedAt ?? (notification?.endedAt === null ? notification.createdAt : null);
  return {
    id,
    about: { ...body.about },
    title: titleOf(record, page),
    state,
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

/** A cancel or a "done" shows at once, though the holder of the lease has yet to end the record. */
export function stateOf({ state, body, endedAt, cancelling }: Nag): NagView["state"] {
  if (endedAt !== null) return state;
  if (cancelling) return "cancelled";
  return body.isDone === true ? "done" : state;
}

/** When it is sent next; null while that is not known. */
export function nextOf(record: Nag): number | null {
  const { body } = record;
  const { asked, nextAt } = nagOutcome(record);
  if (stateOf(record) !== "active") return null;
  // A plan for an older request is void.
  return asked === body.asked ? nextAt : body.at;
}

/** In the nag's own zone, if it has one. */
export function inNagZone({ body }: Nag, options: MomentOptions): MomentOptions {
  return body.zone === undefined ? options : { ...options, zone: body.zone, zoneFrom: "asked" };
}

const titleCharsMax = 200;

export function titleOf({ body }: Nag, page: Page | undefined): string {
  if ("text" in body.about) return oneLine(body.about.text, titleCharsMax);
  const words = page?.state === "kept" ? page.body.title.trim() || page.body.body.trim() : "";
  return oneLine(words, titleCharsMax) || body.about.page;
}
