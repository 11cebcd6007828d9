import type { Keep, Kept } from "../../kernel/work-unit.ts";
import type { Session } from "./transactions.ts";

/** Many leases in one statement. */
export async function keepMany(session: Session, units: readonly Keep[]): Promise<readonly Kept[]> {
  const fields = units.map(({ id, fence, leaseMs, outcome, note }, n) => {
    const seen = outcome === undefined ? undefined : JSON.stringify(outcome);
    return { n, uid: id, fence, lease_ms: leaseMs, outcome: seen, note };
  });
  const found = await session.query(keep, [JSON.stringify(fields)]);
  for (const { queue, sooner } of found) if (sooner === true) session.hint(String(queue));
  const kept = new Map(found.map(({ n, cancelling }) => [Number(n), cancelling === true]));
  return units.map((_, n) => {
    const cancelling = kept.get(n);
    return cancelling === undefined ? { result: "stale" } : { result: "kept", cancelling };
  });
}

const keep = `
  with clock as (select daybook.now_ms() as now),
  u as materialized (
    select u.*, now from clock, json_to_recordset($1::text::json) as u (
      n int, uid text, fence bigint, lease_ms bigint, outcome text, note text)),
  x as materialized (
    select u.*, r.id, r.cancelling from u join daybook.record r on r.uid = u.uid order by r.id),
  c as materialized (
    select x.n, x.now, x.now + x.lease_ms as at, x.outcome, x.note, d.id, d.wake_at, d.queue, d.holder,
      d.attempt, x.cancelling
    from x, lateral (select * from daybook.due where due.id = x.id for update) d
    where d.fence = x.fence and d.holder is not null),
  d as (update daybook.due d set wake_at = c.at from c where d.id = c.id),
  r as (
    update daybook.record r set outcome = coalesce(c.outcome, r.outcome), updated_at = c.now
    from c where r.id = c.id and (c.outcome is not null or c.note is not null)
    returning r.id, r.owner, r.state, r.revision, c.n, c.attempt, c.now, c.holder, c.note),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, note)
    select id, owner, 'kept', state, revision, attempt, now, holder, note from r order by n)
  select n, cancelling, queue, at < wake_at as sooner from c`;
