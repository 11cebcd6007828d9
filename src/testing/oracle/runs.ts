import { notificationKind } from "../../features/notifications/kind.ts";
import { type ScheduleKind, scheduleKind } from "../../features/schedules/kind.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import type { Job } from "../../features/tasks/runner.ts";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import { type EditOf, isEdit } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { checkInvariant, factsOf } from "./model.ts";
import { checkLease } from "./sends.ts";
import type { SchedulePlan } from "./slots.ts";

/** A task that was handed out: which schedule it is of. */
export function recordRun({ model }: Watch, record: Claimed): void {
  if (!is(taskKind, record)) return;
  const { slot } = (record as Claimed<TaskKind>).body;
  if (slot === undefined || model.runs.has(record.id)) return;
  model.runs.set(record.id, { schedule: slot.schedule, starts: 0 });
}

/** A run begins on a node. */
export function watchRun(watch: Watch, process: VirtualProcess, { id, slot }: Job): void {
  const { model, marks } = watch;
  const known = model.runs.get(id);
  const plan = model.plans.get(slot?.schedule ?? "");
  const detail = (): string => `${process.name} runs ${id}: ${JSON.stringify(slot)}`;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, detail);
  must(known !== undefined, "only a claimed task is run");
  if (known === undefined || plan === undefined || slot === undefined) return;
  marks.reached(`a run started for ${slot.because}`);
  checkLease(watch, factsOf(model, id), process);
  known.starts += 1;
  must(
    slot.because === "run now" || slot.at <= model.storeNowMax,
    "nothing is sent or run before its time",
  );
  must(slot.rerun || known.starts === 1, "the run of a slot starts at most once");
  const who = { owner: factsOf(model, id).owner, by: "oracle" };
  if (slot.because !== "run now") {
    const first = plan.runs.get(slot.at) ?? id;
    plan.runs.set(slot.at, id);
    // A backfill may run again what was forgotten: its name went with it.
    const isForgotten = watch.engine.get({ who, id: first }) === undefined;
    must(first === id || isForgotten, "one task runs a slot");
  }
  const others = [...plan.atWork].filter((other) => other !== id);
  const live = others.filter((other) => watch.engine.get({ who, id: other })?.endedAt === null);
  if (others.length > 0) marks.reached("a run started while another may be running");
  must(plan.mayOverlap || live.length === 0, "runs overlap only if the schedule allows it");
  plan.atWork.add(id);
}

/** A run's lease ends. What it counts for stands in the same unit. */
export function watchRunEnd(watch: Watch, facts: Facts, unit: SettleOf<Shape>): void {
  const { model, marks } = watch;
  const plan = model.plans.get(model.runs.get(facts.id)?.schedule ?? "");
  if (plan === undefined) return;
  plan.atWork.delete(facts.id);
  const who = { owner: facts.owner, by: "oracle" };
  const record = watch.engine.get({ who, id: facts.id });
  if (record === undefined) return;
  if (is(taskKind, record) && record.outcome?.ended) marks.reached("the end of a run was kept");
  if (record.endedAt === null) return;
  marks.reached(`run ${record.state}`);
  const edit = unit.consequences?.edit?.find((each) => isEdit(scheduleKind, each));
  if (edit !== undefined) return checkCount(watch, { plan, edit, state: record.state, unit });
  if (record.state !== "cancelled" || "ends" in unit) checkUncounted(watch, facts, unit);
}

/** It counts for nothing because its schedule is gone. */
function checkUncounted({ model, marks, engine }: Watch, facts: Facts, unit: unknown): void {
  const id = model.runs.get(facts.id)?.schedule ?? "";
  const schedule = engine.get({ who: { owner: facts.owner, by: "oracle" }, id });
  const isOver = schedule === undefined || schedule.endedAt !== null;
  if (isOver) marks.reached("a run outlived its schedule");
  checkInvariant(model, isOver, "the end of every run is counted", () => JSON.stringify(unit));
}

interface Counting {
  plan: SchedulePlan;
  edit: EditOf<ScheduleKind>;
  state: string;
  unit: SettleOf<Shape>;
}

function checkCount(watch: Watch, counting: Counting): void {
  const { plan, edit, state, unit } = counting;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(watch.model, holds, invariant, () => JSON.stringify([state, unit, plan]));
  const count = countAfter(plan.outcome.consecutiveFailures, state);
  const { outcome } = edit;
  must(outcome?.consecutiveFailures === count, "counters equal the runs' ends");
  must(outcome?.lastRunState === state, "counters equal the runs' ends");
  must(outcome?.cursor === plan.outcome.cursor, "the end of a run does not move the cursor");
  must(edit.body === undefined, "the end of a run does not edit its schedule");
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
function checkNotices({ model, marks }: Watch, counting: Counting, count: number): void {
  const { plan, edit, state, unit } = counting;
  const { notifyAfterFailures: notify, disableAfterFailures: disable } = plan.body;
  const { isNotified } = plan.outcome;
  const checkNotice = (mark: string, due: boolean, invariant: string): void => {
    const sent = noticeCount(unit, mark);
    if (sent > 0) marks.reached(`a run notice was sent: ${mark}`);
    const detail = (): string => JSON.stringify([state, unit, plan]);
    checkInvariant(model, sent === Number(due), invariant, detail);
  };
  const isFailing = notify > 0 && (count === notify || (count > notify && !isNotified));
  checkNotice(
    "❌",
    isFailure(state) && isFailing,
    "a failure notice is sent at the configured count",
  );
  checkNotice("✅", state === "completed" && isNotified, "recovery is reported once");
  if ("ends" in edit) return;
  const isDisabled = disable > 0 && count >= disable && plan.state !== "disabled";
  checkNotice("⛔", isFailure(state) && isDisabled, "a disabled schedule is reported once");
}

function noticeCount({ consequences }: SettleOf<Shape>, mark: string): number {
  const drafts = (consequences?.append ?? []).filter((draft) => is(notificationKind, draft));
  return drafts.filter(({ body }) => body.message.startsWith(mark)).length;
}
