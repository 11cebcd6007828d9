import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { atPath } from "../../platform/at-path.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Cadence, checkCadence, firesAfter, firesBetween } from "../../time/cadence.ts";
import type { NotifyPolicy, TaskKind } from "../tasks/kind.ts";
import type { RunSpec } from "../tasks/run-spec.ts";
import type { Undecided } from "./backlog.ts";
import { checkSchedule } from "./check.ts";
import type { ScheduleEvent } from "./handler-slot.ts";
import { nameHold, scheduleSlot, runHold } from "./holds.ts";
import { aim, laterOf, outcomeOf, rhythmOf } from "./next-fire.ts";
import { slotKey, slotTask } from "./slot.ts";

/** Something that runs again and again. Its slots become tasks. */
export interface ScheduleKind {
  name: "schedule";
  body: {
    name: string;
    cadence: Cadence;
    /** The words the cadence was asked in. */
    whenText: string;
    run: RunSpec;
    notify: NotifyPolicy;
    /** Where what its runs say goes: where it was made, unless another place was named. */
    target: string;
    origin: string | null;
    misfire: Misfire;
    overlap: Overlap;
    /** A run that a crash cut off is made again, instead of ending interrupted. */
    rerun: boolean;
    timeoutMs: number;
    /** Consecutive failures until the owner is told, and until it is disabled; 0: never. */
    notifyAfterFailures: number;
    disableAfterFailures: number;
    budget?: Budget;
    /** Of a handler's own: what its tasks are about. */
    event?: ScheduleEvent;
    /** Set down in a configuration, under this key. */
    declared?: string;
    /** What stood there last: what differs from it was changed elsewhere. */
    declaredAs?: string;
  };
  outcome: {
    /** Every slot up to here is decided, but for those of `undecided`. */
    cursor: number;
    /** Slots that had come when it was changed, and have no row yet. */
    undecided?: readonly Undecided[];
    nextRunAt: number | null;
    lastRunAt: number | null;
    lastRunState: TaskKind["end"] | null;
    consecutiveFailures: number;
    /** The owner was told of failures, and will be told when it works again. */
    isTold: boolean;
    /** Why it is paused, disabled or completed. */
    reason: string | null;
    /** It goes on by itself then. */
    pausedUntil?: number;
    spent?: { day: string; runs: number; cost: number };
    /** Of one that is pinged: when it said that it began, and that the owner was told that no ping came. */
    startedAt?: number;
    isMissing?: boolean;
  };
  live: "active" | "paused" | "disabled";
  end: "completed" | "cancelled";
}

export const scheduleKind: Kind<ScheduleKind> = defineKind({
  name: "schedule",
  states: {
    active: ["paused", "disabled", "completed"],
    paused: ["active", "disabled", "completed"],
    disabled: ["active", "completed"],
  },
});

/** Slots that came while nobody could run them: the latest if it is not too late, all, none. */
type Misfire = "latest" | "all" | "none";
/** A slot that comes while the run before is at work. */
type Overlap = "skip" | "queue" | "cancel" | "allow";

/** What one local day, or one run, may use. */
export interface Budget {
  runsPerDay?: number;
  costPerDay?: number;
  turnsPerRun?: number;
  costPerRun?: number;
}

type Schedule = LedgerRecord<ScheduleKind>;
type Body = ScheduleKind["body"];

export interface Making {
  owner: string;
  now: number;
  /** The most schedules an owner may have at once. */
  limit: number;
  minGapMs?: number;
}

/** Every schedule is made here, whoever asks for it. */
export function makeSchedule(body: Body, facts: Making): DraftOf<ScheduleKind> {
  const { owner, now, limit, minGapMs = minGapMsDefault } = facts;
  checkSchedule(body);
  atPath("cadence", () => checkCadence(body.cadence, now, minGapMs));
  const { nextRunAt, wakeAt } = aim("active", body.cadence, { cursor: now });
  return {
    kind: "schedule",
    body,
    state: "active",
    outcome: {
      cursor: now,
      nextRunAt,
      lastRunAt: null,
      lastRunState: null,
      consecutiveFailures: 0,
      isTold: false,
      reason: null,
    },
    holds: [scheduleSlot(owner, limit), nameHold(owner, body.name)],
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

/** A run that somebody asked for. Refused as `held` while another is at work, unless they may overlap. */
export function runNow(record: Schedule, now: number): DraftOf<TaskKind> {
  if ("ping" in record.body.run) {
    throw new DaybookError("refused", "Nothing runs here: it waits to be pinged.");
  }
  const holds = record.body.overlap === "allow" ? [] : [runHold(record.id)];
  return slotTask(record, { at: now, because: "run now", holds, wakeAt: now });
}

/** Slots that lie back, to be run one after another. One that has a row already stays as it is. */
export function backfillSlots(
  record: Schedule,
  from: number,
  to: number,
  limit: number,
): readonly DraftOf<TaskKind>[] {
  if (from > to) throw new DaybookError("invalid", "It ends before it begins: swap the two times.");
  const { id, body } = record;
  // What is not decided yet comes by itself.
  const until = Math.min(to, outcomeOf(record).cursor);
  const { fires, earlier } = firesBetween(body.cadence, from - 1, until, limit);
  if (earlier > 0) {
    const count = earlier + fires.length;
    const sentence = `These are ${count} slots, more than ${limit} at once: choose a shorter time.`;
    throw new DaybookError("too_large", sentence, { details: { count, limit } });
  }
  const turns = body.overlap === "allow" ? {} : { turns: [runHold(id)] };
  return fires.map((at) =>
    slotTask(record, { at, because: "backfill", key: slotKey(id, at), ...turns }),
  );
}

/** When it runs next; none while it does not run. */
export function nextFires(record: Schedule, now: number, count: number): readonly number[] {
  const { pausedUntil = Infinity, cursor } = outcomeOf(record);
  const cadence = rhythmOf(record.body, cursor);
  if (record.state === "active") return firesAfter(cadence, laterOf(record, now), count);
  if (record.state !== "paused" || pausedUntil === Infinity) return [];
  return firesAfter(cadence, Math.max(laterOf(record, now), pausedUntil - 1), count);
}

/** Between two runs, unless a setting says otherwise. */
export const minGapMsDefault = 60_000;
