/**
 * The due rows are locked in the order of their ids and their fences checked; then the update of the record
 * decides, because it alone sees a revision that was committed while we waited. All other writes depend on that
 * update. Lateral joins read one row after the other, whatever the planner estimates.
 */
const units = `
  clock as (select daybook.now_ms() as now),
  u as materialized (
    select u.*, now from clock, json_to_recordset($1::text::json) as u (
      n int, uid text, fence bigint, revision int, ends text, state text, wake_at bigint,
      fresh_start boolean, outcome text, note text, queue text, holds text[])),
  x as materialized (
    select u.*, r.id, r.owner from u join daybook.record r on r.uid = u.uid order by r.id)`;

const leaseSelect = `
  select x.n, x.now, x.revision, x.ends, x.state, x.outcome, x.note, x.queue, x.holds, d.id, d.fence, d.holder,
    d.claimed_at, d.attempt, d.wake_at as lease_at, d.queue as queue_before,
    case when x.fresh_start then 0 else d.attempt end as next_attempt,
    case when x.fresh_start then 0 else d.lapses end as next_lapses,
    case when x.ends is null then greatest(x.now, least(x.wake_at, d.woken_at)) end as at,
    x.ends is null and (x.wake_at is not null or d.woken_at is not null) as stays`;

const isOurs = `d.fence = x.fence and d.holder is not null`;

const written = (also: string): string => `
  r as (
    update daybook.record r set state = coalesce(c.ends, c.state), revision = r.revision + 1,
      outcome = coalesce(c.outcome, r.outcome), queue = coalesce(c.queue, r.queue),
      attempt = c.next_attempt, lapses = c.next_lapses, fence = c.fence, updated_at = c.now,
      ended_at = case when c.ends is not null then c.now end
    from c where r.id = c.id and r.revision = c.revision and (c.ends is not null or not r.cancelling) ${also}
    returning r.id, r.owner, r.by, r.state, r.revision, r.queue, c.n, c.now, c.ends, c.stays, c.holds,
      c.at, c.next_attempt, c.next_lapses, c.attempt, c.holder, c.claimed_at, c.note, c.lease_at,
      c.queue_before),
  gone as (delete from daybook.due d using r where d.id = r.id and not r.stays),
  back as (
    update daybook.due d set queue = r.queue, wake_at = r.at, ready_at = r.at, woken_at = null, holder = null, claimed_at = null, attempt = r.next_attempt,
      lapses = r.next_lapses
    from r where d.id = r.id and r.stays),
  e as (insert into daybook.ended (at, id) select now, id from r where ends is not null)`;

const isSooner = `stays and (at < lease_at or queue <> queue_before)`;

/** For units that write their own record only. */
export const settleAlone = `
  with ${units},
  c as materialized (
    ${leaseSelect}
    from x, lateral (select * from daybook.due where due.id = x.id for update) d
    where ${isOurs}),
  ${written("")},
  freed as (delete from daybook.hold h using r where h.id = r.id and r.ends is not null),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
    select id, owner, 'settled', state, revision, attempt, now, holder, claimed_at, note from r order by n)
  select n, revision, queue, ${isSooner} as sooner from r`;

