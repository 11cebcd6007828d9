import type { AnyRecord, Claimed } from "../../kernel/record.ts";
import type { Claim, ClaimInput } from "../../kernel/work-unit.ts";
import { cancelled } from "../sql/change.ts";
import { type FullSqlRow, priorityNumbers, recordOf } from "../sql/row.ts";
import { fullColumns, fullRowOf } from "./rows.ts";
import { upTo, type Statements } from "./statements.ts";
import type { Tables } from "./tables.ts";

/** Leases due records. Only the narrow due row is written, unless an earlier lease had lapsed. */
export function prepareClaim(
  sql: Statements,
  { rows, history }: Tables,
): (request: ClaimInput, now: number) => Claim {
  const { due, nextWakeAt } = dueQueries(sql);
  const lease = sql.run(`
    update due set holder = ?, claimed_at = ?, wake_at = ?, woken_at = null, attempt = attempt + 1,
      fence = fence + 1
    where id in (select value from json_each(?))`);

  const claimed = (row: FullSqlRow, { holder, leaseMs }: ClaimInput, now: number): AnyRecord => {
    const fresh = history.lapse(row, now);
    if (row.holder !== null) rows.save(row, { ...fresh, updatedAt: now });
    const counted = { attempt: row.attempt + 1, fence: row.fence + 1 };
    const leased = { holder, claimedAt: now, wakeAt: now + leaseMs, wokenAt: null };
    const updatedAt = row.holder === null ? row.updatedAt : now;
    return recordOf({ ...row, ...fresh, ...counted, ...leased, updatedAt });
  };
  const endCancelled = (row: FullSqlRow, by: string, now: number): void => {
    const after = cancelled(history.lapse(row, now), now);
    rows.save(row, after);
    history.add(after, { what: "cancelled", by, at: now });
  };
  return (request, now) => {
    const records: AnyRecord[] = [];
    const order = request.lowFirst ? priorityNumbers.toReversed() : [...priorityNumbers];
    for (let priority = order.shift(); priority !== undefined && records.length < request.limit;) {
      const found = due(request, priority, now, request.limit - records.length);
      const ids = found.flatMap(({ id, cancelling }) => (cancelling ? [] : [id]));
      for (const row of found) {
        if (row.cancelling) endCancelled(row, request.holder, now);
        else records.push(claimed(row, request, now));
      }
      if (ids.length > 0) lease(request.holder, now, now + request.leaseMs, JSON.stringify(ids));
      // Records that ended here do not count, so there may be more that are due.
      if (ids.length === found.length) priority = order.shift();
    }
    return { records: records as Claimed[], now, nextWakeAt: nextWakeAt(request) };
  };
}

/** One query per priority: each reads the index from its start, and stops when the batch is full. */
function dueQueries(sql: Statements): {
  due(request: ClaimInput, priority: number, now: number, limit: number): readonly FullSqlRow[];
  nextWakeAt(request: ClaimInput): number | null;
} {
  const select = (where: string): string => `
    select ${fullColumns} from due d join record r on r.id = d.id
    where ${where} and d.priority = ? and d.wake_at <= ? order by d.wake_at, d.id ${upTo("?")}`;
  const dueInQueue = sql.all(select(`d.queue = ?`), fullRowOf);
  const dueInLane = sql.all(select(`d.queue = ? and d.lane = ?`), fullRowOf);
  const others = (lane: string, list: string): string =>
    `(${lane} is null or ${lane} not in (select value from json_each(${list})))`;
  const dueInOthers = sql.all(select(`d.queue = ? and ${others("d.lane", "?")}`), fullRowOf);

  const smallest = (where: string): string => {
    const ofPriority = (priority: number): string =>
      `select min(wake_at) as wake_at from due where ${where} and priority = ${priority}`;
    const all = priorityNumbers.map(ofPriority).join(" union all ");
    return `select min(wake_at) as at from (${all})`;
  };
  const nextInQueue = sql.one<{ at: number | null }>(smallest(`queue = ?1`));
  const nextInLane = sql.one<{ at: number | null }>(smallest(`queue = ?1 and lane = ?2`));
  const nextInOthers = sql.one<{ at: number | null }>(
    smallest(`queue = ?1 and ${others("lane", "?2")}`),
  );

  return {
    due({ kind, queue = kind, lane, except = [] }, priority, now, limit) {
      if (lane !== undefined) return dueInLane(queue, lane, priority, now, limit);
      if (except.length === 0) return dueInQueue(queue, priority, now, limit);
      return dueInOthers(queue, JSON.stringify(except), priority, now, limit);
    },
    nextWakeAt({ kind, queue = kind, lane, except = [] }) {
      if (lane !== undefined) return nextInLane(queue, lane)?.at ?? null;
      if (except.length === 0) return nextInQueue(queue)?.at ?? null;
      return nextInOthers(queue, JSON.stringify(except))?.at ?? null;
    },
  };
}
