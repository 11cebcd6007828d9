import { type ScheduleKind, scheduleKind } from "../../features/schedules/kind.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import type { Body, Outcome, Shape } from "../../kernel/shape.ts";
import {
  type Draft,
  type DraftOf,
  type Edit,
  type Consequences,
  isEdit,
  isDraft,
} from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import { firesAfter, firesBetween } from "../../time/cadence.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type ProcessWork } from "./facts.ts";
import { checkInvariant, type Model } from "./model.ts";
import { checkQueue, checkSkip, type Row } from "./skips.ts";

/** What is known of a schedule, from what was asked and settled. */
export interface SchedulePlan {
  body: Body<ScheduleKind>;
  outcome: Outcome<ScheduleKind>;
  state: string;
  /** Slots that have a row. */
  readonly slots: Set<number>;
  /** Its runs were allowed to overlap at some time. */
  mayOverlap: boolean;
  /** Runs that were started, and not settled since. */
  readonly atWork: Set<string>;
  /** Which task runs a slot. */
  readonly runs: Map<number, string>;
  /** Slots that came before a change and had no row then, and what must become of each. */
  readonly backlog: Map<number, "missed" | "skipped">;
  /** Slots whose runs wait for the one at work, and are not made up for with others. */
  readonly queued: Set<number>;
  /** The newest claim in which a name was refused because a run had it. */
  heldAt: number;
  /** Runs that were decided on the day of the newest one. */
  used: { day: string; runs: number };
}

export function recordSchedule(model: Model, id: string, draft: Draft): void {
  if (!isDraft(scheduleKind, draft) || draft.outcome === undefined) return;
  model.plans.set(id, {
    body: draft.body,
    outcome: draft.outcome,
    state: "active",
    slots: new Set(),
    mayOverlap: draft.body.overlap === "allow",
    atWork: new Set(),
    runs: new Map(),
    backlog: new Map(),
    queued: new Set(),
    heldAt: 0,
    used: { day: "", runs: 0 },
  });
}

/** What an edit makes of a schedule, whoever wrote it. */
export function recordScheduleEdit({ model, marks }: Watch, edit: Edit): void {
  const plan = model.plans.get(edit.id);
  if (!isEdit(scheduleKind, edit) || plan === undefined) return;
  const { body = plan.body, outcome = plan.outcome } = edit;
  const forward = outcome.cursor >= plan.outcome.cursor;
  checkInvariant(model, forward, "a cursor never moves back", () =>
    JSON.stringify([edit, plan.outcome]),
  );
  if (edit.body !== undefined && plan.atWork.size > 0)
    marks.reached("a schedule was edited during a run");
  const isOff = "state" in edit && edit.state === "disabled";
  addBacklog(plan, isOff ? (outcome.lastRunAt ?? 0) : outcome.cursor);
  plan.body = body;
  plan.outcome = outcome;
  plan.mayOverlap ||= body.overlap === "allow";
  if ("state" in edit && edit.state !== undefined) {
    if (edit.state !== plan.state) marks.reached(`a schedule became ${edit.state}`);
    plan.state = edit.state;
  }
}

/** The rows of one schedule in a unit. */
export function rowsOf(id: string, consequences: Consequences | undefined): DraftOf<TaskKind>[] {
  const tasks = (consequences?.append ?? []).filter((draft) => isDraft(taskKind, draft));
  return tasks.filter(({ body }) => body.slot?.schedule === id);
}

/** A change does not lose what came before it. */
function addBacklog({ state, outcome, body, backlog }: SchedulePlan, until: number): void {
  if (state === "disabled") return;
  const { fires } = firesBetween(body.cadence, outcome.cursor, until, 1_000);
  const pausedUntil = state === "paused" ? (outcome.pausedUntil ?? Infinity) : -Infinity;
  for (const at of fires) backlog.set(at, at < pausedUntil ? "skipped" : "missed");
}

/** Whoever claims a schedule reads what was last asked of it. */
export function checkPlan(model: Model, id: string, body: unknown): void {
  const plan = model.plans.get(id);
  if (plan === undefined) return;
  const same = JSON.stringify(body) === JSON.stringify(plan.body);
  checkInvariant(model, same, "no edit is lost", () => JSON.stringify([body, plan.body]));
}

