import { notFound } from "../../kernel/ledger-errors.ts";
import { isSooner } from "../sql/change.ts";
import { type FullSqlRow, type SqlRow, type Texts, textOf } from "../sql/row.ts";
import type { Fields } from "./executors.ts";
import type { Session } from "./transactions.ts";

/** Of `record r left join due d`. Attempt, lapses and fence are in the due row while there is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.key, r.parent, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt) as attempt, coalesce(d.lapses, r.lapses) as lapses,
  coalesce(d.fence, r.fence) as fence, r.cancelling, r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.ended_at as "endedAt", d.wake_at as "wakeAt", d.ready_at as "readyAt",
  d.woken_at as "wokenAt", d.holder, d.claimed_at as "claimedAt", r.body, r.outcome`;

/** Drivers return 64-bit numbers as text. All of them are times and counts, which fit a number. */
export function rowOf(fields: Fields): FullSqlRow {
  return {
    ...fields,
    id: Number(fields["id"]),
    fence: Number(fields["fence"]),
    createdAt: Number(fields["createdAt"]),
    updatedAt: Number(fields["updatedAt"]),
    endedAt: time(fields["endedAt"]),
    wakeAt: time(fields["wakeAt"]),
    readyAt: time(fields["readyAt"]),
    wokenAt: time(fields["wokenAt"]),
    claimedAt: time(fields["claimedAt"]),
  } as FullSqlRow;
}

export function time(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

const tables = `daybook.record r left join daybook.due d on d.id = r.id`;

export async function findRow(session: Session, uid: string): Promise<FullSqlRow | undefined> {
  const [fields] = await session.query(`select ${rowColumns} from ${tables} where r.uid = $1`, [
    uid,
  ]);
  return fields && rowOf(fields);
}

/** The rows that exist, in one statement. */
export async function findRows(
  session: Session,
  uids: readonly string[],
): Promise<ReadonlyMap<string, FullSqlRow>> {
  const found = await session.query(
    `select ${rowColumns} from json_array_elements_text($1::text::json) as request (uid)
       join daybook.record r on r.uid = request.uid left join daybook.due d on d.id = r.id`,
    [JSON.stringify(uids)],
  );
  return new Map(found.map(rowOf).map((row) => [row.uid, row]));
}

/**
 * The row, for writing. All writers lock the due row before the record, as claim does, so that no two deadlock.
 * Each statement sees everything that was committed before it.
 */
export async function lockRow(session: Session, uid: string): Promise<FullSqlRow | undefined> {
  const [locked, , row] = await Promise.all([
    session.query(
      `select d.id from daybook.due d join daybook.record r on r.id = d.id where r.uid = $1 for update of d`,
      [uid],
    ),
    session.query(`select r.id from daybook.record r where r.uid = $1 for update`, [uid]),
    findRow(session, uid),
  ]);
  // A due row that was inserted between the locks is locked now: with the record locked, it cannot be deleted.
  const isNew = row !== undefined && row.wakeAt !== null && locked.length === 0;
  return isNew ? lockRow(session, uid) : row;
}

/** Throws `not_found` for another owner's record too. */
export async function lockOwned(session: Session, owner: string, uid: string): Promise<FullSqlRow> {
  const row = await lockRow(session, uid);
  if (row === undefined || row.owner !== owner) throw notFound(uid);
  return row;
}

/** Writes record and due row. An end deletes the holds. */
export async function saveRow(
  session: Session,
  before: SqlRow,
  after: SqlRow,
  texts: Texts = {},
): Promise<void> {
  const { id, state, priority, queue, lane, revision, attempt, lapses, fence, cancelling } = after;
  const head = [id, state, priority, queue, lane, revision, attempt, lapses, fence, cancelling];
  const params = [
    ...head,
    after.updatedAt,
    after.endedAt,
    textOf(texts.body),
    textOf(texts.outcome),
  ];
  await Promise.all([
    session.query(
      `update daybook.record set state = $2, priority = $3, queue = $4, lane = $5, revision = $6,
         attempt = $7, lapses = $8, fence = $9, cancelling = $10, updated_at = $11, ended_at = $12,
         body = coalesce($13, body), outcome = coalesce($14, outcome)
       where id = $1`,
      params,
    ),
    saveDue(session, before, after),
    after.endedAt === null ? undefined : markEnded(session, id, after.endedAt),
  ]);
}

async function markEnded(session: Session, id: number, at: number): Promise<void> {
  await session.query(`insert into daybook.ended (at, id) values ($1, $2)`, [at, id]);
  await session.query(`delete from daybook.hold where id = $1`, [id]);
}

/** Writes the narrow due row alone: wake time and lease. */
export async function saveDue(session: Session, before: SqlRow, after: SqlRow): Promise<void> {
  if (isSooner(before, after)) session.hint(after.queue);
  if (after.wakeAt !== null) return putDue(session, after);
  if (before.wakeAt !== null) {
    await session.query(`delete from daybook.due where id = $1`, [after.id]);
  }
}

async function putDue(session: Session, row: SqlRow): Promise<void> {
  const { id, queue, priority, lane, wakeAt, readyAt, wokenAt, holder, claimedAt } = row;
  const head = [id, queue, priority, lane, wakeAt, readyAt, wokenAt, holder, claimedAt];
  await session.query(
    `insert into daybook.due (id, queue, priority, lane, wake_at, ready_at, woken_at, holder,
       claimed_at, attempt, lapses, fence)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update set queue = excluded.queue, priority = excluded.priority,
       lane = excluded.lane, wake_at = excluded.wake_at, ready_at = excluded.ready_at,
       woken_at = excluded.woken_at, holder = excluded.holder, claimed_at = excluded.claimed_at,
       attempt = excluded.attempt, lapses = excluded.lapses, fence = excluded.fence`,
    [...head, row.attempt, row.lapses, row.fence],
  );
}
