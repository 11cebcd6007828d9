import type { FullSqlRow, SqlRow } from "../sql/row.ts";

/** In the order in which `rowOf` takes them. Attempt, lapses and fence live in the due row while there
 * is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt), coalesce(d.lapses, r.lapses), coalesce(d.fence, r.fence), r.cancelling,
  r.updated_at, r.ended_at, d.wake_at, d.ready_at, d.woken_at, d.holder, d.claimed_at`;

/** As one literal: this is made for every record that is touched. */
export function rowOf(values: readonly unknown[]): SqlRow {
  return {
    id: values[0],
    uid: values[1],
    kind: values[2],
    owner: values[3],
    by: values[4],
    state: values[5],
    priority: values[6],
    queue: values[7],
    lane: values[8],
    revision: values[9],
    attempt: values[10],
    lapses: values[11],
    fence: values[12],
    cancelling: values[13] === 1, // SQLite has no booleans
    updatedAt: values[14],
    endedAt: values[15],
    wakeAt: values[16],
    readyAt: values[17],
    wokenAt: values[18],
    holder: values[19],
    claimedAt: values[20],
  } as SqlRow;
}

export const fullColumns: string = `${rowColumns}, r.key, r.parent, r.created_at, r.body, r.outcome`;

export function fullRowOf(values: readonly unknown[]): FullSqlRow {
  const [key, parent, createdAt, body, outcome] = values.slice(21);
  return Object.assign(rowOf(values), { key, parent, createdAt, body, outcome }) as FullSqlRow;
}
