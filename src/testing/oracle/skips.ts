import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { ErrorData } from "../../platform/errors.ts";
import { dayOf } from "../../time/zone.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Works } from "./facts.ts";
import { demand, type Notes } from "./notes.ts";
import type { Plan } from "./slots.ts";

/** One slot that was decided. */
export interface Row {
  plan: Plan;
  draft: DraftOf<TaskKind>;
  at: number;
  /** The newest slot of the unit. */
  newest: number;
  works: Works;
  /** Of the claim in which it was decided. */
  fence: number;
}

/** The store would not give a run its name: then another has it. */
export function takeRefusal(watch: Watch, facts: Facts, error: ErrorData): void {
  const plan = watch.notes.plans.get(facts.id);
  if (plan === undefined || error.code !== "held") return;
  plan.heldAt = facts.fence;
  const id = String(error.details?.["holder"]);
  const holder = watch.engine.get({ who: { owner: facts.owner, by: "oracle" }, id });
  const isRun = is(taskKind, holder) && holder.endedAt === null && holder.parent === facts.id;
  demand(watch.notes, isRun, "a run is held up by another of its schedule", () => id);
}

/** What is skipped had to be, and what runs may. */
export function checkSkip(notes: Notes, row: Row, became: string): void {
  const { plan, at } = row;
  const { overlap, misfire } = plan.body;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => JSON.stringify([row.draft, plan]));
  if (became === "skipped overlap") {
    must(overlap !== "allow", "what may overlap is not skipped");
    must(plan.heldAt === row.fence, "what is skipped for another had one at work");
  }
  const { runsPerDay = Infinity } = plan.body.budget ?? {};
  const used = runsPerDay === Infinity ? 0 : usedToday(row);
  if (became === "skipped budget") must(used >= runsPerDay, "what is not used up is used");
  if (became !== "runs") return;
  must(used < runsPerDay, "no day has more runs than it may");
  plan.used.runs += 1;
  if (overlap === "queue" && misfire !== "all") plan.queued.add(at);
}

function usedToday({ plan, works }: Row): number {
  const { cadence } = plan.body;
  const day = dayOf(works.claimedStoreAt, "zone" in cadence ? cadence.zone : "UTC");
  if (plan.used.day < day) plan.used = { day, runs: 0 };
  return plan.used.runs;
}

/** At most one run waits for the one at work. */
export function checkQueue(watch: Watch, { id, owner }: Facts, { queued }: Plan): void {
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
  if (waiting.length === 1) watch.marks.reached("a run waits for the one at work");
  const tell = (): string => waiting.map((task) => task.id).join(", ");
  demand(watch.notes, waiting.length < 2, "one run waits for the one at work", tell);
}
