import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import { cadence } from "../../time/cadence/cadence.ts";
import { runSpec } from "../tasks/index.ts";
import { scheduleEvent } from "./handler-slot.ts";

/** Whether the output of its runs is sent. */
export const notify = z.enum(["always", "conditional", "never"]);
/** Which slots run that came while no node could run them. */
export const misfire = z.enum(["latest", "all", "none"]);
/** What becomes of a slot that comes while the run before is at work. */
export const overlap = z.enum(["skip", "queue", "cancel", "allow"]);

/** What one local day, or one run, may use. */
const budget = z.strictObject({
  runsPerDay: z.number().exactOptional(),
  costPerDay: z.number().exactOptional(),
  turnsPerRun: z.number().exactOptional(),
  costPerRun: z.number().exactOptional(),
});
export type Budget = z.output<typeof budget>;

/** Slots in (after, until] of a schedule before it was changed: they do not run, and get their rows. */
const undecided = z
  .strictObject({
    cadence,
    after: moment,
    until: moment,
    /** Slots before this came in a pause. */
    pausedUntil: moment.exactOptional(),
  })
  .readonly();
export type Undecided = z.output<typeof undecided>;

/** Something that runs again and again. Its slots become tasks. */
export const scheduleKind = defineKind({
  name: "schedule",
  body: z.strictObject({
    name: z.string(),
    cadence,
    /** The cadence as it was typed. */
    whenText: z.string(),
    run: runSpec,
    notify,
    /** Where the output of its runs is sent: where it was made, unless the request names another target. */
    target,
    origin: z.string().nullable(),
    misfire,
    overlap,
    /** A run that a crash cut off is made again, instead of ending interrupted. */
    rerun: z.boolean(),
    timeoutMs: z.int().positive(),
    /** Consecutive failures until the owner is notified, and until it is disabled; 0: never. */
    notifyAfterFailures: count,
    disableAfterFailures: count,
    budget: budget.exactOptional(),
    /** Of a handler's own: what its tasks are about. */
    event: scheduleEvent.exactOptional(),
    /** Declared in a configuration, under this key. */
    declared: z.string().exactOptional(),
    /** A hash of the last declaration: what differs from it was changed elsewhere. */
    declaredHash: z.string().exactOptional(),
  }),
  outcome: z.strictObject({
    /** Every slot up to here is decided, but for those of `undecided`. */
    cursor: moment,
    /** Slots that were due when it was changed, and have no row yet. */
    undecided: z.array(undecided).readonly().exactOptional(),
    nextRunAt: moment.nullable(),
    lastRunAt: moment.nullable(),
    lastRunState: z
      .enum(["completed", "failed", "skipped", "interrupted", "missed", "cancelled"])
      .nullable(),
    consecutiveFailures: count,
    /** The owner was notified of failures, and will be notified when it works again. */
    isNotified: z.boolean(),
    /** Why it is paused, disabled or completed. */
    reason: z.string().nullable(),
    /** It resumes by itself then. */
    pausedUntil: moment.exactOptional(),
    spent: z.strictObject({ day: z.string(), runs: count, cost: z.number() }).exactOptional(),
    /** Of a watch: when the run elsewhere started, and that the owner was notified of a missing ping. */
    startedAt: moment.exactOptional(),
    isMissing: z.boolean().exactOptional(),
  }),
  states: {
    active: ["paused", "disabled", "completed"],
    paused: ["active", "disabled", "completed"],
    disabled: ["active", "completed"],
  },
});
export interface ScheduleKind extends KindOf<typeof scheduleKind> {}
