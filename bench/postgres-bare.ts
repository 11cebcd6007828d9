import { connectTo } from "./postgres-load.ts";
import { body, type Burst, dayMs, outcome } from "./work.ts";

/** What the store does, as a bare loop: the same tables, statements and durability, and nothing looked at. */
export interface Bare {
  /** On two connections, 500 at a time, until none is due. Answers how many. */
  drain(queue: string): Promise<number>;
  append(burst: Burst): Promise<void>;
  close(): Promise<void>;
}

export function barePostgres(url: string): Bare {
  const sql = connectTo(url, 2);
  const prepared = { prepare: true } as const;
  let count = 0;
  const hand = async (queue: string): Promise<number> => {
    let done = 0;
    for (;;) {
      const found = await sql.unsafe<Found[]>(claim, [queue, Date.now()], prepared);
      if (found.length === 0) return done;
      const units = found.map(({ id, fence }) => ({ id, fence, outcome: JSON.stringify(outcome) }));
      await sql.unsafe(settle, [JSON.stringify(units), Date.now()], prepared);
      done += found.length;
    }
  };
  const draftOf = (wakeAt: number): object => {
    count += 1;
    const uid = `${wakeAt.toString(16).padStart(16, "0")}-${String(count).padStart(19, "0")}`;
    return { uid, owner: `owner-${count % 1000}`, body: JSON.stringify(body), wake_at: wakeAt };
  };
  return {
    async drain(queue) {
      const [one, other] = await Promise.all([hand(queue), hand(queue)]);
      return one + other;
    },
    async append({ atOnce, count: rows }) {
      const wakeAt = Date.now() + dayMs;
      for (let left = rows; left > 0; left -= atOnce) {
        const drafts = Array.from({ length: atOnce }, () => draftOf(wakeAt));
        await sql.unsafe(append, [JSON.stringify(drafts), Date.now()], prepared);
      }
    },
    close: () => sql.end(),
  };
}

interface Found {
  readonly id: string;
  readonly fence: string;
}

const due = (priority: number): string => `
  select * from (
    select id from daybook.due where queue = $1 and priority = ${priority} and wake_at <= $2
    order by wake_at, id limit 500 for update skip locked) p${priority}`;

const claim = `
  with p as materialized (
    select id from (${[0, 1, 2].map(due).join(" union all ")} limit 500) found),
  d as (
    update daybook.due d set holder = 'h', claimed_at = $2::bigint, wake_at = $2::bigint + 60000,
      woken_at = null, attempt = d.attempt + 1, fence = d.fence + 1
    from p where d.id = p.id returning d.id, d.attempt, d.fence)
  select r.id, r.uid, r.owner, r.revision, d.attempt, d.fence, r.body
  from d join daybook.record r on r.id = d.id`;

const settle = `
  with u as materialized (
    select * from json_to_recordset($1::text::json) as u (id bigint, fence bigint, outcome text)),
  d as (
    delete from daybook.due d using u where d.id = u.id and d.fence = u.fence
    returning d.id, d.attempt, d.fence, d.claimed_at, u.outcome),
  r as (
    update daybook.record r set state = 'delivered', revision = r.revision + 1, attempt = d.attempt,
      fence = d.fence, outcome = d.outcome, updated_at = $2::bigint, ended_at = $2::bigint
    from d where r.id = d.id
    returning r.id, r.owner, r.revision, d.attempt, d.claimed_at),
  freed as (delete from daybook.hold h using r where h.id = r.id),
  e as (insert into daybook.ended (at, id) select $2::bigint, id from r)
  insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at)
  select id, owner, 'settled', 'delivered', revision, attempt, $2::bigint, 'h', claimed_at from r`;

const append = `
  with x as materialized (
    select * from json_to_recordset($1::text::json) as x (uid text, owner text, body text, wake_at bigint)),
  r as (
    insert into daybook.record (uid, kind, owner, by, state, priority, queue, created_at, updated_at, body)
    select uid, 'notification', owner, 'cli', 'pending', 1, 'notification', $2::bigint, $2::bigint, body
    from x returning id, uid, owner),
  d as (
    insert into daybook.due (id, queue, priority, wake_at, ready_at, attempt, lapses, fence)
    select r.id, 'notification', 1, x.wake_at, x.wake_at, 0, 0, 0 from r join x on x.uid = r.uid),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by)
    select id, owner, 'appended', 'pending', 1, 0, $2::bigint, 'cli' from r)
  select id, uid from r`;
