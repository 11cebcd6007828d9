import { DaybookError } from "../base/errors.ts";
import type { Kind } from "../rules/kinds.ts";
import type { AnyRecord, Priority } from "../rules/record.ts";
import type { Edit, Placement } from "../rules/unit.ts";

/** A record and its due row as one, as the SQL stores read them. `wakeAt` is null without a due row. */
export interface SqlRow {
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
  readonly cancelling: number | boolean;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly wakeAt: number | null;
  readonly readyAt: number | null;
  readonly wokenAt: number | null;
  readonly holder: string | null;
  readonly claimedAt: number | null;
}

/** All that a record shows. */
export interface FullSqlRow extends SqlRow {
  readonly key: string | null;
  readonly parent: string | null;
  readonly createdAt: number;
  readonly body: string;
  readonly outcome: string | null;
}

const priorities: readonly Priority[] = ["high", "normal", "low"];

export function priorityNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

export function recordOf(row: FullSqlRow): AnyRecord {
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
    cancelling: Boolean(row.cancelling),
    readyAt: row.readyAt,
    wakeAt: row.wakeAt,
    lease: holder === null ? null : { holder, fence, claimedAt },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    endedAt: row.endedAt,
  } as AnyRecord;
}

/** Somebody is at work on it, and the lease has not run out. */
export function isLeased(row: SqlRow, now: number): boolean {
  return row.holder !== null && row.wakeAt !== null && row.wakeAt > now;
}

export function waiting<R extends SqlRow>(row: R, at: number | null): R {
  return { ...row, wakeAt: at, readyAt: at, wokenAt: null, holder: null, claimedAt: null };
}

/** An end never changes again. */
export function ended<R extends SqlRow>(row: R, state: string, now: number): R {
  return { ...waiting(row, null), state, endedAt: now };
}

/** Which end was asked for, if one was: a field that is `undefined` is absent. */
export function endOf(asked: object): string | undefined {
  return "ends" in asked && typeof asked.ends === "string" ? asked.ends : undefined;
}

/** The row with the placement that was asked for. */
export function placed<R extends SqlRow>(row: R, to: Placement): R {
  return {
    ...row,
    priority: to.priority === undefined ? row.priority : priorityNumber(to.priority),
    queue: to.queue ?? row.queue,
    lane: to.lane === undefined ? row.lane : to.lane,
  };
}

/** Throws when the record is not as the edit says, or may not be edited. */
export function checkEditable(row: SqlRow, edit: Edit, now: number): void {
  if (row.kind !== edit.kind) throw notFound(row.uid);
  if (row.endedAt !== null) {
    throw new DaybookError("ended", `The record ${row.uid} has ended: it never changes again.`, {
      details: { state: row.state },
    });
  }
  const { ifRevision = row.revision, ifState = row.state } = edit;
  if (ifRevision !== row.revision || ifState !== row.state) {
    throw new DaybookError("stale", `The record ${row.uid} has changed: read it and ask again.`, {
      details: { revision: row.revision, state: row.state },
    });
  }
  if (endOf(edit) !== undefined && isLeased(row, now)) {
    throw new DaybookError(
      "leased",
      `Somebody is at work on ${row.uid}: cancel it, or wait until it is settled.`,
    );
  }
}

/** The row as the edit leaves it. */
export function edited<R extends SqlRow>(row: R, edit: Edit, now: number): R {
  const base = { ...placed(row, edit), revision: row.revision + 1, updatedAt: now };
  const end = endOf(edit);
  if (end !== undefined || "ends" in edit) return ended(base, end ?? row.state, now);
  const after = { ...base, state: edit.state ?? row.state };
  const { wakeAt } = edit;
  // Under a lease the wake time is ignored: the rule reads the body when it decides again.
  if (wakeAt === undefined || row.holder !== null) return after;
  return waiting(after, wakeAt === null ? null : Math.max(now, wakeAt));
}

export function notFound(uid: string): DaybookError {
  return new DaybookError("not_found", `There is no record ${uid} in this book.`, {
    details: { id: uid },
  });
}
