import * as z from "zod";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import type { Cadence } from "../../../time/cadence.ts";
import { renderCadence } from "../../../time/cadence/render.ts";
import { dueOf, dueView } from "../../accounts/index.ts";
import { type Outlook, shownWaiting, waitingView } from "../../notifications/index.ts";
import { originView, originViewOf, type RunSpec } from "../../tasks/index.ts";
import { runsAhead, waitingOf } from "../forecast.ts";
import { misfire, notify, overlap, type Budget, type ScheduleKind } from "../kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const moment = z.string().describe("a time in UTC, as ISO 8601");

const cadenceView = z.object({
  type: z.enum(["once", "cron", "interval", "rrule"]),
  at: z.string().optional(),
  expression: z.string().optional(),
  every: z.number().optional().describe("in seconds"),
  rule: z.string().optional(),
  start: z.string().optional(),
  timezone: z.string().optional(),
});

/** A schedule in a list. */
export const scheduleLine = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "paused", "disabled", "completed", "cancelled"]),
  when: z.string().describe("when it runs, as a phrase"),
  cadence: cadenceView,
  runner: z.enum(["command", "task", "http", "agent", "ping"]),
  notify,
  target: z.string(),
  next_run_at: moment
    .nullable()
    .describe("when it runs next, with its budget and the pauses; null: not while it is paused"),
  waiting: waitingView
    .nullable()
    .describe("why it does not run at its next time, or has not yet; null: it does"),
  last_run_at: moment.nullable(),
  last_run_status: z.string().nullable(),
  consecutive_failures: z.number(),
  undelivered_runs: z
    .number()
    .describe("how many runs in a row could not be delivered to the target"),
  warning: z
    .string()
    .nullable()
    .describe("why the output of its last run could not be delivered; null: it could"),
  reason: z.string().nullable().describe("why it is paused, disabled or completed"),
  paused_until: moment.nullable(),
  ended_at: moment.nullable(),
  revision: z.number(),
});

/** A schedule as every interface shows it. */
export const scheduleView = scheduleLine.extend({
  when_text: z.string().describe("its time, as it was typed"),
  run: z.record(z.string(), z.unknown()).describe("what runs, without its secret"),
  ...originView,
  misfire,
  overlap,
  rerun: z.boolean(),
  timeout: z.number().describe("in seconds"),
  notify_after_failures: z.number(),
  disable_after_failures: z.number(),
  budget: z.record(z.string(), z.number()).nullable(),
  next: z.array(dueView).describe("its next five times"),
  created_at: moment,
  created_by: z.string(),
  created_by_run: z.string().nullable().describe("the run whose agent created it"),
  depth: z.number().describe("how many schedules created one another before it; 0: a person did"),
  updated_at: moment,
});
export type ScheduleLine = z.infer<typeof scheduleLine>;
export type ScheduleView = z.infer<typeof scheduleView>;

const firesShown = 5;

export function lineOf(record: Schedule, options: Outlook): ScheduleLine {
  const { id, state, body, outcome, revision } = record;
  const [next] = runsAhead(record, options, { count: 1 });
  const waiting = waitingOf(record, options);
  return {
    id,
    name: body.name,
    status: state,
    when: renderCadence(body.cadence, options),
    cadence: viewCadence(body.cadence),
    runner: runnerOf(body.run),
    notify: body.notify,
    target: body.target,
    next_run_at: isoOr(next?.at),
    waiting: waiting === undefined ? null : shownWaiting(waiting, options),
    last_run_at: isoOr(outcome?.lastRunAt),
    last_run_status: outcome?.lastRunState ?? null,
    consecutive_failures: outcome?.consecutiveFailures ?? 0,
    ...deliveryIn(outcome),
    reason: outcome?.reason ?? null,
    paused_until: isoOr(outcome?.pausedUntil),
    ended_at: isoOr(record.endedAt),
    revision,
  };
}

function deliveryIn(
  outcome: Schedule["outcome"],
): Pick<ScheduleLine, "undelivered_runs" | "warning"> {
  const { count = 0, reason = null } = outcome?.undelivered ?? {};
  return { undelivered_runs: count, warning: reason };
}

export function viewSchedule(record: Schedule, options: Outlook): ScheduleView {
  const { body } = record;
  return {
    ...lineOf(record, options),
    when_text: body.whenText,
    run: viewRun(body.run),
    ...originViewOf(body.origin),
    misfire: body.misfire,
    overlap: body.overlap,
    rerun: body.rerun,
    timeout: body.timeoutMs / 1_000,
    notify_after_failures: body.notifyAfterFailures,
    disable_after_failures: body.disableAfterFailures,
    budget: body.budget === undefined ? null : viewBudget(body.budget),
    next: runsAhead(record, options, { count: firesShown }).map(({ at }) => dueOf(at, options)),
    created_at: isoOf(record.createdAt),
    created_by: record.by,
    created_by_run: body.madeBy?.run ?? null,
    depth: body.madeBy?.depth ?? 0,
    updated_at: isoOf(record.updatedAt),
  };
}

/** The cadence in the form that a request takes. */
export function viewCadence(cadence: Cadence): ScheduleLine["cadence"] {
  switch (cadence.type) {
    case "once":
      return { type: "once", at: isoOf(cadence.at) };
    case "cron":
      return { type: "cron", expression: cadence.expression, timezone: cadence.zone };
    case "interval":
      return { type: "interval", every: cadence.everyMs / 1_000 };
    case "rrule": {
      const { rule, start, zone } = cadence;
      return { type: "rrule", rule, start: isoOf(start), timezone: zone };
    }
  }
}

function runnerOf(run: RunSpec): ScheduleLine["runner"] {
  if ("command" in run) return "command";
  if ("task" in run) return "task";
  if ("http" in run) return "http";
  return "agent" in run ? "agent" : "ping";
}

/** Without its secret, which was shown when it was created. */
function viewRun(run: RunSpec): ScheduleView["run"] {
  if ("http" in run) return present({ http: run.http, in: run.in });
  if ("ping" in run) return { grace: run.graceMs / 1_000 };
  return { ...run };
}

function viewBudget(budget: Budget): Record<string, number> {
  const { runsPerDay, costPerDay, turnsPerRun, costPerRun } = budget;
  return present({
    runs_per_day: runsPerDay,
    cost_per_day: costPerDay,
    turns_per_run: turnsPerRun,
    cost_per_run: costPerRun,
  });
}
