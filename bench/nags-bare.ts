import { connectTo } from "./postgres-load.ts";

/** One pass as a bare loop: the same tables and durability, and nothing decided. Answers how many. */
export function bareNags(url: string): { pass(): Promise<number>; close(): Promise<void> } {
  const sql = connectTo(url, 2);
  const prepared = { prepare: true } as const;
  let count = 0;
  const hand = async (): Promise<number> => {
    let done = 0;
    for (;;) {
      const found = await sql.unsafe<Found[]>(claim, [Date.now()], prepared);
      if (found.length === 0) return done;
      const pages = found.map(({ parent }) => parent);
      await sql.unsafe(read, [JSON.stringify(pages)], prepared);
      const units = found.map((nag) => ({
        ...nag,
        said: `bare-said-${(count += 1)}`,
        body,
        outcome,
      }));
      await sql.unsafe(settle, [JSON.stringify(units), Date.now()], prepared);
      done += found.length;
    }
  };
  return {
    async pass() {
      const [one, other] = await Promise.all([hand(), hand()]);
      return one + other;
    },
    close: () => sql.end(),
  };
}

interface Found {
  readonly id: string;
  readonly fence: string;
  readonly uid: string;
  readonly parent: string;
}

const body = JSON.stringify({
  message: "Pay the rent\nTo the new account this time.",
  at: 1_700_000_000_000,
  atText: "now",
  target: "telegram:123456789",
  origin: "telegram:123456789",
  type: "nag",
  wakesParent: true,
});
const plan = { asked: 1, count: 1, round: 1, nextAt: null, counted: null, saying: "0".repeat(36) };
const outcome = JSON.stringify({ ...plan, lastDelivered: null, lastReceiptId: null, failures: 0 });

const claim = `
  with p as materialized (
    select id from daybook.due where queue = 'nag' and priority = 1 and wake_at <= $1
    order by wake_at, id limit 500 for update skip locked),
  d as (
    update daybook.due d set holder = 'h', claimed_at = $1::bigint, wake_at = $1::bigint + 60000,
      woken_at = null, attempt = d.attempt + 1, fence = d.fence + 1
    from p where d.id = p.id returning d.id, d.fence)
  select r.id, d.fence, r.uid, r.parent, r.owner, r.revision, r.body, r.outcome
  from d join daybook.record r on r.id = d.id`;

const read = `
  select r.body from json_array_elements_text($1::text::json) as page (uid)
    join daybook.record r on r.uid = page.uid`;

const settle = `
  with u as materialized (
    select * from json_to_recordset($1::text::json) as u (
      id bigint, fence bigint, uid text, said text, body text, outcome text)),
  d as (
    update daybook.due d set holder = null, claimed_at = null, wake_at = $2::bigint + 3600000,
      ready_at = $2::bigint + 3600000 from u where d.id = u.id and d.fence = u.fence
    returning d.id, d.attempt, d.fence, d.claimed_at, u.uid, u.said, u.body, u.outcome),
  r as (
    update daybook.record r set revision = r.revision + 1, attempt = d.attempt, fence = d.fence,
      outcome = d.outcome, updated_at = $2::bigint
    from d where r.id = d.id
    returning r.id, r.owner, r.revision, d.attempt, d.claimed_at, d.uid, d.said, d.body),
  a as (
    insert into daybook.record (uid, kind, owner, by, key, parent, state, priority, queue, lane, created_at,
      updated_at, body)
    select said, 'notification', owner, 'cli', 'nag:' || uid || ':1', uid, 'pending', 1, 'notification@bare',
      'telegram:123456789', $2::bigint, $2::bigint, body from r
    returning id, uid, owner, key),
  k as (
    insert into daybook.key (kind, owner, name, uid, hash) select 'notification', owner, key, uid, repeat('0', 64) from a),
  n as (
    insert into daybook.due (id, queue, priority, lane, wake_at, ready_at, attempt, lapses, fence)
    select id, 'notification@bare', 1, 'telegram:123456789', $2::bigint, $2::bigint, 0, 0, 0 from a)
  insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at)
  select id, owner, 'settled', 'active', revision, attempt, $2::bigint, 'h', claimed_at from r
  union all select id, owner, 'appended', 'pending', 1, 0, $2::bigint, 'cli', null from a`;
