import type { Consequences, Draft, DraftOf, Edit, EditOf } from "../../kernel/unit.ts";
import type { Facts as Moment, Verdict } from "../../kernel/verdict.ts";
import { type Backoff, backoffMs } from "../../platform/backoff.ts";
import { type DaybookError, hasCode } from "../../platform/errors.ts";
import { oneLine } from "../../platform/text.ts";
import type { Done } from "./act.ts";
import { flowBack } from "./flow-back.ts";
import { type CalendarKind, entryId, type EntryKind, type PassCounts } from "./kind.ts";
import { noticeOf } from "./notices.ts";
import {
  type Adopted,
  type CalendarRecord,
  isConverged,
  type PassSeen,
  type Unread,
} from "./pass.ts";
import { nothingKnown } from "./reading.ts";
import { textsOf } from "./texts.ts";

export type CalendarSeen =
  | PassSeen
  | Unread
  /** The node stops, or the record was edited while it waited. */
  | { readonly saw: "stopped" };

type Outcome = CalendarKind["outcome"];

export const noCounts: PassCounts = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };

export const nothingSynced: Outcome = {
  asked: -1,
  cursor: null,
  token: null,
  listedAt: null,
  syncedAt: null,
  counts: noCounts,
  soFar: null,
  failures: 0,
  reason: null,
  brake: null,
  busy: [],
};

const calendarBackoff: Backoff = { firstMs: 15_000, factor: 2, maxMs: 30 * 60_000 };
const entryBackoff: Backoff = { firstMs: 30_000, factor: 3, maxMs: 6 * 3_600_000 };
const restMsMax = 24 * 3_600_000;
const reasonCharsMax = 500;

/** What the pass leaves behind: the calendar and the records of its entries, in one unit. */
export function decideCalendar(
  record: CalendarRecord,
  seen: CalendarSeen,
  moment: Moment,
  pollMs: number,
): Verdict<CalendarKind> {
  const { now } = moment;
  if (seen.saw === "stopped") return { unchanged: now };
  if (seen.saw === "unreachable") return unreachable(record, seen, moment);
  if (isConverged(seen, record))
    return { unchanged: record.body.asked === seen.asked ? now + pollMs : now };
  const before = record.outcome ?? nothingSynced;
  const isLeft = seen.leaving !== undefined && seen.isComplete && seen.failure === null;
  const consequences = consequencesOf(record, seen, moment);
  if (isLeft && seen.done.every(({ failure }) => failure === undefined)) {
    return { ends: "cancelled", outcome: outcomeAfter(before, seen, now), consequences };
  }
  const outcome = outcomeAfter(before, seen, now);
  const wakeAt = seen.failure === null ? now : retryAt(seen.failure, outcome.failures, moment);
  const reason = seen.failure === null ? null : reasonOf(seen.failure);
  return {
    state: "active",
    wakeAt,
    freshStart: true,
    outcome: { ...outcome, reason },
    consequences,
  };
}

function outcomeAfter(before: Outcome, seen: PassSeen, now: number): Outcome {
  const { position, isComplete, brake, busy, asked } = seen;
  const counts = sum(before.soFar ?? noCounts, seen.counts);
  return {
    ...before,
    ...position,
    brake,
    busy,
    failures: seen.failure === null ? 0 : before.failures + 1,
    ...(isComplete
      ? { asked, counts, soFar: null, syncedAt: now }
      : { soFar: { ...counts, unchanged: 0 } }),
  };
}

function sum(one: PassCounts, other: PassCounts): PassCounts {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    deleted: one.deleted + other.deleted,
    unchanged: one.unchanged + other.unchanged,
    failed: one.failed + other.failed,
  };
}

function unreachable(
  record: CalendarRecord,
  { error, language }: Unread,
  moment: Moment,
): Verdict<CalendarKind> {
  const { owner, id, body } = record;
  const before = record.outcome ?? nothingSynced;
  const failures = before.failures + 1;
  const reason = reasonOf(error);
  const needsPerson = hasCode(error, "refused") || hasCode(error, "not_found");
  const isNew = needsPerson && before.reason !== reason;
  const line = textsOf(language).notices.unreachable({ id, reason });
  const about = { owner, name: body.name, language, now: moment.now };
  return {
    state: "active",
    wakeAt: retryAt(error, failures, moment),
    freshStart: true,
    note: reason,
    outcome: { ...before, failures, reason },
    consequences: { append: isNew ? noticeOf([line], about) : [] },
  };
}

