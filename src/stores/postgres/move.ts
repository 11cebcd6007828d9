import type { Move } from "../../kernel/work-unit.ts";
import { priorityNumbers } from "../sql/row.ts";
import type { Session } from "./transactions.ts";

/** Parks a lane's waiting records, or frees them. A row that another writes right now is left. */
export async function moveLane(session: Session, move: Move): Promise<number> {
  const { queue, lane, to, limit } = move;
  const [moved] = await session.query(text, [queue, lane, to, limit]);
  if (moved?.["sooner"] === true) session.hint(queue);
  return Number(moved?.["count"] ?? 0);
}

const ofPriority = (priority: number): string => `
  select * from (
    select id, wake_at, greatest(ready_at, $3::bigint) as to_at from daybook.due
    where queue = $1 and lane = $2 and priority = ${priority} and holder is null
      and wake_at <> greatest(ready_at, $3::bigint)
    order by wake_at, id limit $4 for update skip locked) p${priority}`;

const text = `
  with f as materialized (
    select * from (${priorityNumbers.map(ofPriority).join(" union all ")}) found
    order by wake_at, id limit $4),
  moved as (
    update daybook.due d set wake_at = f.to_at from f where d.id = f.id
    returning f.to_at < f.wake_at as sooner)
  select count(*) as count, bool_or(sooner) as sooner from moved`;
