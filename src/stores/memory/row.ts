import type { AnyRecord, Claimed } from "../../kernel/record.ts";
import type { Placement } from "../../kernel/unit.ts";

/** A record as the store keeps it. A write replaces the row and never changes it. */
export interface Row extends Omit<AnyRecord, "lease"> {
  /** Order of appending. */
  readonly seq: number;
  readonly holds: readonly string[];
  /** The earliest wake during the lease. */
  readonly wokenAt: number | null;
  readonly fence: number;
  readonly lease: { readonly holder: string; readonly claimedAt: number } | null;
}

/** A row with a wake time. */
export type DueRow = Row & { readonly wakeAt: number };
/** A row under a lease, lapsed or not. */
export type ClaimedRow = DueRow & { readonly lease: NonNullable<Row["lease"]> };

export function isDueRow(row: Row): row is DueRow {
  return row.wakeAt !== null;
}

export function isClaimed(row: Row): row is ClaimedRow {
  return row.lease !== null;
}

/** Claimed, and the lease has not lapsed. */
export function isLeased(row: Row, now: number): row is ClaimedRow {
  return isClaimed(row) && row.wakeAt > now;
}

/** The record that callers see. */
export function toRecord(row: Row): AnyRecord {
  // Property by property: a rest and a spread of so many are much slower.
  return {
    kind: row.kind,
    id: row.id,
    owner: row.owner,
    by: row.by,
    key: row.key,
    parent: row.parent,
    state: row.state,
    priority: row.priority,
    queue: row.queue,
    lane: row.lane,
    revision: row.revision,
    attempt: row.attempt,
    lapses: row.lapses,
    body: row.body,
    outcome: row.outcome,
    cancelling: row.cancelling,
    wakeAt: row.wakeAt,
    readyAt: row.readyAt,
    lease: row.lease && { ...row.lease, fence: row.fence },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    endedAt: row.endedAt,
  };
}

export function toClaimed(row: ClaimedRow): Claimed {
  return toRecord(row) as Claimed;
}

/** A frozen copy of a JSON value: neither the caller nor a reader can change a stored value. */
export function plain(value: unknown): unknown {
  return frozen(JSON.parse(JSON.stringify(value)));
}

function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** `max(now, at)`: nothing is due in the past. */
export function notBefore(now: number, at: number): number {
  return Math.max(now, at);
}

export function placed(row: Row, placement: Placement): Row {
  const { priority = row.priority, queue = row.queue, lane = row.lane } = placement;
  return { ...row, priority, queue, lane };
}

/** The row after its end: without lease, wake time and holds. */
export function ended(row: Row, state: string, now: number): Row {
  return {
    ...row,
    state,
    revision: row.revision + 1,
    endedAt: now,
    holds: [],
    lease: null,
    wakeAt: null,
    readyAt: null,
    wokenAt: null,
  };
}
