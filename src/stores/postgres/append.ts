import type { WriteContext } from "../../kernel/change-row.ts";
import { checkSameRequest } from "../../kernel/ledger-errors.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { type FullSqlRow, priorityNumber } from "../sql/row.ts";
import { chooseHolds, findByKey, replaceHolds, takeKey } from "./keys-and-holds.ts";
import { findRow, rowColumns, rowOf } from "./rows.ts";
import { type Session, lostRace } from "./transactions.ts";

/** A record to insert, with its id. */
export interface NewRecord {
  readonly act: { readonly owner: string; readonly by: string };
  readonly draft: Draft;
  readonly uid: string;
}

/** Inserts all records with one statement, in their order. Answers the rows whose id was new. */
export async function insertRecords(
  session: Session,
  records: readonly NewRecord[],
): Promise<readonly FullSqlRow[]> {
  const found = await session.query(insertText, [JSON.stringify(records.map(fieldsOf))]);
  const rows = found.map(rowOf);
  for (const { wakeAt, queue } of rows) if (wakeAt !== null) session.hint(queue);
  return rows;
}

const insertText = `
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

function fieldsOf({ act, draft, uid }: NewRecord, n: number): Record<string, unknown> {
  return { n, uid, owner: act.owner, by: act.by, ...draftFields(draft) };
}

/** The fields of a draft as a statement reads them. */
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

interface Written {
  readonly fresh: boolean;
  readonly uid: string;
}

/** Whether the draft has neither key nor holds: many such drafts are inserted by one statement. */
export function isPlain(draft: Draft): boolean {
  return draft.key === undefined && (draft.holds ?? []).length === 0;
}

/** Writes one record, unless one with its key or id exists. */
export async function appendOne(
  session: Session,
  act: WriteContext,
  draft: Draft,
  ids: Ids,
): Promise<Written> {
  const first = (await findByKey(session, act, draft)) ?? (await earlier(session, act, draft));
  if (first !== undefined) return { fresh: false, uid: first };
  const uid = draft.id ?? ids();
  const names = "ends" in draft ? [] : await chooseHolds(session, null, draft.holds ?? []);
  const [row] = await insertRecords(session, [{ act, draft, uid }]);
  if (row === undefined) throw lostRace(); // another transaction inserted the same id first
  await takeKey(session, act, draft, uid);
  if (names.length > 0) await replaceHolds(session, row.id, names);
  return { fresh: true, uid };
}

/** Appends consequences in their order. Each run of plain ones is one statement. */
export async function appendMany(
  session: Session,
  act: WriteContext,
  drafts: readonly Draft[],
  ids: Ids,
): Promise<void> {
  let run: NewRecord[] = [];
  const flush = async (): Promise<void> => {
    if (run.length > 0) await insertRecords(session, run);
    run = [];
  };
  for (const draft of drafts) {
    if (isPlain(draft) && draft.id === undefined) {
      run.push({ act, draft, uid: ids() });
    } else {
      await flush();
      await appendOne(session, act, draft, ids);
    }
  }
  await flush();
}

async function earlier(
  session: Session,
  act: WriteContext,
  draft: Draft,
): Promise<string | undefined> {
  const row = draft.id === undefined ? undefined : await findRow(session, draft.id);
  if (row === undefined) return undefined;
  checkSameRequest({ ...row, id: row.uid }, act.owner, draft);
  return row.uid;
}
