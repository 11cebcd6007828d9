import type { AnyRecord, Claimed } from "../../rules/record.ts";
import { recordOf } from "../sql-row.ts";
import type { Claim, ClaimRequest } from "../work-unit.ts";
import type { Fields } from "./executors.ts";
import type { Floors } from "./floors.ts";
import { type Row, rowColumns, rowOf, time } from "./row.ts";
import type { Session } from "./transactions.ts";

/** Leases due records. Only the narrow due row is written, unless an earlier lease had lapsed. */
export async function claimDue(
  session: Session,
  request: ClaimRequest,
  floors: Floors,
): Promise<Claim> {
  const now = await session.now();
  const { kind, queue = kind, holder, leaseMs, lane } = request;
  const lowest = lane === undefined ? floors.of(queue, now) : [0, 0, 0];
  const records: AnyRecord[] = [];
  let nextWakeAt: number | null = null;
  for (let look = true; look;) {
    const limit = request.limit - records.length;
    const place = [...lowest, ...(lane === undefined ? [] : [lane])];
    const [found, next] = await Promise.all([
      session.query(claimText(request), [now, queue, holder, leaseMs, limit, ...place]),
      session.query(nextText(request), [queue, ...place]),
    ]);
    if (lane === undefined) floors.saw(queue, found, { now, limit, lowFirst: request.lowFirst });
    const taken = found.filter((fields) => fields["taken"] === true);
    records.push(...taken.map((fields) => recordOf(leasedRow(fields, now))));
    nextWakeAt = time(next[0]?.["at"]);
    // Records that ended here do not count, so there may be more to look at.
    look = taken.length < found.length;
  }
  return { records: records as Claimed[], now, nextWakeAt };
}

/** The record was read as it stood before this claim wrote that the earlier lease had lapsed. */
function leasedRow(fields: Fields, now: number): Row {
  const row = rowOf(fields);
  return fields["lapsed"] === true ? { ...row, updatedAt: now } : row;
}

const priorities = [0, 1, 2];

/**
 * One branch per priority: each walks the index from its floor, and the limit around them stops before
 * the next one is begun. Rows that another claims at this moment are skipped. Over a lapsed lease the
 * record is written too: lapsed, or ended if a cancel was asked, because no new attempt starts then.
 */
function claimText({ lane, lowFirst }: ClaimRequest): string {
  const order = lowFirst ? priorities.toReversed() : priorities;
  const branch = (priority: number): string => `
    select * from (
      select * from daybook.due where queue = $2 ${lane === undefined ? "" : "and lane = $9"}
        and priority = ${priority} and wake_at >= $${priority + 6} and wake_at <= $1
      order by wake_at, id limit $5 for update skip locked) p${priority}`;
  return `
    with p as materialized (
      select *, row_number() over () as n
      from (${order.map(branch).join(" union all ")} limit $5) found),
    ${takeOver}
    d as (
      update daybook.due d set holder = $3, claimed_at = $1::bigint, wake_at = $1::bigint + $4::bigint,
        woken_at = null, attempt = d.attempt + 1, fence = d.fence + 1,
        lapses = d.lapses + case when p.holder is null then 0 else 1 end
      from p where d.id = p.id and p.id not in (select id from cancelled)
      returning d.*, p.n, p.wake_at as due_at, p.holder is not null as lapsed),
    found as (
      select id, n, due_at, lapsed, true as taken, attempt, lapses, fence, wake_at, ready_at, woken_at,
        holder, claimed_at from d
      union all
      select id, n, $1, true, false, 0, 0, 0, $1, $1, null, null, null from cancelled)
    select ${rowColumns}, d.n, d.due_at as "dueAt", d.taken, d.lapsed
    from found d join daybook.record r on r.id = d.id order by d.n`;
}

const takeOver = `
  l as (
    update daybook.record r set updated_at = $1::bigint,
      state = case when r.cancelling then 'cancelled' else r.state end,
      revision = r.revision + r.cancelling::int,
      ended_at = case when r.cancelling then $1::bigint end,
      attempt = p.attempt, lapses = p.lapses + 1, fence = p.fence
    from p join daybook.record before on before.id = p.id
    where r.id = p.id and p.holder is not null
    returning p.n, r.id, r.owner, before.state, r.revision, r.cancelling, p.attempt, p.holder, p.claimed_at),
  cancelled as materialized (select * from l where cancelling),
  gone as (delete from daybook.due d using cancelled c where d.id = c.id),
  freed as (delete from daybook.hold h using cancelled c where h.id = c.id),
  e as (insert into daybook.ended (at, id) select $1::bigint, id from cancelled),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at)
    select id, owner, what, state, revision, attempt, $1::bigint, by, claimed_at from (
      select n, id, owner, 'lapsed' as what, state, revision - cancelling::int as revision, attempt,
        holder as by, claimed_at from l
      union all
      select n, id, owner, 'cancelled', 'cancelled', revision, attempt, $3, null from cancelled) rows
    order by n, what desc),`;

function nextText({ lane }: ClaimRequest): string {
  const where = lane === undefined ? "queue = $1" : "queue = $1 and lane = $5";
  const first = (priority: number): string => `(
    select wake_at from daybook.due
    where ${where} and priority = ${priority} and wake_at >= $${priority + 2}
    order by wake_at limit 1)`;
  return `select least(${priorities.map(first).join(", ")}) as at`;
}
