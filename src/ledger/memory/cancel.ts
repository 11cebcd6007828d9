import type { Cancel, Cancelled, CancelOne } from "../../rules/unit.ts";
import type { Who } from "../verbs.ts";
import { find } from "./find.ts";
import { lapse } from "./lapse.ts";
import { enter, type Model } from "./model.ts";
import { ended, isLeased, type Row } from "./row.ts";

/** What cancelling comes to, and whether it was a change. */
export interface Cancelling {
  readonly result: Cancelled["result"];
  readonly wrote: boolean;
}

export function cancelOne(model: Model, who: Who, { id, reason }: CancelOne): Cancelling {
  const row = find(model, who.owner, id);
  const what = { by: who.by, note: reason };
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  if (!isLeased(row, model.now)) {
    enter(model, ended(lapse(model, row), "cancelled", model.now), { what: "cancelled", ...what });
    return { result: "cancelled", wrote: true };
  }
  if (row.cancelling) return { result: "cancelling", wrote: false };
  const asked = { ...row, cancelling: true, revision: row.revision + 1 };
  enter(model, asked, { what: "cancelling", ...what });
  return { result: "cancelling", wrote: true };
}

/** Cancels one record, or every live record under it. */
export function cancel(model: Model, who: Who, asked: Cancel): void {
  if ("id" in asked) {
    cancelOne(model, who, asked);
    return;
  }
  const { under, ...why } = asked;
  for (const { id } of descendants(model, find(model, who.owner, under))) {
    cancelOne(model, who, { id, ...why });
  }
}

/** Its children in the order of appending, then theirs, level by level. */
function descendants(model: Model, root: Row): readonly Row[] {
  const own = [...model.rows.values()].filter(({ owner }) => owner === root.owner);
  const children = Map.groupBy(own, ({ parent }) => parent);
  // The set grows while it is walked. Ids that callers give can close a circle of parents.
  const found = new Set([root]);
  for (const { id } of found) for (const child of children.get(id) ?? []) found.add(child);
  found.delete(root);
  return [...found];
}
