import type { Cancel, Cancelled, Who } from "../../kernel/unit.ts";
import { find } from "./find.ts";
import { lapse } from "./lapse.ts";
import { enter, type Model } from "./model.ts";
import { ended, isLeased } from "./row.ts";

/** What cancelling comes to, and whether it was a change. */
export interface Cancelling {
  readonly result: Cancelled["result"];
  readonly wrote: boolean;
}

export function cancelOne(model: Model, who: Who, { id, reason }: Cancel): Cancelling {
  const row = find(model, who.owner, id);
  const what = { by: who.by, note: reason };
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  if (!isLeased(row, model.now)) {
    enter(model, ended(lapse(model, row), "cancelled", model.now), { what: "cancelled", ...what });
    return { result: "cancelled", wrote: true };
  }
  if (row.cancelling) return { result: "cancelling", wrote: false };
  const request = { ...row, cancelling: true, revision: row.revision + 1 };
  enter(model, request, { what: "cancelling", ...what });
  return { result: "cancelling", wrote: true };
}
