import type { Move, Prune } from "../../kernel/work-unit.ts";
import { priorityNumbers } from "../sql/row.ts";
import type { Session } from "./transactions.ts";

/** Parks a lane's waiting records, or frees them. A row that another transaction has locked is skipped. */
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

/** Deletes ended records with their history, output and keys. */
export async function pruneEnded(session: Session, prune: Prune): Promise<number> {
  const { endedBefore, limit, endedFrom = 0, of } = prune;
  const now = await session.now();
  const [pruned] = await session.query(
    `with gone as materialized (
       select e.at, e.id, r.kind, r.owner, r.key
       from daybook.ended e join daybook.record r on r.id = e.id
       where e.at < $1 and e.at >= $3 and ($4::text is null or exists (
         select 1 from json_to_recordset($4::text::json) as o (kind text, has text)
         where o.kind = r.kind and case when o.has is null then true else
           coalesce(json_typeof(daybook.plain_json(r.body) -> o.has), 'null') <> 'null' end))
       order by e.at, e.id limit $2 for update of e skip locked),
     k as (
       -- A key that has not expired stays: the sweep deletes it later.
       update daybook.key k set sweep_at = coalesce(k.until, 0) from gone
       where k.kind = gone.kind and k.owner = gone.owner and k.name = gone.key),
     h as (delete from daybook.history h using gone where h.id = gone.id),
     c as (delete from daybook.chunk c using gone where c.id = gone.id),
     r as (delete from daybook.record r using gone where r.id = gone.id),
     e as (delete from daybook.ended e using gone where e.at = gone.at and e.id = gone.id)
     select count(*) as count from gone`,
    [endedBefore, limit, endedFrom, of === undefined ? null : JSON.stringify(of)],
  );
  await session.query(
    `delete from daybook.key k where sweep_at <= $1
       and not exists (select 1 from daybook.record r where r.uid = k.uid)`,
    [now],
  );
  return Number(pruned?.["count"] ?? 0);
}
