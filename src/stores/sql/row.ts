import type { Page } from "../../kernel/query.ts";
import { type AnyRecord, priorities, type Priority } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";

type Shared =
  | "kind"
  | "owner"
  | "by"
  | "state"
  | "queue"
  | "lane"
  | "revision"
  | "attempt"
  | "lapses"
  | "cancelling"
  | "updatedAt"
  | "endedAt"
  | "wakeAt"
  | "readyAt";

/** A record joined with its due row. `wakeAt` is null without a due row. */
export interface SqlRow extends Pick<AnyRecord, Shared> {
  readonly id: number;
  readonly uid: string;
  readonly priority: number;
  readonly fence: number;
  readonly wokenAt: number | null;
  readonly holder: string | null;
  readonly claimedAt: number | null;
}

/** With the columns that are wide or never change. */
export interface FullSqlRow extends SqlRow, Pick<AnyRecord, "key" | "parent" | "createdAt"> {
  readonly body: string;
  readonly outcome: string | null;
}

/** A row under a lease, lapsed or not. */
export type ClaimedRow<R extends SqlRow = SqlRow> = R & {
  readonly holder: string;
  readonly claimedAt: number;
  readonly wakeAt: number;
};

/** New values of a record; an absent one stays. */
export interface Texts {
  body?: unknown;
  outcome?: unknown;
}

/** Priorities as the tables store them. */
export const priorityNumbers: readonly number[] = [...priorities.keys()];

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
    cancelling: row.cancelling,
    readyAt: row.readyAt,
    wakeAt: row.wakeAt,
    lease: holder === null ? null : { holder, fence, claimedAt },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    endedAt: row.endedAt,
  } as AnyRecord;
}

/** What comes after all texts that start with this, in the order of their bytes. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** A page of records. `found` has one row more than the limit when there is a next page. */
export function pageOf(found: readonly FullSqlRow[], limit: number): Page {
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { records: page.map(recordOf), next: next === null ? null : String(next) };
}

export function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The row, if the fence is that of its newest lease, lapsed or not. */
export function claimedRow<R extends SqlRow>(
  row: R | undefined,
  fence: number,
): ClaimedRow<R> | undefined {
  if (row === undefined || row.holder === null || row.fence !== fence) return undefined;
  return row as ClaimedRow<R>; // a holder is set only together with the rest of the lease
}

export function known<T>(record: T | undefined): T {
  if (record === undefined) throw new DaybookError("bug", "A record disappeared within its unit.");
  return record;
}
