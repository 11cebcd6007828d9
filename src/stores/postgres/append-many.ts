import type { Draft } from "../../kernel/unit.ts";
import { type FullSqlRow, priorityNumber } from "../sql/row.ts";
import { rowColumns, rowOf } from "./row.ts";
import type { Session } from "./transactions.ts";

/** A record to be written, under an id that is its own. */
export interface Fresh {
  readonly act: { readonly owner: string; readonly by: string };
  readonly draft: Draft;
  readonly uid: string;
}

/** All in one statement, in their order. Answers those that were written: an id that exists is left. */
export async function insertRecords(
  session: Session,
  records: readonly Fresh[],
): Promise<readonly FullSqlRow[]> {
  const found = await session.query(insert, [JSON.stringify(records.map(fieldsOf))]);
  const rows = found.map(rowOf);
  for (const { wakeAt, queue } of rows) if (wakeAt !== null) session.hint(queue);
  return rows;
}

const insert = `
  with clock as (select daybook.now_ms() as now),
  x as materialized (
    select x.*, now, greatest(now, wake_at) as at from clock, json_to_recordset($1::text::json) as x (
      n int, uid text, kind text, owner text, by text, key text, parent text, state text, ends boolean,
      priority smallint, queue text, lane text, wake_at bigint, body text, outcome text, note text)),
  r as (
    insert into daybook.record (uid, kind, owner, by, key, parent, state, priority, queue, lane, created_at,
      updated_at, ended_at, body, outcome)
    select uid, kind, owner, by, key, parent, state, priority, queue, lane, now, now,
      case when ends then now end, body, outcome
    from x order by n
    on conflict (uid) do nothing returning *),
  d as (
    insert into daybook.due (id, queue, priority, lane, wake_at, ready_at, attempt, lapses, fence)
    select r.id, r.queue, r.priority, r.lane, x.at, x.at, 0, 0, 0
    from r join x on x.uid = r.uid where x.wake_at is not null
    returning *),
  e as (insert into daybook.ended (at, id) select ended_at, id from r where ended_at is not null),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, note)
    select r.id, r.owner, 'appended', r.state, 1, 0, x.now, r.by, x.note
    from r join x on x.uid = r.uid order by x.n)
  select ${rowColumns} from r left join d on d.id = r.id order by r.id`;

function fieldsOf({ act, draft, uid }: Fresh, n: number): Record<string, unknown> {
  return { n, uid, owner: act.owner, by: act.by, ...draftFields(draft) };
}

/** What a draft says itself, as a statement reads it. */
export function draftFields(draft: Draft): Record<string, unknown> {
  const ends = "ends" in draft;
  return {
    kind: draft.kind,
    key: draft.key?.name,
    parent: draft.parent,
    state: ends ? draft.ends : draft.state,
    ends,
    priority: priorityNumber(draft.priority ?? "normal"),
    queue: draft.queue ?? draft.kind,
    lane: draft.lane,
    wake_at: ends ? undefined : draft.wakeAt,
    body: JSON.stringify(draft.body),
    outcome: draft.outcome === undefined ? undefined : JSON.stringify(draft.outcome),
    note: draft.note,
  };
}
