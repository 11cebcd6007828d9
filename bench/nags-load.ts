import { builtInCurves } from "../src/features/nags/curve.ts";
import { makeNag } from "../src/features/nags/kind.ts";
import { makePage } from "../src/features/nags/page.ts";
import type { Draft } from "../src/kernel/unit.ts";
import type { Sql } from "./postgres-load.ts";

/** Of so many owners each has its share. */
const owners = 2_000;

/** Nags that are due, each about a page of its own. `batch` keeps them apart from those of other rounds. */
export async function addDueNags(sql: Sql, rows: number, batch: string): Promise<void> {
  const at = Date.now(); // not before: a claim does not look where the last one found nothing
  const drafts = Array.from({ length: rows }, (_, n) => {
    const owner = `owner-${n % owners}`;
    const pageId = `${batch}-${n}`;
    const page = { pageId, title: "Pay the rent", body: "To the <b>new</b> account this time." };
    const nag = makeNag({ ...asked, about: { page: pageId }, at }, { owner, quiet: null });
    return [row(owner, makePage(owner, page)), row(owner, { ...nag, id: `${batch}-nag-${n}` })];
  });
  await sql.unsafe(insert, [JSON.stringify(drafts.flat())]);
}

/** Nags whose time is far, all alike: one statement makes them on the server. */
export async function addFarNags(sql: Sql, rows: number, at: number): Promise<void> {
  const about = { text: "Pay the rent, to the new account this time." };
  const { body, outcome } = makeNag({ ...asked, about, at }, { owner: "owner-0", quiet: null });
  await sql.unsafe(
    `with r as (
       insert into daybook.record (uid, kind, owner, by, state, priority, queue, created_at, updated_at, body,
         outcome)
       select 'far-nag-' || n, 'nag', 'owner-' || n % ${owners}, 'cli', 'active', 1, 'nag', $2, $2, $3, $4
       from generate_series(1, $1::int) as n returning id)
     insert into daybook.due (id, queue, priority, wake_at, ready_at, attempt, lapses, fence)
     select id, 'nag', 1, $5::bigint + id * 1000, $5::bigint + id * 1000, 0, 0, 0 from r`,
    [rows, Date.now(), JSON.stringify(body), JSON.stringify(outcome), at],
  );
}

const asked = {
  curveName: "otu",
  curve: builtInCurves.otu,
  target: "telegram:123456789",
  origin: "telegram:123456789",
  atText: "now",
  zone: "Asia/Seoul",
};

function row(owner: string, draft: Draft & { id: string }): Record<string, unknown> {
  const { id, kind, body, outcome, parent, holds = [] } = draft;
  return {
    uid: id,
    kind,
    owner,
    parent,
    state: "state" in draft ? draft.state : draft.ends,
    wake_at: "state" in draft ? draft.wakeAt : undefined,
    body: JSON.stringify(body),
    outcome: outcome === undefined ? undefined : JSON.stringify(outcome),
    hold: holds[0],
  };
}

const insert = `
  with x as materialized (
    select * from json_to_recordset($1::text::json) as x (uid text, kind text, owner text, parent text, state text,
      wake_at bigint, body text, outcome text, hold text)),
  r as (
    insert into daybook.record (uid, kind, owner, by, parent, state, priority, queue, created_at, updated_at, body,
      outcome)
    select uid, kind, owner, 'cli', parent, state, 1, kind, daybook.now_ms(), daybook.now_ms(), body, outcome
    from x returning id, uid, queue),
  h as (insert into daybook.hold (name, id) select x.hold, r.id from r join x on x.uid = r.uid where x.hold is not null)
  insert into daybook.due (id, queue, priority, wake_at, ready_at, attempt, lapses, fence)
  select r.id, r.queue, 1, x.wake_at, x.wake_at, 0, 0, 0
  from r join x on x.uid = r.uid where x.wake_at is not null`;
