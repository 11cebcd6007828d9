import { priorities } from "../../kernel/record.ts";
import type { Claim, ClaimInput } from "../../kernel/work-unit.ts";
import { type DueLists, dueLists, firstDue } from "./due-index.ts";
import { lapse, type Model, put, putChanged } from "./model.ts";
import { ended, toClaimed, type ClaimedRow, type DueRow, type Row } from "./row.ts";

export function claim(model: Model, request: ClaimInput): Claim {
  const { now } = model;
  const lists = dueLists(model.due, request.queue ?? request.kind, request.lane ?? null);
  const order = request.lowFirst ? priorities.toReversed() : priorities;
  const claimed: ClaimedRow[] = [];
  const except = new Set<string | null>(request.lane === undefined ? request.except : []);
  for (const priority of order) {
    const next = (): DueRow[] =>
      firstDue(lists[priority], now, request.limit - claimed.length, except);
    // Records that ended here do not count, so there may be more that are due.
    for (let due = next(); due.length > 0; due = next()) {
      claimed.push(...due.flatMap((row) => take(model, row, request)));
    }
  }
  return { records: claimed.map(toClaimed), now, nextWakeAt: nextWake(lists, except) };
}

function nextWake(lists: DueLists, except: ReadonlySet<string | null>): number | null {
  let soonest = Infinity;
  for (const priority of priorities) {
    const [next] = firstDue(lists[priority], Infinity, 1, except);
    soonest = Math.min(soonest, next?.wakeAt ?? Infinity);
  }
  return soonest === Infinity ? null : soonest;
}

/** The record under a lease; none when a cancel was requested under the lease before. */
function take(model: Model, due: DueRow, request: ClaimInput): readonly ClaimedRow[] {
  const row = lapse(model, due);
  if (!row.cancelling) return [lease(model, row, request)];
  endCancelled(model, row, request.holder);
  return [];
}

export function lease(
  model: Model,
  row: Row,
  { holder, leaseMs }: Pick<ClaimInput, "holder" | "leaseMs">,
): ClaimedRow {
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

function endCancelled(model: Model, row: Row, by: string): void {
  putChanged(model, ended(row, "cancelled", model.now), { what: "cancelled", by });
}
