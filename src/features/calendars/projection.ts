import { is, type Kind } from "../../kernel/kind.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { isoOf, isoOr } from "../../platform/iso-time.ts";
import type { Json } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { type NagKind, nagKind, nextOf } from "../nags/index.ts";
import {
  type NotificationKind,
  isRequested,
  notificationKind,
  shownBody,
} from "../notifications/index.ts";
import { type ScheduleKind, isWatch, outcomeOf, scheduleKind } from "../schedules/index.ts";
import type { EntryContent } from "./content.ts";
import { entryText } from "./icalendar/entry-text.ts";
import type { CalendarKind } from "./kind.ts";
import { recurrenceOf } from "./recurrence.ts";

/** How one calendar shows records. */
export interface Style {
  readonly zone: string;
  readonly minutes: number;
  readonly shows: CalendarKind["body"]["shows"];
  readonly ended: CalendarKind["body"]["ended"];
  /** Entries have the record's own fields, and ended ones are kept. */
  readonly mirrors: boolean;
}

/**
 * `finished`: the record has ended. `hidden`: it lives, and is not to be shown. `left`: the calendar is deleted.
 * `orphan`: no record is known that it belongs to.
 */
export type GoneReason = "finished" | "hidden" | "left" | "orphan";

/** What should be in the calendar for one record. */
export type Wish =
  | { readonly is: "shown"; readonly content: EntryContent }
  /** The record has ended: the entry is written once more, and then kept. */
  | { readonly is: "kept"; readonly content: EntryContent }
  | { readonly is: "gone"; readonly because: GoneReason }
  /** It is being sent: whether it is shown again is not known yet. */
  | { readonly is: "open" };

const hidden: Wish = { is: "gone", because: "hidden" };
const finished: Wish = { is: "gone", because: "finished" };

/** The kinds of records that a calendar shows. */
export function shownKinds(shows: Style["shows"]): readonly Kind[] {
  return [
    notificationKind,
    ...(shows.includes("nags") ? [nagKind] : []),
    ...(shows.includes("schedules") ? [scheduleKind] : []),
  ];
}

/** What a calendar should show of a record; undefined: the record has been deleted for good. */
export function wishFor(record: AnyRecord | undefined, style: Style): Wish {
  if (record === undefined) return finished;
  if (is(notificationKind, record)) return notificationWish(record, style);
  if (record.endedAt !== null || record.cancelling) return finished;
  if (is(nagKind, record)) return nagWish(record, style);
  if (is(scheduleKind, record)) return scheduleWish(record, style);
  return hidden;
}

function notificationWish(record: LedgerRecord<NotificationKind>, style: Style): Wish {
  if (!isRequested(record)) return hidden;
  if (record.endedAt === null && !record.cancelling) {
    return { is: "shown", content: notificationContent(record, style) };
  }
  if (record.endedAt === null) return { is: "open" }; // a cancel that may come too late
  const isKept = style.mirrors || style.ended === "keep";
  if (!isKept) return finished;
  return { is: "kept", content: { ...notificationContent(record, style), isDone: true } };
}

function notificationContent(record: LedgerRecord<NotificationKind>, style: Style): EntryContent {
  const { id, body } = record;
  const { message, context = "" } = body;
  const [title, rest] = style.mirrors ? [message, ""] : titleOf(message);
  const content = contentOf({ id, title, texts: [rest, context], at: body.at }, style);
  return style.mirrors ? { ...content, fields: fieldsOf(record) } : content;
}

function nagWish(record: LedgerRecord<NagKind>, style: Style): Wish {
  if (!style.shows.includes("nags") || record.state === "paused") return hidden;
  const at = nextOf(record);
  if (at === null) return { is: "open" };
  const { about } = record.body;
  const [title, rest] = titleOf("text" in about ? about.text : about.page);
  return { is: "shown", content: contentOf({ id: record.id, title, texts: [rest], at }, style) };
}

function scheduleWish(record: LedgerRecord<ScheduleKind>, style: Style): Wish {
  const { id, body, createdAt } = record;
  const { nextRunAt } = outcomeOf(record);
  if (!style.shows.includes("schedules") || isWatch(record) || nextRunAt === null) return hidden;
  const [title] = titleOf(body.name);
  const recurrence = recurrenceOf(body.cadence, createdAt);
  const once = contentOf({ id, title, texts: [body.whenText], at: nextRunAt }, style);
  if (recurrence === undefined) return { is: "shown", content: once };
  const { at, zone, rule } = recurrence;
  return { is: "shown", content: { ...once, at: seconds(at), zone, recurrence: rule } };
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly texts: readonly string[];
  readonly at: number;
}

function contentOf({ id, title, texts, at }: Shown, { zone, minutes }: Style): EntryContent {
  const description = [...texts.map((text) => text.trim()), `daybook show ${id}`]
    .filter((text) => text !== "")
    .join("\n\n");
  // As every service can keep it, so that it is read back the same.
  return {
    title: entryText(title),
    description: entryText(description),
    at: seconds(at),
    zone,
    minutes,
  };
}

function seconds(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

const titleCharsMax = 200;

/** The first line of a text as a title, and the whole text where the title does not have all of it. */
export function titleOf(text: string): readonly [title: string, rest: string] {
  const [first = ""] = text.trim().split(/\r?\n/, 1);
  const title = oneLine(first, titleCharsMax);
  return title === text.trim() ? [title, ""] : [title, text];
}

/** The record's own fields, for a mirror. */
function fieldsOf(record: LedgerRecord<NotificationKind>): Readonly<Record<string, Json>> {
  const { id, body, state, priority, endedAt } = record;
  const { createdAt = record.createdAt, endedAt: end = endedAt } = body.imported ?? {};
  const fields = shownBody(body);
  return {
    id,
    status: state,
    type: fields.type,
    priority,
    scheduled_at: isoOf(body.at),
    scheduled_at_text: fields.scheduled_at_text,
    created_by: body.createdBy ?? record.by,
    context: fields.context,
    related_task_id: fields.related_task_id,
    related_question_id: fields.related_question_id,
    created_at: isoOr(createdAt),
    delivered_at: isoOr(state === "delivered" ? end : null),
    cancelled_at: isoOr(state === "cancelled" ? end : null),
  };
}
