import type { Priority } from "../../rules/record.ts";
import type { Claim, ClaimRequest } from "../work-unit.ts";
import { lapse } from "./lapse.ts";
import { enter, put, shelvesOf, type Model } from "./model.ts";
import { ended, toClaimed, type ClaimedRow, type Row } from "./row.ts";
import { first, firstDue } from "./shelf.ts";

const highFirst: readonly Priority[] = ["high", "normal", "low"];
const lowFirst: readonly Priority[] = highFirst.toReversed();

export function claim(model: Model, request: ClaimRequest): Claim {
  const { now } = model;
  const shelves = shelvesOf(model, request.queue ?? request.kind, request.lane ?? null);
  const order = request.lowFirst ? lowFirst : highFirst;
  const claimed: ClaimedRow[] = [];
  for (const shelf of order.map((priority) => shelves[priority])) {
    let due = firstDue(shelf, now);
    while (due && claimed.length < request.limit) {
      const row = lapse(model, due);
      if (row.cancelling) endCancelled(model, row, request.holder);
      else claimed.push(lease(model, row, request));
      due = firstDue(shelf, now);
    }
  }
  const wakes = order.flatMap((priority) => first(shelves[priority])?.wakeAt ?? []);
  const nextWakeAt = wakes.length > 0 ? Math.min(...wakes) : null;
  return { records: claimed.map(toClaimed), now, nextWakeAt };
}

function lease(model: Model, row: Row, { holder, leaseMs }: ClaimRequest): ClaimedRow {
  const { now } = model;
  const claimed = {
    ...row,
    lease: { holder, claimedAt: now },
    wakeAt: now + leaseMs,
    wokenAt: null,
    fence: row.fence + 1,
    attempt: row.attempt + 1,
  };
  put(model, claimed);
  return claimed;
}

/** No new attempt starts after a cancel was asked. */
function endCancelled(model: Model, row: Row, by: string): void {
  enter(model, ended(row, "cancelled", model.now), { what: "cancelled", by });
}
