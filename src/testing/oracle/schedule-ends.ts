import type { Edit, Consequences } from "../../kernel/unit.ts";
import { firesBetween } from "../../time/cadence.ts";
import type { Watch } from "./calls.ts";
import { demand } from "./notes.ts";
import { rowsOf, withoutOwed } from "./slots.ts";

/** A call is on its way for so long at most: what came meanwhile nobody could know of. */
const slowMsMax = 21_000;

export function isCancelled(id: string, consequences: Consequences | undefined): boolean {
  return consequences?.cancel?.some((each) => each.id === id) === true;
}

/** A unit that ends a schedule decides what came before, and nothing else. */
export function takeScheduleEnd(
  watch: Watch,
  edit: Edit,
  consequences: Consequences | undefined,
): void {
  const { notes, marks } = watch;
  const { id } = edit;
  const plan = notes.plans.get(id);
  if (plan === undefined || !("ends" in edit || isCancelled(id, consequences))) return;
  if (plan.atWork.size > 0) marks.reached("deleted during a run");
  const others = withoutOwed(watch, plan, rowsOf(id, consequences));
  const tell = (): string => JSON.stringify(others);
  demand(notes, others.length === 0, "an end decides what came before it, and no more", tell);
  checkScheduleEnd(watch, id);
}

/** A schedule that ends leaves no slot without a row. */
export function checkScheduleEnd({ notes, now }: Watch, id: string): void {
  const plan = notes.plans.get(id);
  if (plan === undefined) return;
  const { state, body, outcome, owed } = plan;
  const until = state === "disabled" ? 0 : now() - slowMsMax;
  const { fires } = firesBetween(body.cadence, outcome.cursor, until, 1);
  const isDecided = owed.size === 0 && fires.length === 0;
  const tell = (): string => `${id}: ${JSON.stringify([plan, [...owed], fires])}`;
  demand(notes, isDecided, "no schedule ends without a row for each slot that came", tell);
}
