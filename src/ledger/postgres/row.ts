import type { Kind } from "../../rules/kinds.ts";
import type { AnyRecord, Priority } from "../../rules/record.ts";
import type { Fields } from "./executors.ts";

/** A record and its due row as one. `wakeAt` is null when there is no due row. */
export interface Row {
  readonly id: number;
  readonly uid: string;
  readonly kind: Kind;
  readonly owner: string;
  readonly by: string;
  readonly key: string | null;
  readonly parent: string | null;
  readonly state: string;
  readonly priority: number;
  readonly queue: string;
  readonly lane: string | null;
  readonly revision: number;
  readonly attempt: number;
  readonly lapses: number;
  readonly fence: number;
  readonly cancelling: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly wakeAt: number | null;
  readonly readyAt: number | null;
  readonly wokenAt: number | null;
  readonly holder: string | null;
  readonly claimedAt: number | null;
  readonly body: string;
  readonly outcome: string | null;
}

/** Of `record r left join due d`. Attempt, lapses and fence live in the due row while there is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.key, r.parent, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt) as attempt, coalesce(d.lapses, r.lapses) as lapses,
  coalesce(d.fence, r.fence) as fence, r.cancelling, r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.ended_at as "endedAt", d.wake_at as "wakeAt", d.ready_at as "readyAt",
  d.woken_at as "wokenAt", d.holder, d.claimed_at as "claimedAt", r.body, r.outcome`;

/** Drivers give 64-bit numbers as text; all of ours are times and counts, which a number holds. */
export function rowOf(fields: Fields): Row {
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
  } as Row;
}

export function time(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

const priorities: readonly Priority[] = ["high", "normal", "low"];

export function priorityNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

export function recordOf(row: Row): AnyRecord {
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
    cancelling: row.cancelling,
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