function reasonOf({ message }: DaybookError): string {
  return oneLine(message, reasonCharsMax);
}

/** The service may ask for a rest, which is untrusted and so bounded. */
function retryAt({ details }: DaybookError, failures: number, { now, jitter }: Moment): number {
  const rest = Number(details["restMs"] ?? 0);
  const restMs = Number.isFinite(rest) ? Math.min(Math.max(rest, 0), restMsMax) : 0;
  return Math.ceil(now + Math.max(backoffMs(calendarBackoff, failures, jitter), restMs));
}

function consequencesOf(record: CalendarRecord, seen: PassSeen, moment: Moment): Consequences {
  const { owner, body } = record;
  const whose = { owner, profile: seen.profile, calendar: body.name };
  const flows = seen.done.flatMap(({ item, step, failure }) =>
    failure === undefined ? (flowBack(item.source, step, whose) ?? []) : [],
  );
  const written = seen.done.flatMap((done) => entryWrite(done, moment));
  const language = seen.profile.language;
  const notice = noticeOf(linesOf(record, seen), {
    owner,
    name: body.name,
    language,
    now: moment.now,
  });
  return {
    append: [
      ...seen.adopted.map(({ draft }) => draft),
      ...seen.adopted.map((each) => adoptedEntry(record.id, each)),
      ...written.flatMap(({ append }) => append ?? []),
      ...notice,
    ],
    edit: [...flows.flatMap(({ edit = [] }) => edit), ...written.flatMap(({ edit }) => edit ?? [])],
    cancel: flows.flatMap(({ cancel = [] }) => cancel),
    wake: flows.flatMap(({ wake = [] }) => wake),
  };
}

/** The record of an entry, written in the settle of its calendar. */
function entryWrite(
  { item, outcome, ends, failure }: Done,
  { now, jitter }: Moment,
): { append?: Draft; edit?: Edit }[] {
  if (outcome === null) return [];
  const { id, record, recordKind } = item;
  const retry = backoffMs(entryBackoff, outcome.failures, jitter);
  const written = failure === undefined ? outcome : { ...outcome, retryAt: Math.ceil(now + retry) };
  const kind = "calendar_entry";
  const end = ends === undefined ? ({ state: "active" } as const) : { ends };
  if (item.entry !== null) {
    const edit: EditOf<EntryKind> = { kind, id, outcome: written, ...end };
    return [{ edit }];
  }
  const append: DraftOf<EntryKind> = {
    kind,
    id,
    body: { record, recordKind },
    outcome: written,
    ...end,
  };
  return [{ append }];
}

/** The entry by hand is ours from now on: the next pass writes our id and the record's fields there. */
function adoptedEntry(calendar: string, { draft, entry }: Adopted): Draft {
  const { location, content } = entry;
  const { remoteId, etag, url } = location;
  const record = draft.id ?? "";
  const append: DraftOf<EntryKind> = {
    kind: "calendar_entry",
    id: entryId(calendar, record),
    body: { record, recordKind: "notification" },
    outcome: {
      ...nothingKnown,
      content,
      location: url === undefined ? { remoteId, etag } : { remoteId, etag, url },
    },
    state: "active",
  };
  return append;
}

/** What the owner is told. */
function linesOf({ id, outcome }: CalendarRecord, seen: PassSeen): readonly string[] {
  const texts = textsOf(seen.profile.language).notices;
  const isNewBrake = seen.brake !== null && outcome?.brake == null;
  const brake = isNewBrake && seen.brake !== null ? [texts.brake({ id, ...seen.brake })] : [];
  const conflicts = seen.done.flatMap(({ step, failure, outcome: after }) => {
    if (step.do === "note" && after?.error != null && after.conflict !== undefined) {
      return [texts.refused({ title: after.conflict.title, reason: after.error })];
    }
    if (step.do !== "put" || step.conflict === undefined || failure !== undefined) return [];
    const { content, conflict, known } = step;
    return [
      texts.conflict({ title: content.title, seen: conflict.title, isRemoved: known === null }),
    ];
  });
  return [...brake, ...conflicts];
}
