import * as z from "zod";
import type { Reader } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import { notificationKind } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { textsOf, type Texts } from "./texts.ts";

type Schedule = Pick<LedgerRecord<ScheduleKind>, "body" | "outcome">;
export type Spent = NonNullable<ScheduleKind["outcome"]["spent"]>;

/**
 * The use of the current day, in the schedule's zone or in the owner's. The day never goes back: after an edit of the
 * zone, or by another clock, it may be yesterday again.
 */
export function spentOn({ body, outcome }: Schedule, at: number, ownZone: string): Spent {
  const day = dayOf(at, "zone" in body.cadence ? body.cadence.zone : ownZone);
  const spent = outcome?.spent;
  return spent !== undefined && spent.day >= day ? spent : { day, runs: 0, cost: 0 };
}

export function isSpent({ body }: Pick<Schedule, "body">, spent: Spent | undefined): boolean {
  const { runsPerDay = Infinity, costPerDay = Infinity } = body.budget ?? {};
  return spent !== undefined && (spent.runs >= runsPerDay || spent.cost >= costPerDay);
}

type Task = LedgerRecord<TaskKind>;

const used = z.object({
  used: z.number().nullable().describe("null: the use of that day is no longer kept"),
  allowed: z.number(),
});
type Used = z.infer<typeof used>;

/** The limits, and their use. */
export const budgetView = z.object({
  day: z.string().nullable().describe("the local day of `runs` and `cost`"),
  runs: used.nullable().describe("runs of that day"),
  cost: used.nullable().describe("the cost of the runs of that day"),
  run_turns: used.nullable().describe("turns of this run"),
  run_cost: used.nullable().describe("the cost of this run"),
});
type BudgetView = z.infer<typeof budgetView>;

/** The budget of a schedule for today, or for the day on which a slot was decided, and that run's own. */
export function budgetOf(
  schedule: LedgerRecord<ScheduleKind> | undefined,
  task: Task | undefined,
  reader: Reader,
): BudgetView | null {
  const view = { ...ofDay(schedule, task?.createdAt ?? reader.now, reader), ...ofRun(task) };
  return (view.runs ?? view.cost ?? view.run_turns ?? view.run_cost) ? view : null;
}

function ofDay(
  schedule: LedgerRecord<ScheduleKind> | undefined,
  at: number,
  { now, zone }: Reader,
): Pick<BudgetView, "day" | "runs" | "cost"> {
  const { budget, cadence } = schedule?.body ?? {};
  if (budget === undefined || cadence === undefined) return { day: null, runs: null, cost: null };
  const { runsPerDay, costPerDay } = budget;
  const own = "zone" in cadence ? cadence.zone : zone;
  const day = dayOf(at, own);
  const spent = schedule?.outcome?.spent;
  const unused = day === dayOf(now, own) ? 0 : null;
  const { runs, cost } = spent?.day === day ? spent : { runs: unused, cost: unused };
  return { day, runs: usedOf(runs, runsPerDay), cost: usedOf(cost, costPerDay) };
}

function ofRun(task: Task | undefined): Pick<BudgetView, "run_turns" | "run_cost"> {
  const { turnsMax, costMax } = task?.body.slot ?? {};
  const { turns = null, cost = null } = task?.outcome ?? {};
  return { run_turns: usedOf(turns ?? 0, turnsMax), run_cost: usedOf(cost ?? 0, costMax) };
}

function usedOf(count: number | null, allowed: number | undefined): Used | null {
  return allowed === undefined ? null : { used: count, allowed };
}

interface Budgeted {
  readonly kind: string;
  readonly budget: BudgetView | null;
}

/** A budget is shown with its schedule, with a run, and with the run's notifications. */
const budgeted: readonly string[] = [scheduleKind, taskKind, notificationKind].map(
  ({ name }) => name,
);

export function budgetLines({ budget, kind }: Budgeted, { language }: Reader): string[] {
  if (budget === null || !budgeted.includes(kind)) return [];
  const texts = textsOf(language);
  const { day, runs, cost, run_turns: turns, run_cost: own } = budget;
  const ofDay = [...parts("runs", runs, texts), ...parts("cost", cost, texts)].join(", ");
  const ofRun = [...parts("turns", turns, texts), ...parts("cost", own, texts)].join(", ");
  // A run shows by its own state whether it was skipped.
  const isUsedUp = kind === scheduleKind.name && (isUp(runs) || isUp(cost));
  return [
    ...(day === null || ofDay === "" ? [] : [texts.dayBudget({ day, used: ofDay, isUsedUp })]),
    ...(ofRun === "" ? [] : [texts.runBudget(ofRun)]),
  ];
}

function isUp(part: Used | null): boolean {
  return part !== null && part.used !== null && part.used >= part.allowed;
}

function parts(what: "runs" | "cost" | "turns", part: Used | null, texts: Texts): string[] {
  if (part === null) return [];
  const count = part.used === null ? null : figure(part.used);
  return [texts.used({ what, used: count, allowed: figure(part.allowed) })];
}

/** Costs are sums of fractions: 0.1 + 0.2 is shown as 0.3. */
function figure(value: number): string {
  return String(Number(value.toFixed(6)));
}
