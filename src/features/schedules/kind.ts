import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { Cadence } from "../../time/cadence.ts";
import type { NotifyPolicy, TaskKind } from "../tasks/kind.ts";
import type { RunSpec } from "../tasks/run-spec.ts";
import type { ScheduleEvent } from "./handler-slot.ts";

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

/** Slots in (after, until] of what a schedule was before it was changed: they do not run, and get their rows. */
export interface Undecided {
  readonly cadence: Cadence;
  readonly after: number;
  readonly until: number;
  /** Slots before this were passed over. */
  readonly pausedUntil?: number;
}
