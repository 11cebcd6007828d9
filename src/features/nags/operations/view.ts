import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { dueOf, dueView, type MomentOptions } from "../../accounts/moment-view.ts";
import { type NotificationKind, notificationKind } from "../../notifications/kind.ts";
import { notificationView } from "../../notifications/operations/view.ts";
import { seenOf, type NagKind } from "../kind.ts";
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

/** What is known of it from other records. */
export interface Around {
  readonly page: Page | undefined;
  /** The notification that says it now. */
  readonly saying: LedgerRecord<NotificationKind> | undefined;
}

export async function around(book: Book, { owner, body, outcome }: Nag): Promise<Around> {
  const page = "page" in body.about ? await book.get(pageRecordId(owner, body.about.page)) : null;
  const saying = outcome?.saying == null ? null : await book.get(outcome.saying);
  return {
    page: is(pageKind, page) ? page : undefined,
    saying: is(notificationKind, saying) ? saying : undefined,
  };
}

export async function shownNag(book: Book, record: Nag, look: MomentOptions): Promise<NagView> {
  return nagIn(record, await around(book, record), look);
}

export function nagIn(record: Nag, { page, saying }: Around, look: MomentOptions): NagView {
  const { id, body, priority, lease, endedAt } = record;
  const { count, lastReceiptId, reason, failures } = seenOf(record);
  const at = nextOf(record);
  const state = stateOf(record);
  const since = lease?.claimedAt ?? (saying?.endedAt === null ? saying.createdAt : null);
  return {
    id,
    about: { ...body.about },
    title: titleOf(record, page),
    state,
    curve: body.curveName,
    sent_count: count,
    said: count - 1,
    next: at === null ? null : dueOf(at, zoned(record, look)),
    last_notification_id: lastReceiptId,
    processed_at: isoOr(endedAt === null ? since : null),
    target: body.target,
    target_because: body.because ?? null,
    priority,
    reason,
    failures,
    created_at: isoOf(record.createdAt),
    created_by: record.by,
    ended_at: isoOr(endedAt),
    revision: record.revision,
  };
}

/** What was said of it holds at once, though whoever has it ends it. */
export function stateOf({ state, body, endedAt, cancelling }: Nag): NagView["state"] {
  if (endedAt !== null) return state;
  if (cancelling) return "cancelled";
  return body.isDone === true ? "done" : state;
}

/** When it is said next; null while that is not known. */
export function nextOf(record: Nag): number | null {
  const { body } = record;
  const { asked, nextAt } = seenOf(record);
  if (stateOf(record) !== "active") return null;
  // A plan for an older asking is not followed any more.
  return asked === body.asked ? nextAt : body.at;
}

/** In the zone that it is said in. */
export function zoned({ body }: Nag, look: MomentOptions): MomentOptions {
  return body.zone === undefined ? look : { ...look, zone: body.zone, zoneFrom: "asked" };
}

const titleCharsMax = 200;

export function titleOf({ body }: Nag, page: Page | undefined): string {
  if ("text" in body.about) return oneLine(body.about.text, titleCharsMax);
  const words = page?.state === "kept" ? page.body.title.trim() || page.body.body.trim() : "";
  return oneLine(words, titleCharsMax) || body.about.page;
}
