import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { ErrorData } from "../../platform/errors.ts";
import { dayOf } from "../../time/zone.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type ProcessWork } from "./facts.ts";
import { checkInvariant, type Model } from "./model.ts";
import type { SchedulePlan } from "./slots.ts";

/** One slot that was decided. */
export interface Row {
  plan: SchedulePlan;
  draft: DraftOf<TaskKind>;
  at: number;
  /** The newest slot of the unit. */
  newestContent: number;
  work: ProcessWork;
  /** Of the claim in which it was decided. */
  fence: number;
}

/** The store would not give a run its name: then another has it. */
export function recordRefusal(watch: Watch, facts: Facts, error: ErrorData): void {
  const plan = watch.model.plans.get(facts.id);
  if (plan === undefined || error.code !== "held") return;
  plan.heldAt = facts.fence;
  const id = String(error.details?.["holder"]);
  const holder = watch.engine.get({ who: { owner: facts.owner, by: "oracle" }, id });
  const isRun = is(taskKind, holder) && holder.endedAt === null && holder.parent === facts.id;
  checkInvariant(watch.model, isRun, "a run waits only for another run of its schedule", () => id);
}

/** What is skipped had to be, and what runs may. */
export function checkSkip(model: Model, row: Row, became: string): void {
  const { plan, at } = row;
  const { overlap, misfire } = plan.body;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => JSON.stringify([row.draft, plan]));
  if (became === "skipped overlap") {
    must(overlap !== "allow", "a slot that may overlap is not skipped");
    must(plan.heldAt === row.fence, "a slot is skipped for overlap only during another run");
  }
  const { runsPerDay = Infinity } = plan.body.budget ?? {};
  const used = runsPerDay === Infinity ? 0 : usedToday(row);
  if (became === "skipped budget")
    must(used >= runsPerDay, "a slot is skipped for the budget only when it is used up");
  if (became !== "runs") return;
  must(used < runsPerDay, "a day does not exceed its budget of runs");
  plan.used.runs += 1;
  if (overlap === "queue" && misfire !== "all") plan.queued.add(at);
}

function usedToday({ plan, work }: Row): number {
  const { cadence } = plan.body;
  const day = dayOf(work.claimedStoreAt, "zone" in cadence ? cadence.zone : "UTC");
  if (plan.used.day < day) plan.used = { day, runs: 0 };
  return plan.used.runs;
}

/** At most one run waits for the one at work. */
export function checkQueue(watch: Watch, { id, owner }: Facts, { queued }: SchedulePlan): void {
  if (queued.size === 0) return;
  const query = { kind: taskKind.name, parent: id, live: true, limit: 500 } as const;
  const { records } = watch.engine.list({ who: { owner, by: "oracle" }, query });
  const waiting = records.filter(
    (task) =>
      is(taskKind, task) &&
      task.outcome?.hasTurn !== true &&
      task.body.slot?.because === "cadence" &&
      queued.has(task.body.slot.at),
  );
  if (waiting.length === 1) watch.marks.reached("a run waits for the current run");
  const detail = (): string => waiting.map((task) => task.id).join(", ");
  checkInvariant(
    watch.model,
    waiting.length < 2,
    "at most one run waits for the current run",
    detail,
  );
}
