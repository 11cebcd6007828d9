import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import { cadence } from "../../time/cadence/cadence.ts";
import { runSpec } from "../tasks/index.ts";
import { scheduleEvent } from "./handler-slot.ts";

/** Whether the output of runs is sent. */
export const notify = z.enum(["always", "conditional", "never"]);
/** Which of the slots run that were missed while no node was running. */
export const misfire = z.enum(["latest", "all", "none"]);
/** How a slot is treated that is due while the previous run is still running. */
export const overlap = z.enum(["skip", "queue", "cancel", "allow"]);

/** The limits of one local day, and of one run. */
const budget = z.strictObject({
  runsPerDay: z.number().optional(),
  costPerDay: z.number().optional(),
  turnsPerRun: z.number().optional(),
  costPerRun: z.number().optional(),
});
export type Budget = z.output<typeof budget>;

/** The slots in (after, until] that were due before an edit: they do not run, and each gets a row. */
const undecided = z
  .strictObject({
    cadence,
    after: moment,
    until: moment,
    /** Slots before this were paused. */
    pausedUntil: moment.optional(),
  })
  .readonly();
export type Undecided = z.output<typeof undecided>;

/** The run whose agent created a schedule. */
const madeByRun = z.strictObject({
  run: z.string(),
  /** The schedule of that run; null: it has none. */
  schedule: z.string().nullable(),
  /** 1: a person created the schedule of that run. */
  depth: count,
  /** The owner's day. */
  day: z.string(),
});
export type MadeByRun = z.output<typeof madeByRun>;

/** A run that recurs. Each of its slots becomes a task. */
export const scheduleKind = defineKind({
  name: "schedule",
  body: z.strictObject({
    name: z.string(),
    cadence,
    /** The cadence as it was typed. */
    whenText: z.string(),
    run: runSpec,
    notify,
    /** Where the output of its runs is sent. Default: the origin of the request. */
    target,
    origin: z.string().nullable(),
    misfire,
    overlap,
    /** A run that a crash interrupted runs again, instead of ending interrupted. */
    rerun: z.boolean(),
    timeoutMs: z.int().positive(),
    /** Consecutive failures until the owner is notified, and until it is disabled; 0: never. */
    notifyAfterFailures: count,
    disableAfterFailures: count,
    budget: budget.optional(),
    /** Of a handler's schedule: the event of its tasks. */
    event: scheduleEvent.optional(),
    madeBy: madeByRun.optional(),
    /** Declared in a configuration, under this key. */
    declared: z.string().optional(),
    /** A hash of the last declaration, which shows changes that were made elsewhere. */
    declaredHash: z.string().optional(),
  }),
  outcome: z.strictObject({
    /** Every slot up to here is decided, except those of `undecided`. */
    cursor: moment,
    /** Slots that were due when it was edited, and have no row yet. */
    undecided: z.array(undecided).readonly().optional(),
    nextRunAt: moment.nullable(),
    lastRunAt: moment.nullable(),
    lastRunState: z
      .enum(["completed", "failed", "skipped", "interrupted", "missed", "cancelled"])
      .nullable(),
    consecutiveFailures: count,
    /** The owner was notified of failures, and will be notified when it works again. */
    isNotified: z.boolean(),
    /** Runs in a row whose output could not be delivered, and why the last could not. */
    undelivered: z.strictObject({ count, reason: z.string() }).optional(),
    /** Why it is paused, disabled or completed. */
    reason: z.string().nullable(),
    /** It resumes by itself then. */
    pausedUntil: moment.optional(),
    spent: z.strictObject({ day: z.string(), runs: count, cost: z.number() }).optional(),
    /** Of a watch: when the run elsewhere started, and that the owner was notified of a missing ping. */
    startedAt: moment.optional(),
    isMissing: z.boolean().optional(),
  }),
  states: {
    active: ["paused", "disabled", "completed"],
    paused: ["active", "disabled", "completed"],
    disabled: ["active", "completed"],
  },
});
export interface ScheduleKind extends KindOf<typeof scheduleKind> {}
