import type { FullSqlRow, SqlRow } from "../sql-row.ts";

/** In the order in which `rowOf` takes them. Attempt, lapses and fence live in the due row while there
 * is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt), coalesce(d.lapses, r.lapses), coalesce(d.fence, r.fence), r.cancelling,
  r.updated_at, r.ended_at, d.wake_at, d.ready_at, d.woken_at, d.holder, d.claimed_at`;

export function rowOf(values: readonly unknown[]): SqlRow {
  const [id, uid, kind, owner, by, state, priority, queue, lane, revision] = values;
  const [attempt, lapses, fence, cancelling, updatedAt, endedAt] = values.slice(10);
  const [wakeAt, readyAt, wokenAt, holder, claimedAt] = values.slice(16);
  const who = { id, uid, kind, owner, by };
  const what = { state, priority, queue, lane, revision, attempt, lapses, fence };
  const when = { updatedAt, endedAt, wakeAt, readyAt, wokenAt, holder, claimedAt };
  // SQLite has no booleans.
  return { ...who, ...what, cancelling: cancelling === 1, ...when } as SqlRow;
}

export const fullColumns: string = `${rowColumns}, r.key, r.parent, r.created_at, r.body, r.outcome`;

export function fullRowOf(values: readonly unknown[]): FullSqlRow {
  const [key, parent, createdAt, body, outcome] = values.slice(21);
  return { ...rowOf(values), key, parent, createdAt, body, outcome } as FullSqlRow;
}
