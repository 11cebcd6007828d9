import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import {
  type Hold,
  type Outlook,
  pauseHold,
  released,
  type Waiting,
  waitOf,
} from "../notifications/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { laterOf, nextFires, outcomeOf } from "./next-fire.ts";
import { decideSlots, type SlotFacts } from "./verdict.ts";
import { isWatch } from "./watch.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** A run that will start, and the pause that it waits for, if any. */
interface RunAhead {
  readonly at: number;
  readonly hold?: Hold | undefined;
}

/** A week of slots every minute. */
const decisionsMax = 10_080;

/** The next runs of a schedule: the decisions of its controller, slot by slot, ahead of time. */
export function runsAhead(
  record: Schedule,
  outlook: Outlook,
  { count, until = Infinity }: { count: number; until?: number },
): readonly RunAhead[] {
  if (record.outcome === null || record.endedAt !== null) return [];
  const fires = nextFires(record, outlook.now, count);
  if (isWatch(record) || !needsDecisions(record, outlook)) {
    return fires.filter((at) => at <= until).map((at) => ({ at }));
  }
  const found: RunAhead[] = [];
  let current: Schedule | undefined = withoutPast(record, outlook);
  for (let each = 0; each < decisionsMax && current !== undefined; each += 1) {
    const hold = holdOf(current, outlook);
    if (hold.at === null || hold.at > until || found.length >= count) break;
    const decided = decidedAt(current, { ...hold, at: hold.at }, outlook);
    found.push(...decided.runs);
    current = decided.next;
  }
  return found.filter(({ at }) => at <= until).slice(0, count);
}

/** Why a schedule does not run at its next time; undefined: it does. */
export function waitingOf(record: Schedule, outlook: Outlook): Waiting | undefined {
  if (record.endedAt !== null || record.state !== "active") return undefined;
  const wait = waitOf(record, outlook.now, null);
  if (wait?.for === "attempt") return wait;
  const [fire] = nextFires(record, outlook.now, 1);
  const pause = fire === undefined ? undefined : pauseOf(record, fire, outlook);
  if (pause !== undefined) return pause;
  const [first] = runsAhead(record, outlook, { count: 1 });
  const isSkipped = fire !== undefined && first !== undefined && first.at > fire;
  return isSkipped ? { for: "budget", until: first.at } : wait;
}

/** What pauses the schedule, or else its runs. */
function pauseOf(record: Schedule, at: number, outlook: Outlook): Hold | undefined {
  return pauseHold(record, at, outlook) ?? pauseHold(taskOf(record), at, outlook);
}

function taskOf({ owner }: Schedule) {
  return { kind: "task", owner, lane: null } as const;
}

/** Without a day's budget and a pause, each slot runs at its time. */
function needsDecisions(record: Schedule, outlook: Outlook): boolean {
  const { runsPerDay, costPerDay } = record.body.budget ?? {};
  return (
    runsPerDay !== undefined ||
    costPerDay !== undefined ||
    pauseOf(record, outlook.now, outlook) !== undefined
  );
}

/** Slots before now are decided within moments, unless a pause holds them. */
function withoutPast(record: Schedule, outlook: Outlook): Schedule {
  if (pauseHold(record, outlook.now, outlook) !== undefined) return record;
  const cursor = laterOf(record, outlook.now);
  const [wakeAt = null] = nextFires(record, outlook.now, 1);
  return { ...record, outcome: { ...outcomeOf(record), cursor }, wakeAt };
}

function holdOf(record: Schedule, outlook: Outlook): ReturnType<typeof released> {
  const { wakeAt } = record;
  // Paused without an end, it only records its slots as skipped.
  const isOff = record.state !== "active" && record.outcome?.pausedUntil === undefined;
  if (wakeAt === null || isOff) return { at: null };
  return released(Math.max(wakeAt, outlook.now), (at) => pauseHold(record, at, outlook));
}

/** The runs that its controller creates at a time, and the schedule after that. */
function decidedAt(
  record: Schedule,
  { at, hold }: RunAhead,
  outlook: Outlook,
): { runs: readonly RunAhead[]; next: Schedule | undefined } {
  const claimed: Claimed<ScheduleKind> = {
    ...record,
    wakeAt: at,
    lease: { holder: "forecast", fence: 0, claimedAt: at },
  };
  const verdict = decideSlots(claimed, { now: at, jitter: 0 }, factsOf(outlook));
  const rows = verdict.consequences?.append ?? [];
  const runs = rows.flatMap((row) => {
    if (row.kind !== "task" || "ends" in row) return [];
    const task = taskOf(record);
    const run = released(Math.max(row.wakeAt ?? at, at), (time) => pauseHold(task, time, outlook));
    return run.at === null ? [] : [{ at: run.at, hold: run.hold ?? hold }];
  });
  if ("ends" in verdict) return { runs, next: undefined };
  const { state, outcome = record.outcome, wakeAt = null } = verdict;
  return { runs, next: { ...record, state: state ?? record.state, outcome, wakeAt } };
}

/** Its runs end at once, and none is running. */
function factsOf({ ownZone: zone, pauses }: Outlook): SlotFacts {
  return { live: [], held: [], zone, pauses };
}
