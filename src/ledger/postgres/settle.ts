import type { Ids } from "../../base/ids.ts";
import type { Kind } from "../../rules/kinds.ts";
import type { Settle, Settled, SettleOf } from "../work-unit.ts";
import { settleOne } from "./settle-one.ts";
import type { Session } from "./transactions.ts";
import { refusing, type Run } from "./units.ts";

/** Its own record only: many such go in one statement. */
export function isPlainSettle(unit: Settle): boolean {
  return !("unstarted" in unit) && unit.follows === undefined && unit.holds === undefined;
}

/** Ends leases. What one statement left (stale, moved, cancelling) is looked at one by one. */
export async function settleRun(
  session: Session,
  { plain, units }: Run<Settle>,
  ids: Ids,
): Promise<readonly Settled[]> {
  const done = plain ? await settlePlain(session, units) : new Map<number, number>();
  const answers: Settled[] = [];
  for (const [n, unit] of units.entries()) {
    const revision = done.get(n);
    if (revision === undefined) {
      answers.push(await refusing(session, () => settleOne(session, unit, ids)));
    } else {
      answers.push({ result: "settled", revision });
    }
  }
  return answers;
}

/** Answers the new revision of each unit that it settled, by place. */
export async function settlePlain(
  session: Session,
  units: readonly Settle[],
): Promise<ReadonlyMap<number, number>> {
  const fields = units.map((unit, n) => fieldsOf(unit as SettleOf<Kind>, n));
  const found = await session.query(settle, [JSON.stringify(fields)]);
  for (const { queue, sooner } of found) if (sooner === true) session.hint(String(queue));
  return new Map(found.map(({ n, revision }) => [Number(n), Number(revision)]));
}

// The due rows are locked in the order of their ids and their fences looked at; then the update of the
// record decides, because it alone sees a revision that was committed while we waited. All the rest
// follows from that update. One row after the other (lateral), whatever the planner thinks of holders.
const settle = `
  with clock as (select daybook.now_ms() as now),
  u as materialized (
    select u.*, now from clock, json_to_recordset($1::text::json) as u (
      n int, uid text, fence bigint, revision int, ends text, state text, wake_at bigint,
      fresh_start boolean, outcome text, note text, queue text)),
  x as materialized (
    select u.*, r.id from u join daybook.record r on r.uid = u.uid order by r.id),
  c as materialized (
    select x.n, x.now, x.revision, x.ends, x.state, x.outcome, x.note, x.queue, d.id, d.fence, d.holder,
      d.claimed_at, d.attempt, d.wake_at as lease_at, d.queue as queue_before,
      case when x.fresh_start then 0 else d.attempt end as next_attempt,
      case when x.fresh_start then 0 else d.lapses end as next_lapses,
      case when x.ends is null then greatest(x.now, least(x.wake_at, d.woken_at)) end as at,
      x.ends is null and (x.wake_at is not null or d.woken_at is not null) as stays
    from x, lateral (select * from daybook.due where due.id = x.id for update) d
    where d.fence = x.fence and d.holder is not null),
  r as (
    update daybook.record r set state = coalesce(c.ends, c.state), revision = r.revision + 1,
      outcome = coalesce(c.outcome, r.outcome), queue = coalesce(c.queue, r.queue),
      attempt = c.next_attempt, lapses = c.next_lapses, fence = c.fence, updated_at = c.now,
      ended_at = case when c.ends is not null then c.now end
    from c where r.id = c.id and r.revision = c.revision and (c.ends is not null or not r.cancelling)
    returning r.id, r.owner, r.state, r.revision, r.queue, c.n, c.now, c.ends, c.stays,
      c.at, c.next_attempt, c.next_lapses, c.attempt, c.holder, c.claimed_at, c.note, c.lease_at,
      c.queue_before),
  gone as (delete from daybook.due d using r where d.id = r.id and not r.stays),
  back as (
    update daybook.due d set queue = r.queue, wake_at = r.at, ready_at = r.at, woken_at = null, holder = null, claimed_at = null, attempt = r.next_attempt,
      lapses = r.next_lapses
    from r where d.id = r.id and r.stays),
  freed as (delete from daybook.hold h using r where h.id = r.id and r.ends is not null),
  e as (insert into daybook.ended (at, id) select now, id from r where ends is not null),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
    select id, owner, 'settled', state, revision, attempt, now, holder, claimed_at, note from r order by n)
  select n, revision, queue, stays and (at < lease_at or queue <> queue_before) as sooner from r`;

function fieldsOf(unit: SettleOf<Kind>, n: number): Record<string, unknown> {
  const ends = "ends" in unit;
  return {
    n,
    uid: unit.id,
    fence: unit.fence,
    revision: unit.revision,
    ends: ends ? unit.ends : undefined,
    state: ends ? undefined : unit.state,
    wake_at: ends ? undefined : unit.wakeAt,
    fresh_start: !ends && unit.freshStart === true,
    outcome: unit.outcome === undefined ? undefined : JSON.stringify(unit.outcome),
    note: unit.note,
    queue: unit.queue,
  };
}
