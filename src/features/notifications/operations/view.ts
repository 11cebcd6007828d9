import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { Reader } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOr, isoOf } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { localTime, dueView, dueUnlessEnded } from "../../accounts/index.ts";
import { forecastOf } from "../forecast.ts";
import type { Outlook } from "../hold.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { shownWaiting, waitingView } from "../waiting.ts";
import { calendarFields, inNoCalendar } from "./in-calendar.ts";

const moment = z.string().meta({ format: "date-time" });

/** A notification as every interface shows it. */
export const notificationView = z.object({
  id: z.string(),
  state: z.string(),
  target: z.string(),
  target_because: z
    .enum(["asked", "origin", "home", "inbox", "import"])
    .nullable()
    .describe(
      "why it has this target: asked (named in the request), origin (the chat of the request), home (the owner's), inbox (no other), or import",
    ),
  due: dueView,
  scheduled_at_text: z.string().describe("the time as it was requested"),
  message: z.string(),
  type: z.string(),
  priority: z.enum(["low", "normal", "high"]),
  created_at: moment,
  created_by: z.string().describe("who asked for it: as the request says, else the caller"),
  context: z.string().nullable(),
  related_task_id: z.string().nullable(),
  related_question_id: z.string().nullable(),
  expires_at: moment.nullable(),
  at_most_once: z.boolean(),
  collapse_key: z.string().nullable(),
  next_at: moment
    .nullable()
    .describe(
      "when it will be sent; in the past: it is due; null: at no known time, or it has ended",
    ),
  waiting: waitingView
    .nullable()
    .describe("why it has not been sent yet; null: it waits only for its time, or has ended"),
  delivered_at: moment.nullable(),
  cancelled_at: moment.nullable(),
  ended_at: moment.nullable(),
  cancelling: z.boolean().describe("true: a cancel was requested while it was being sent"),
  attempts: z.number(),
  receipt: z.unknown().describe("the channel's proof of delivery; null before that"),
  reason: z.string().nullable().describe("why the newest attempt did not deliver it"),
  maybe_delivered: z
    .boolean()
    .describe("true: an attempt other than the last may also have arrived"),
  revision: z.number(),
  ...calendarFields,
});
export type NotificationView = z.infer<typeof notificationView>;

export function shown(record: LedgerRecord<NotificationKind>, outlook: Outlook): NotificationView {
  const { body, outcome, state } = record;
  const { createdAt, endedAt } = timesOf(record);
  const { at, waiting } = forecastOf(record, outlook);
  return {
    id: record.id,
    state,
    ...shownBody(body),
    due: dueUnlessEnded(body.at, endedAt, outlook),
    priority: record.priority,
    created_at: isoOf(createdAt),
    created_by: body.createdBy ?? record.by,
    next_at: isoOr(at),
    waiting: waiting === undefined ? null : shownWaiting(waiting, outlook),
    delivered_at: isoOr(state === "delivered" ? endedAt : null),
    cancelled_at: isoOr(state === "cancelled" ? endedAt : null),
    ended_at: isoOr(endedAt),
    cancelling: record.cancelling,
    attempts: record.attempt,
    receipt: outcome?.receipt ?? null,
    reason: outcome?.reason ?? null,
    maybe_delivered: record.lapses > 0 || (outcome?.maybeDelivered ?? false),
    revision: record.revision,
    ...inNoCalendar,
  };
}

/** An imported notification has the times of the ledger that it comes from. */
function timesOf({ body, createdAt, endedAt }: LedgerRecord<NotificationKind>) {
  const { imported } = body;
  return {
    createdAt: imported?.createdAt ?? createdAt,
    endedAt: endedAt === null ? null : (imported?.endedAt ?? endedAt),
  };
}

/** The fields of the request. */
export function shownBody(body: NotificationKind["body"]) {
  return {
    target: body.target,
    target_because: body.targetReason ?? null,
    scheduled_at_text: body.atText,
    message: body.message,
    type: body.type ?? "reminder",
    context: body.context ?? null,
    related_task_id: body.relatedTaskId ?? null,
    related_question_id: body.relatedQuestionId ?? null,
    expires_at: isoOr(body.expiresAt),
    at_most_once: body.atMostOnce ?? false,
    collapse_key: body.collapseKey ?? null,
  };
}

/** A notification that another record sent, and its delivery. */
export const sentView = z.object({
  id: z.string(),
  type: z.string(),
  state: z.string(),
  target: z.string(),
  ended_at: z.string().nullable(),
  receipt: z.unknown(),
});
type SentView = z.infer<typeof sentView>;

const sentMax = 12;
const charsMax = 200;

/** The notifications that a record sent, the oldest first. */
export async function sentBy(book: Book, parent: string): Promise<SentView[]> {
  const query = { kind: notificationKind, parent, limit: sentMax } as const;
  const { records } = await book.list(query);
  return records.map(shownSent);
}

export function shownSent(record: LedgerRecord<NotificationKind>): SentView {
  const { id, body, state, endedAt, outcome } = record;
  return {
    id,
    type: body.type ?? "reminder",
    state,
    target: body.target,
    ended_at: isoOr(endedAt),
    receipt: outcome?.receipt ?? null,
  };
}

export function sentLine(sent: SentView, reader: Reader): string {
  const { id, state, target, ended_at: end, receipt } = sent;
  const when = end === null ? null : localTime(end, reader);
  const texts = textsOf(reader.language);
  const head = texts.headline({ kind: "notification", id, state, when, target });
  return `${head}${receiptText(receipt, reader)}`;
}

export function receiptText(receipt: unknown, { language }: Reader): string {
  if (receipt == null) return "";
  return textsOf(language).receipt(oneLine(JSON.stringify(receipt) ?? "", charsMax));
}
