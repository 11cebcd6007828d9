import type { Kind } from "../../rules/kinds.ts";
import type { AnyRecord, Priority } from "../../rules/record.ts";

/** What writing looks at: a record and its due row as one. `wakeAt` is null when there is no due row. */
export interface Row {
  readonly id: number;
  readonly uid: string;
  readonly kind: Kind;
  readonly owner: string;
  readonly by: string;
  readonly state: string;
  readonly priority: number;
  readonly queue: string;
  readonly lane: string | null;
  readonly revision: number;
  readonly attempt: number;
  readonly lapses: number;
  readonly fence: number;
  readonly cancelling: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly wakeAt: number | null;
  readonly readyAt: number | null;
  readonly wokenAt: number | null;
  readonly holder: string | null;
  readonly claimedAt: number | null;
}

/** All that a record shows. */
export interface FullRow extends Row {
  readonly key: string | null;
  readonly parent: string | null;
  readonly createdAt: number;
  readonly body: string;
  readonly outcome: string | null;
}

/** In the order in which `rowOf` takes them. Attempt, lapses and fence live in the due row while there
 * is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt), coalesce(d.lapses, r.lapses), coalesce(d.fence, r.fence), r.cancelling,
  r.updated_at, r.ended_at, d.wake_at, d.ready_at, d.woken_at, d.holder, d.claimed_at`;

export function rowOf(values: readonly unknown[]): Row {
  const [id, uid, kind, owner, by, state, priority, queue, lane, revision] = values;
  const [attempt, lapses, fence, cancelling, updatedAt, endedAt] = values.slice(10);
  const [wakeAt, readyAt, wokenAt, holder, claimedAt] = values.slice(16);
  const who = { id, uid, kind, owner, by };
  const what = { state, priority, queue, lane, revision, attempt, lapses, fence, cancelling };
  const when = { updatedAt, endedAt, wakeAt, readyAt, wokenAt, holder, claimedAt };
  return { ...who, ...what, ...when } as Row;
}

export const fullColumns: string = `${rowColumns}, r.key, r.parent, r.created_at, r.body, r.outcome`;

export function fullRowOf(values: readonly unknown[]): FullRow {
  const [key, parent, createdAt, body, outcome] = values.slice(21);
  return { ...rowOf(values), key, parent, createdAt, body, outcome } as FullRow;
}

const priorities: readonly Priority[] = ["high", "normal", "low"];

export function priorityNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

export function recordOf(row: FullRow): AnyRecord {
  const { holder, claimedAt, fence } = row;
  return {
    kind: row.kind,
    id: row.uid,
    owner: row.owner,
    by: row.by,
    key: row.key,
    parent: row.parent,
    state: row.state,
    priority: priorities[row.priority],
    queue: row.queue,
    lane: row.lane,
    revision: row.revision,
    attempt: row.attempt,
    lapses: row.lapses,
    body: JSON.parse(row.body),
    outcome: row.outcome === null ? null : JSON.parse(row.outcome),
    cancelling: row.cancelling === 1,
    readyAt: row.readyAt,
    wakeAt: row.wakeAt,
    lease: holder === null ? null : { holder, fence, claimedAt },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    endedAt: row.endedAt,
  } as AnyRecord;
}

/** Somebody is at work on it, and the lease has not run out. */
export function isLeased(row: Row, now: number): boolean {
  return row.holder !== null && row.wakeAt !== null && row.wakeAt > now;
}

export function waiting(row: Row, at: number | null): Row {
  return { ...row, wakeAt: at, readyAt: at, wokenAt: null, holder: null, claimedAt: null };
}

/** An end never changes again. */
export function ended(row: Row, state: string, now: number): Row {
  return { ...waiting(row, null), state, endedAt: now };
}

/** Which end was asked for, if one was: a field that is `undefined` is absent. */
export function endOf(asked: object): string | undefined {
  return "ends" in asked && typeof asked.ends === "string" ? asked.ends : undefined;
}
