import type { Wake, Who } from "../../kernel/unit.ts";
import { find } from "./find.ts";
import { put, type Model } from "./model.ts";
import { isClaimed } from "./row.ts";

/** Somebody must look at a live record now. */
export function wake(model: Model, who: Who, request: Wake): void {
  const row = find(model, who.owner, request.id);
  if (row.endedAt !== null) return;
  const { now } = model;
  if (isClaimed(row)) {
    put(model, { ...row, wokenAt: Math.min(now, row.wokenAt ?? now) });
  } else {
    const wakeAt = Math.min(now, row.wakeAt ?? now);
    put(model, { ...row, wakeAt, readyAt: wakeAt });
  }
}
