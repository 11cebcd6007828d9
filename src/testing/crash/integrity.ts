import assert from "node:assert/strict";
import type { Sql } from "postgres";
import { comparableText } from "../traces/answers.ts";

/** Queries that must find no row, whatever crashed: each finds partial writes. */
const inconsistencies: Readonly<Record<string, string>> = {
  "a due row without a live record of the same queue, priority and lane": `
    select d.id from daybook.due d left join daybook.record r on r.id = d.id
    where r.id is null or r.ended_at is not null
      or (r.queue, r.priority) <> (d.queue, d.priority) or r.lane is distinct from d.lane`,
  "half a lease": `
    select id from daybook.due where (holder is null) <> (claimed_at is null) or fence < attempt - lapses`,
  "a fence that went back": `
    select d.id from daybook.due d join daybook.record r on r.id = d.id where d.fence < r.fence`,
  "an end without its entry for prune, or an entry without its end": `
    select r.id from daybook.record r full join daybook.ended e on e.id = r.id and e.at = r.ended_at
    where (r.ended_at is null) <> (e.id is null)`,
  "a hold of a record that is not live": `
    select h.name from daybook.hold h left join daybook.record r on r.id = h.id
    where r.id is null or r.ended_at is not null`,
  "a key that belongs to another record": `
    select k.name from daybook.key k left join daybook.record r on r.uid = k.uid
    where case when r.id is null then k.sweep_at is null
      else (r.kind, r.owner, r.key) is distinct from (k.kind, k.owner, k.name) end`,
  "a record without its key": `
    select r.id from daybook.record r where r.key is not null and not exists (
      select 1 from daybook.key k where (k.kind, k.owner, k.name) = (r.kind, r.owner, r.key))`,
  "a record whose newest change does not match it": `
    select r.id from daybook.record r left join lateral (
      select h.* from daybook.history h where h.id = r.id order by h.seq desc limit 1) h on true
    where h.id is null or (h.state, h.revision, h.at) <> (r.state, r.revision, r.updated_at)`,
  "a history with a gap": `
    select id from daybook.history group by id
    having min(revision) <> 1 or count(distinct revision) <> max(revision)
      or count(*) filter (where what = 'appended') <> 1`,
  "history or output without a record": `
    select id from daybook.history where id not in (select id from daybook.record)
    union all select id from daybook.chunk where id not in (select id from daybook.record)`,
};

/** Asserts that record, due row, history, holds, keys and ends agree. */
export async function assertConsistent(sql: Sql): Promise<void> {
  for (const [what, query] of Object.entries(inconsistencies)) {
    assert.deepEqual([...(await sql.unsafe(query))], [], what);
  }
}

/** All stored rows of one owner, without the ids and times that differ from run to run. */
export async function contentOf(sql: Sql, owner: string): Promise<string> {
  const rows = await sql.unsafe(
    `select r.kind, r.by, r.key, r.uid, r.parent, r.state, r.priority, r.queue, r.lane, r.revision,
       r.attempt, r.lapses, r.fence, r.cancelling, r.ended_at is not null as ended, r.body, r.outcome,
       d.holder, d.attempt as due_attempt, d.lapses as due_lapses, d.fence as due_fence,
       d.woken_at is not null as woken, d.wake_at > coalesce(d.claimed_at, d.ready_at) + 1000000 as late,
       (select json_agg(h.name order by h.name) from daybook.hold h where h.id = r.id) as holds,
       (select json_agg(json_build_array(h.what, h.state, h.revision, h.attempt, h.by, h.note,
         h.claimed_at is not null) order by h.seq) from daybook.history h where h.id = r.id) as history,
       (select sum(length(bytes)) from daybook.chunk c where c.id = r.id) as bytes
     from daybook.record r left join daybook.due d on d.id = r.id where r.owner = $1 order by r.id`,
    [owner],
  );
  const keys = await sql.unsafe(
    "select name, uid, sweep_at is not null as swept from daybook.key where owner = $1 order by name",
    [owner],
  );
  return comparableText()({ rows, keys }).replaceAll(owner, "owner");
}
