import {
  minuteOf,
  minuteHold,
  lastingHolds,
  nagOutcome,
  type NagKind,
  nagKind,
  pageRecordId,
  type PageKind,
  pageKind,
  isComputed,
} from "../features/nags/index.ts";
import { pauseOfRecord, type Pause } from "../features/nodes/index.ts";
import {
  isForPeople,
  type NotificationKind,
  notificationKind,
} from "../features/notifications/index.ts";
import {
  type ScheduleKind,
  scheduleKind,
  nextFire,
  outcomeOf,
  isWatch,
} from "../features/schedules/index.ts";
import { type TaskKind, taskKind } from "../features/tasks/index.ts";
import { is, type Kind } from "../kernel/kind.ts";
import type { Book, Ledger } from "../kernel/ledger.ts";
import { recordsIn } from "../kernel/list-all.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import type { Shape } from "../kernel/shape.ts";
import type { Draft } from "../kernel/unit.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { memory } from "../stores/memory/memory.ts";
import { isForeseen, taskDraft } from "./simulated-task.ts";

const recordsMax = 20_000;
/** No day of a calendar is longer. */
const dayMsMax = 25 * 3_600_000;

/** The records of a simulation. */
export type Planned =
  | LedgerRecord<ScheduleKind>
  | LedgerRecord<NotificationKind>
  | LedgerRecord<NagKind>
  | LedgerRecord<PageKind>
  | LedgerRecord<TaskKind>;

export async function plannedIn(book: Book): Promise<readonly Planned[]> {
  const listed = <K extends Shape>(kind: Kind<K>): Promise<LedgerRecord<K>[]> =>
    Array.fromAsync(recordsIn(book, { kind, live: true }, recordsMax));
  const schedules = await listed(scheduleKind);
  const notifications = await listed(notificationKind);
  const nags = await listed(nagKind);
  const tasks = await listed(taskKind);
  return [
    ...schedules.filter((record) => !isWatch(record)),
    ...notifications.filter(isForPeople),
    ...nags,
    ...tasks.filter(isForeseen),
    ...(await readByNags(book, nags, new Set(notifications.map(({ id }) => id)))),
  ];
}

/** Records that nags read: their pages, and their last notifications if these have ended. */
async function readByNags(
  book: Book,
  nags: readonly LedgerRecord<NagKind>[],
  listed: ReadonlySet<string>,
): Promise<readonly Planned[]> {
  const wanted = nags.flatMap(({ owner, body, outcome }) => [
    ...("page" in body.about ? [pageRecordId(owner, body.about.page)] : []),
    ...[outcome?.saying, outcome?.recalled].filter((id) => typeof id === "string"),
  ]);
  const found: Planned[] = [];
  for (const id of new Set(wanted)) {
    const record = listed.has(id) ? undefined : await book.get(id);
    if (is(pageKind, record) || is(notificationKind, record)) found.push(record);
  }
  return found;
}

interface CopyOptions {
  readonly owner: string;
  /** Earlier slots are not simulated. */
  readonly from: number;
  readonly pauses: readonly Pause[];
  now(): number;
}

/** A book with copies of the records, due at the same times. */
export async function copyOf(records: readonly Planned[], options: CopyOptions): Promise<Ledger> {
  const { owner, now } = options;
  const copy = memory({ now, ids: ids({ wall: now }, seededRandom(1)) });
  const nags = new Set(records.flatMap(({ kind, id }) => (kind === "nag" ? [id] : [])));
  for (const record of records) {
    await copy.of(owner, record.by).append(draftOf(record, options, nags));
  }
  return copy;
}

function draftOf(record: Planned, options: CopyOptions, nags: ReadonlySet<string>): Draft {
  switch (record.kind) {
    case "schedule":
      return scheduleDraft(record, passedUntil(record, options));
    case "notification":
      return notificationDraft(record, nags);
    case "nag":
      return nagDraft(record);
    case "page":
      return pageDraft(record);
    case "task":
      return taskDraft(record);
  }
}

/** Slots before this time change nothing and are skipped, because they may be many. */
function passedUntil(
  record: LedgerRecord<ScheduleKind>,
  { from, pauses, now }: CopyOptions,
): number {
  if (from <= now() || pauseOfRecord(pauses, record, from) !== undefined) return -Infinity;
  return record.body.budget?.runsPerDay === undefined ? from : from - dayMsMax;
}

/** Runs of a simulation have no output to notify of. */
function scheduleDraft(record: LedgerRecord<ScheduleKind>, from: number): Draft {
  const { id, body, state } = record;
  const before = outcomeOf(record);
  const outcome = { ...before, cursor: Math.max(before.cursor, from - 1) };
  const { nextRunAt, wakeAt } = nextFire(state, body.cadence, outcome);
  return {
    kind: "schedule",
    id,
    body: { ...body, notify: "never" },
    outcome: { ...outcome, nextRunAt },
    state: state === "paused" || state === "disabled" ? state : "active",
    wakeAt: wakeAt ?? undefined,
  };
}

/** The notification of a nag wakes the nag when it ends. */
function notificationDraft(
  record: LedgerRecord<NotificationKind>,
  nags: ReadonlySet<string>,
): Draft {
  const { kind, id, body, outcome, priority, queue, lane, wakeAt, parent, state } = record;
  return {
    kind,
    id,
    body,
    priority,
    queue,
    lane,
    parent: parent !== null && nags.has(parent) ? parent : undefined,
    outcome: outcome ?? undefined,
    ...(state === "pending" ? { state, wakeAt: wakeAt ?? undefined } : { ends: state }),
  };
}

/** The copy holds the same minute, so that no other nag takes it. */
function nagDraft(record: LedgerRecord<NagKind>): Draft {
  const { kind, id, owner, body, priority, wakeAt } = record;
  const outcome = nagOutcome(record);
  const minute =
    isComputed(outcome) && outcome.nextAt !== null
      ? [minuteHold(owner, minuteOf(outcome.nextAt))]
      : [];
  return {
    kind,
    id,
    body,
    outcome,
    priority,
    state: record.state === "paused" ? "paused" : "active",
    holds: [...lastingHolds(owner, body), ...minute],
    wakeAt: wakeAt ?? undefined,
  };
}

function pageDraft({ kind, id, body, state }: LedgerRecord<PageKind>): Draft {
  return { kind, id, body, state: state === "kept" ? "kept" : "deleted" };
}
