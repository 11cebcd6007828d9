import type { Move } from "../../kernel/work-unit.ts";
import { priorityNumbers } from "../sql/row.ts";
import { upTo, type Statements } from "./statements.ts";

interface Found {
  id: number;
  toAt: number;
}

/** Parks a lane's waiting records, or frees them. */
export function moving(sql: Statements, hint: (queue: string) => void): (move: Move) => number {
  const { wakingBefore, parkedAfter } = finders(sql);
  const place = sql.run(`update due set wake_at = ? where id = ?`);
  return ({ queue, lane, to, limit }) => {
    const later = wakingBefore(queue, lane, to, limit);
    const sooner = parkedAfter(queue, lane, to, limit - later.length);
    for (const { id, toAt } of [...later, ...sooner]) place(toAt, id);
    if (sooner.length > 0) hint(queue);
    return later.length + sooner.length;
  };
}

/** Both are walks of an index, however many records of the lane wait for a later time of their own. */
function finders(sql: Statements): {
  wakingBefore(...params: (string | number)[]): readonly Found[];
  parkedAfter(...params: (string | number)[]): readonly Found[];
} {
  const ofPriority = (priority: number): string => `
    select * from (
      select id, wake_at, max(ready_at, ?3) as toAt from due
      where queue = ?1 and lane = ?2 and priority = ${priority} and wake_at < ?3 and holder is null
      order by wake_at, id ${upTo("?4")})`;
  return {
    wakingBefore: sql.all<Found>(`
      select id, toAt from (${priorityNumbers.map(ofPriority).join(" union all ")})
      order by wake_at, id ${upTo("?4")}`),
    parkedAfter: sql.all<Found>(`
      select id, max(ready_at, ?3) as toAt from due indexed by due_parked
      where queue = ?1 and lane = ?2 and wake_at > ?3 and wake_at > ready_at and holder is null
      order by wake_at, id ${upTo("?4")}`),
  };
}