// The records that are appended ($2) and woken ($3). A unit is left for `settleOne` when a record, a key or a
// holder of a name is in its way, or when a record that it wakes is missing. A unit that wants a name that
// another unit of the call holds must run after that one, and so must the units after it. A conflict that arises
// between this check and the write violates a unique index, and the whole statement is undone. Each check is a
// lateral join with a limit: a plan that was made when a table was small must not read all of it.
const others = `
  a as materialized (
    select * from json_to_recordset($2::text::json) as a (
      n int, m int, uid text, kind text, key text, hash text, until bigint, parent text, state text, ends boolean,
      priority smallint, queue text, lane text, wake_at bigint, body text, outcome text, note text)),
  names as materialized (select x.n, x.id, name from x, unnest(x.holds) as name),
  requested as materialized (
    select * from json_to_recordset($3::text::json) as requested (n int, uid text)),
  w as materialized (
    select requested.n, r.uid, r.id, r.owner, r.ended_at from requested,
      lateral (select * from daybook.record where record.uid = requested.uid limit 1) r),
  due as materialized (
    select d.* from (select id from x union select id from w order by id) ids,
      lateral (select * from daybook.due where due.id = ids.id for update) d),
  c as materialized (${leaseSelect} from x join due d on d.id = x.id where ${isOurs}),
  taken as materialized (
    select names.n, h.id in (select id from x) as here from names,
      lateral (select id from daybook.hold where hold.name = names.name limit 1) h
    where h.id <> names.id),
  bad as materialized (
    select n from taken
    union select a.n from a, lateral (select id from daybook.record where record.uid = a.uid limit 1) r
    union select a.n from a join x on x.n = a.n, lateral (
      select uid from daybook.key where key.kind = a.kind and key.owner = x.owner and key.name = a.key limit 1) k
    union select requested.n from requested join x on x.n = requested.n left join w on w.n = requested.n and w.uid = requested.uid
      where w.owner is distinct from x.owner
        or (w.ended_at is null and w.id not in (select id from due)))`;

const isClear = `
  and c.n not in (select n from bad)
  and c.n < coalesce((select min(n) from taken where here), 2147483647)`;

/** For units that also append, hold or wake. */
export const settleWithOthers = `
  with ${units}, ${others}, ${written(isClear)},
  freed as (
    delete from daybook.hold h using r where h.id = r.id and (r.ends is not null or h.name <> all (r.holds))),
  held as (
    insert into daybook.hold (name, id)
    select names.name, names.id from names join r on r.n = names.n left join lateral (
      select id from daybook.hold where hold.name = names.name limit 1) h on true
    where h.id is null order by names.name),
  ar as (
    insert into daybook.record (uid, kind, owner, by, key, parent, state, priority, queue, lane, created_at,
      updated_at, ended_at, body, outcome)
    select a.uid, a.kind, r.owner, r.by, a.key, a.parent, a.state, a.priority, a.queue, a.lane, r.now, r.now,
      case when a.ends then r.now end, a.body, a.outcome
    from a join r on r.n = a.n order by a.n, a.m
    returning id, uid, owner, by, state, priority, queue, lane, created_at, ended_at),
  ak as (
    insert into daybook.key (kind, owner, name, uid, hash, until)
    select a.kind, r.owner, a.key, a.uid, a.hash, a.until from a join r on r.n = a.n
    where a.key is not null order by a.kind, r.owner, a.key),
  ad as (
    insert into daybook.due (id, queue, priority, lane, wake_at, ready_at, attempt, lapses, fence)
    select ar.id, ar.queue, ar.priority, ar.lane, greatest(ar.created_at, a.wake_at),
      greatest(ar.created_at, a.wake_at), 0, 0, 0
    from ar join a on a.uid = ar.uid where a.wake_at is not null order by ar.id),
  ae as (insert into daybook.ended (at, id) select ended_at, id from ar where ended_at is not null),
  wd as (
    update daybook.due d set
      woken_at = case when t.holder is not null then least(d.woken_at, t.now) end,
      wake_at = case when t.holder is null then least(d.wake_at, t.now) else d.wake_at end,
      ready_at = case when t.holder is null then least(d.wake_at, t.now) else d.ready_at end
    from (select distinct due.id, due.holder, due.wake_at, r.now
      from w join r on r.n = w.n join due on due.id = w.id where w.ended_at is null) t
    where d.id = t.id
    returning d.queue, t.holder is null and t.wake_at > t.now as sooner),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
    select id, owner, what, state, revision, attempt, at, by, claimed_at, note from (
      select n, -1 as m, id, owner, 'settled' as what, state, revision, attempt, now as at, holder as by,
        claimed_at, note from r
      union all
      select a.n, a.m, ar.id, ar.owner, 'appended', ar.state, 1, 0, ar.created_at, ar.by, null, a.note
      from ar join a on a.uid = ar.uid) rows
    order by n, m)
  select n, revision, queue, ${isSooner} as sooner from r
  union all select null, null, queue, sooner from wd
  union all select null, null, ar.queue, true from ar join a on a.uid = ar.uid where a.wake_at is not null`;

export const keepLeases = `
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
