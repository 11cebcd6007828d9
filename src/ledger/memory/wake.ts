import type { Wake } from "../../rules/unit.ts";
import type { Who } from "../verbs.ts";
import { find } from "./find.ts";
import { put, type Model } from "./model.ts";
import { isClaimed, notBefore } from "./row.ts";

/** Somebody must look at a live record, at a time or sooner. */
export function wake(model: Model, who: Who, asked: Wake): void {
  const row = find(model, who.owner, asked.id);
  if (row.endedAt !== null) return;
  const at = notBefore(model.now, asked.at ?? model.now);
  if (isClaimed(row)) {
    put(model, { ...row, wokenAt: Math.min(at, row.wokenAt ?? at) });
  } else {
    const wakeAt = Math.min(at, row.wakeAt ?? at);
    put(model, { ...row, wakeAt, readyAt: wakeAt });
  }
}
