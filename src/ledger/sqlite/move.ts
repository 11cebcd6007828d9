import type { Move } from "../work-unit.ts";
import { upTo, type Statements } from "./statements.ts";

/** Parks a lane's waiting records, or frees them. */
export function moving(sql: Statements, hint: (queue: string) => void): (move: Move) => number {
  const ofPriority = (priority: number): string => `
    select * from (
      select id, wake_at, max(ready_at, ?3) as to_at from due
      where queue = ?1 and lane = ?2 and priority = ${priority} and holder is null
        and wake_at <> max(ready_at, ?3)
      order by wake_at, id ${upTo("?4")})`;
  const find = sql.all<{ id: number; wakeAt: number; toAt: number }>(`
    select id, wake_at as wakeAt, to_at as toAt
    from (${[0, 1, 2].map(ofPriority).join(" union all ")})
    order by wake_at, id ${upTo("?4")}`);
  const place = sql.run(`update due set wake_at = ? where id = ?`);
  return ({ queue, lane, to, limit }) => {
    const found = find(queue, lane, to, limit);
    for (const { id, toAt } of found) place(toAt, id);
    if (found.some(({ wakeAt, toAt }) => toAt < wakeAt)) hint(queue);
    return found.length;
  };
}
