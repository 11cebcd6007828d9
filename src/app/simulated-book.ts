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
import { type NotificationKind, notificationKind } from "../features/notifications/index.ts";
import {
  type ScheduleKind,
  scheduleKind,
  nextFire,
  outcomeOf,
  isWatch,
} from "../features/schedules/index.ts";
import { is, type Kind } from "../kernel/kind.ts";
import type { Book, Ledger } from "../kernel/ledger.ts";
import { recordsIn } from "../kernel/list-all.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import type { Shape } from "../kernel/shape.ts";
import type { Draft } from "../kernel/unit.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { memory } from "../stores/memory/memory.ts";

const recordsMax = 20_000;
/** No day of a calendar is longer. */
const dayMsMax = 25 * 3_600_000;

/** What a simulation is of. */
export type Planned =
  | LedgerRecord<ScheduleKind>
  | LedgerRecord<NotificationKind>
  | LedgerRecord<NagKind>
  | LedgerRecord<PageKind>;

export async function plannedIn(book: Book): Promise<readonly Planned[]> {
  const listed = <K extends Shape>(kind: Kind<K>): Promise<LedgerRecord<K>[]> =>
    Array.fromAsync(recordsIn(book, { kind, live: true }, recordsMax));
  const schedules = await listed(scheduleKind);
  const said = await listed(notificationKind);
  const nags = await listed(nagKind);
  return [
    ...schedules.filter((record) => !isWatch(record)),
    ...said,
    ...nags,
    ...(await besides(book, nags, new Set(said.map(({ id }) => id)))),
  ];
}

/** What nags read: the pages they are about, and what said them last, if that has ended. */
async function besides(
  book: Book,
  nags: readonly LedgerRecord<NagKind>[],
  known: ReadonlySet<string>,
): Promise<readonly Planned[]> {
  const wanted = nags.flatMap(({ owner, body, outcome }) => [
    ...("page" in body.about ? [pageRecordId(owner, body.about.page)] : []),
    ...[outcome?.saying, outcome?.recalled].filter((id) => typeof id === "string"),
  ]);
  const found: Planned[] = [];
  for (const id of new Set(wanted)) {
    const record = known.has(id) ? undefined : await book.get(id);
    if (is(pageKind, record) || is(notificationKind, record)) found.push(record);
  }
  return found;
}

interface Copying {
  readonly owner: string;
  /** What comes before is of no interest. */
  readonly from: number;
  readonly pauses: readonly Pause[];
  now(): number;
}

/** A book of their own, where they wait as they do in the real one. */
export async function copyOf(records: readonly Planned[], copying: Copying): Promise<Ledger> {
  const { owner, now } = copying;
  const copy = memory({ now, ids: ids({ wall: now }, seededRandom(1)) });
  const nags = new Set(records.flatMap(({ kind, id }) => (kind === "nag" ? [id] : [])));
  for (const record of records) {
    await copy.of(owner, record.by).append(draftOf(record, copying, nags));
  }
  return copy;
}

function draftOf(record: Planned, copying: Copying, nags: ReadonlySet<string>): Draft {
  switch (record.kind) {
    case "schedule":
      return scheduleDraft(record, passedUntil(record, copying));
    case "notification":
      return sayDraft(record, nags);
    case "nag":
      return makeNag(record);
    case "page":
      return makePage(record);
  }
}

/** Slots before this leave no trace, and are not played through: they may be many. */
function passedUntil(record: LedgerRecord<ScheduleKind>, { from, pauses }: Copying): number {
  if (pauseOfRecord(pauses, record, from) !== undefined) return -Infinity;
  return record.body.budget?.runsPerDay === undefined ? from : from - dayMsMax;
}

/** That a run has no output is nothing to be told. */
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
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

/** One that says a nag wakes it when it ends. */
function sayDraft(record: LedgerRecord<NotificationKind>, nags: ReadonlySet<string>): Draft {
  const { kind, id, body, outcome, priority, queue, lane, wakeAt, parent, state } = record;
  return {
    kind,
    id,
    body,
    priority,
    queue,
    lane,
    ...(parent !== null && nags.has(parent) ? { parent } : {}),
    ...(outcome === null ? {} : { outcome }),
    ...(state === "pending" ? { state, ...(wakeAt === null ? {} : { wakeAt }) } : { ends: state }),
  };
}

/** With the minute that it holds, which no other takes. */
function makeNag(record: LedgerRecord<NagKind>): Draft {
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
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

function makePage({ kind, id, body, state }: LedgerRecord<PageKind>): Draft {
  return { kind, id, body, state: state === "kept" ? "kept" : "deleted" };
}