/** Each slot is one row, in the unit that moves the cursor past it. */
export function watchSlots(
  watch: Watch,
  facts: Facts,
  unit: SettleOf<Shape>,
  work: ProcessWork,
): void {
  const plan = watch.model.plans.get(facts.id);
  if (plan === undefined) return;
  const detail = (): string =>
    `${JSON.stringify(unit)}; ${JSON.stringify([plan.outcome, plan.body])}`;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(watch.model, holds, invariant, detail);
  const outcome = (unit.outcome as Outcome<ScheduleKind> | undefined) ?? plan.outcome;
  const [before, after] = [plan.outcome.cursor, outcome.cursor];
  const rows = withoutBacklog(watch, plan, rowsOf(facts.id, unit.consequences));
  const slots = rows.map(slotOf);
  const fired = firesBetween(plan.body.cadence, before, after, 1_000).fires;
  const fires = fired.filter((at) => !plan.slots.has(at) || slots.includes(at));
  must(after >= before, "a cursor never moves back");
  const isOver = after > before || ("ends" in unit && unit.ends === "completed");
  must(!isOver || plan.backlog.size === 0, "a slot due before a change gets its row");
  must((slots.at(-1) ?? 0) <= watch.model.storeNowMax, "no slot is decided before its time");
  must(slots.join() === fires.join(), "each slot is written in the unit that moves the cursor");
  must(!slots.some((at) => plan.slots.has(at)), "a slot is decided once");
  must(!facts.cancelling || rows.length === 0, "a deleted schedule does not run");
  for (const at of slots) plan.slots.add(at);
  const newestContent = slots.at(-1) ?? 0;
  rows.forEach((draft, index) =>
    checkRow(watch, {
      plan,
      draft,
      at: slots[index] ?? 0,
      newestContent,
      work,
      fence: facts.fence,
    }),
  );
  checkQueue(watch, facts, plan);
  plan.outcome = outcome;
  if ("state" in unit) plan.state = unit.state;
}

function slotOf({ body }: DraftOf<TaskKind>): number {
  return body.slot?.at ?? 0;
}

/** Rows of a unit but for those of what came before a change, which are looked at here. */
export function withoutBacklog(
  watch: Watch,
  plan: SchedulePlan,
  rows: DraftOf<TaskKind>[],
): DraftOf<TaskKind>[] {
  const isBacklog = (draft: DraftOf<TaskKind>): boolean => plan.backlog.has(slotOf(draft));
  const others = rows.filter((draft) => !isBacklog(draft));
  for (const draft of rows.filter(isBacklog)) checkBacklogRow(watch, plan, draft);
  return others;
}

/** It does not run, and says why. */
function checkBacklogRow(
  { model, marks }: Watch,
  plan: SchedulePlan,
  draft: DraftOf<TaskKind>,
): void {
  const at = slotOf(draft);
  const ends = "ends" in draft ? draft.ends : "runs";
  const detail = (): string => JSON.stringify([draft, plan]);
  checkInvariant(
    model,
    ends === plan.backlog.get(at),
    "a slot due before a change does not run",
    detail,
  );
  checkInvariant(model, !plan.slots.has(at), "a slot is decided once", detail);
  marks.reached(`slot ${ends} by a change`);
  plan.backlog.delete(at);
  plan.slots.add(at);
}

/** What becomes of a slot has its reason. */
function checkRow({ model, marks }: Watch, row: Row): void {
  const { plan, draft } = row;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () =>
      JSON.stringify([draft, plan.outcome, plan.state]),
    );
  const ends = "ends" in draft ? draft.ends : "runs";
  const became = ends === "skipped" ? `skipped ${draft.outcome?.reason}` : ends;
  marks.reached(`slot ${became}`);
  const isPassedOver = isPaused(row);
  must(
    isPassedOver === (became === "skipped paused"),
    "a slot is skipped as paused exactly when its schedule is paused",
  );
  if (isPassedOver) return;
  must(isTooLate(row) === (ends === "missed"), "a slot is missed exactly when it is too late");
  checkSkip(model, row, became);
}

function isPaused({ plan, at }: Row): boolean {
  return plan.state === "paused" && at < (plan.outcome.pausedUntil ?? Infinity);
}

function isTooLate({ plan, at, newestContent, work }: Row): boolean {
  const { cadence, misfire } = plan.body;
  if (misfire === "all") return false;
  const [next = Infinity] = firesAfter(cadence, at, 1);
  const lateMs = misfire === "none" ? 60_000 : 3_600_000;
  return at !== newestContent || work.claimedStoreAt - at > Math.min((next - at) / 2, lateMs);
}
