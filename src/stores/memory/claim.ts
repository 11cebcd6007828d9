import { priorities } from "../../kernel/record.ts";
import type { Claim, ClaimInput } from "../../kernel/work-unit.ts";
import { firstDue } from "./due-index.ts";
import { lapse } from "./lapse.ts";
import { enter, put, shelvesOf, type Model, type Shelves } from "./model.ts";
import { ended, toClaimed, type ClaimedRow, type DueRow, type Row } from "./row.ts";

export function claim(model: Model, request: ClaimInput): Claim {
  const { now } = model;
  const shelves = shelvesOf(model, request.queue ?? request.kind, request.lane ?? null);
  const order = request.lowFirst ? priorities.toReversed() : priorities;
  const claimed: ClaimedRow[] = [];
  const except = new Set<string | null>(request.lane === undefined ? request.except : []);
  for (const priority of order) {
    const look = (): DueRow[] =>
      firstDue(shelves[priority], now, request.limit - claimed.length, except);
    // Records that ended here do not count, so there may be more to look at.
    for (let due = look(); due.length > 0; due = look()) {
      claimed.push(...due.flatMap((row) => take(model, row, request)));
    }
  }
  return { records: claimed.map(toClaimed), now, nextWakeAt: nextWake(shelves, except) };
}

function nextWake(shelves: Shelves, except: ReadonlySet<string | null>): number | null {
  let soonest = Infinity;
  for (const priority of priorities) {
    const [next] = firstDue(shelves[priority], Infinity, 1, except);
    soonest = Math.min(soonest, next?.wakeAt ?? Infinity);
  }
  return soonest === Infinity ? null : soonest;
}

/** The record under a lease; nothing when a cancel was asked under the one before. */
function take(model: Model, due: DueRow, request: ClaimInput): readonly ClaimedRow[] {
  const row = lapse(model, due);
  if (!row.cancelling) return [lease(model, row, request)];
  endCancelled(model, row, request.holder);
  return [];
}

function lease(model: Model, row: Row, { holder, leaseMs }: ClaimInput): ClaimedRow {
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
