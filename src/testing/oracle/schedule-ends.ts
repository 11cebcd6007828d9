import type { Edit, Consequences } from "../../kernel/unit.ts";
import { firesBetween } from "../../time/cadence.ts";
import type { Watch } from "./calls.ts";
import { checkInvariant } from "./model.ts";
import { rowsOf, withoutBacklog } from "./slots.ts";

/** A call is on its way for so long at most: what came meanwhile nobody could know of. */
const slowMsMax = 21_000;

export function isCancelled(id: string, consequences: Consequences | undefined): boolean {
  return consequences?.cancel?.some((each) => each.id === id) === true;
}

/** A unit that ends a schedule decides what came before, and nothing else. */
export function recordScheduleEnd(
  watch: Watch,
  edit: Edit,
  consequences: Consequences | undefined,
): void {
  const { model, marks } = watch;
  const { id } = edit;
  const plan = model.plans.get(id);
  if (plan === undefined || !("ends" in edit || isCancelled(id, consequences))) return;
  if (plan.atWork.size > 0) marks.reached("a schedule was deleted during a run");
  const others = withoutBacklog(watch, plan, rowsOf(id, consequences));
  const detail = (): string => JSON.stringify(others);
  checkInvariant(
    model,
    others.length === 0,
    "ending a schedule decides its due slots only",
    detail,
  );
  checkScheduleEnd(watch, id);
}

/** A schedule that ends leaves no slot without a row. */
export function checkScheduleEnd({ model, now }: Watch, id: string): void {
  const plan = model.plans.get(id);
  if (plan === undefined) return;
  const { state, body, outcome, backlog } = plan;
  const until = state === "disabled" ? 0 : now() - slowMsMax;
  const { fires } = firesBetween(body.cadence, outcome.cursor, until, 1);
  const isDecided = backlog.size === 0 && fires.length === 0;
  const detail = (): string => `${id}: ${JSON.stringify([plan, [...backlog], fires])}`;
  checkInvariant(model, isDecided, "a schedule ends with a row for each due slot", detail);
}
