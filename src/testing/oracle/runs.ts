import { notificationKind } from "../../features/notifications/kind.ts";
import { type ScheduleKind, scheduleKind } from "../../features/schedules/kind.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import type { Job } from "../../features/tasks/runner.ts";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import { type EditOf, isEdit } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { Life } from "../simulator/kernel.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { demand, factsOf } from "./notes.ts";
import { checkLease } from "./sends.ts";
import type { Plan } from "./slots.ts";

/** A task that was handed out: which schedule it is of. */
export function takeRun({ notes }: Watch, record: Claimed): void {
  if (!is(taskKind, record)) return;
  const { slot } = (record as Claimed<TaskKind>).body;
  if (slot === undefined || notes.runs.has(record.id)) return;
  notes.runs.set(record.id, { schedule: slot.schedule, starts: 0 });
}

/** A run begins on a node. */
export function watchRun(watch: Watch, life: Life, { id, slot }: Job): void {
  const { notes, marks } = watch;
  const known = notes.runs.get(id);
  const plan = notes.plans.get(slot?.schedule ?? "");
  const tell = (): string => `${life.name} runs ${id}: ${JSON.stringify(slot)}`;
  const must = (holds: boolean, invariant: string): void => demand(notes, holds, invariant, tell);
  must(known !== undefined, "only what was claimed is run");
  if (known === undefined || plan === undefined || slot === undefined) return;
  marks.reached(`run because of ${slot.because}`);
  checkLease(watch, factsOf(notes, id), life);
  known.starts += 1;
  must(slot.because === "run now" || slot.at <= notes.storeNowMax, "never early");
  must(slot.rerun || known.starts === 1, "a slot's run starts at most once");
  const who = { owner: factsOf(notes, id).owner, by: "oracle" };
  if (slot.because !== "run now") {
    const first = plan.runs.get(slot.at) ?? id;
    plan.runs.set(slot.at, id);
    // A backfill may run again what was forgotten: its name went with it.
    const isForgotten = watch.engine.get({ who, id: first }) === undefined;
    must(first === id || isForgotten, "a slot is run by one task");
  }
  const others = [...plan.atWork].filter((other) => other !== id);
  const live = others.filter((other) => watch.engine.get({ who, id: other })?.endedAt === null);
  if (others.length > 0) marks.reached("run while another may be at work");
  must(plan.mayOverlap || live.length === 0, "one run at work, unless they may overlap");
  plan.atWork.add(id);
}

/** A run's lease ends. What it counts for stands in the same unit. */
export function watchRunEnd(watch: Watch, facts: Facts, unit: SettleOf<Shape>): void {
  const { notes, marks } = watch;
  const plan = notes.plans.get(notes.runs.get(facts.id)?.schedule ?? "");
  if (plan === undefined) return;
  plan.atWork.delete(facts.id);
  const who = { owner: facts.owner, by: "oracle" };
  const record = watch.engine.get({ who, id: facts.id });
  if (record === undefined) return;
  if (is(taskKind, record) && record.outcome?.ended) marks.reached("a run's end was kept");
  if (record.endedAt === null) return;
  marks.reached(`run ${record.state}`);
  const edit = unit.consequences?.edit?.find((each) => isEdit(scheduleKind, each));
  if (edit !== undefined) return checkCount(watch, { plan, edit, state: record.state, unit });
  if (record.state !== "cancelled" || "ends" in unit) checkUncounted(watch, facts, unit);
}

/** It counts for nothing because its schedule is gone. */
function checkUncounted({ notes, marks, engine }: Watch, facts: Facts, unit: unknown): void {
  const id = notes.runs.get(facts.id)?.schedule ?? "";
  const schedule = engine.get({ who: { owner: facts.owner, by: "oracle" }, id });
  const isOver = schedule === undefined || schedule.endedAt !== null;
  if (isOver) marks.reached("a run outlived its schedule");
  demand(notes, isOver, "every run counts", () => JSON.stringify(unit));
}

interface Counting {
  plan: Plan;
  edit: EditOf<ScheduleKind>;
  state: string;
  unit: SettleOf<Shape>;
}

function checkCount(watch: Watch, counting: Counting): void {
  const { plan, edit, state, unit } = counting;
  const must = (holds: boolean, invariant: string): void =>
    demand(watch.notes, holds, invariant, () => JSON.stringify([state, unit, plan]));
  const count = countAfter(plan.outcome.consecutiveFailures, state);
  const { outcome } = edit;
  must(outcome?.consecutiveFailures === count, "counters equal the runs' ends");
  must(outcome?.lastRunState === state, "counters equal the runs' ends");
  must(outcome?.cursor === plan.outcome.cursor, "a run's end leaves the cursor where it is");
  must(edit.body === undefined, "a run's end changes nothing that was asked");
  checkNotices(watch, counting, count);
}

function countAfter(before: number, state: string): number {
  if (state === "completed") return 0;
  return isFailure(state) ? before + 1 : before;
}

function isFailure(state: string): boolean {
  return state === "failed" || state === "interrupted";
}

/** What the owner is told of failures: at their numbers, and once. */
function checkNotices({ notes, marks }: Watch, counting: Counting, count: number): void {
  const { plan, edit, state, unit } = counting;
  const { notifyAfterFailures: notify, disableAfterFailures: disable } = plan.body;
  const { isNotified: isTold } = plan.outcome;
  const told = (mark: string, due: boolean, invariant: string): void => {
    const said = timesSaid(unit, mark);
    if (said > 0) marks.reached(`said ${mark}`);
    const tell = (): string => JSON.stringify([state, unit, plan]);
    demand(notes, said === Number(due), invariant, tell);
  };
  const isFailing = notify > 0 && (count === notify || (count > notify && !isTold));
  told("❌", isFailure(state) && isFailing, "failures are told exactly at their number");
  told("✅", state === "completed" && isTold, "recovery is told, once");
  if ("ends" in edit) return;
  const isDisabled = disable > 0 && count >= disable && plan.state !== "disabled";
  told("⛔", isFailure(state) && isDisabled, "it is told that it was disabled, once");
}

function timesSaid({ consequences }: SettleOf<Shape>, mark: string): number {
  const drafts = (consequences?.append ?? []).filter((draft) => is(notificationKind, draft));
  return drafts.filter(({ body }) => body.message.startsWith(mark)).length;
}
