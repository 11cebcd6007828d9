import type { FullSqlRow } from "../sql/row.ts";
import type { Fields } from "./executors.ts";

/** Of `record r left join due d`. Attempt, lapses and fence live in the due row while there is one. */
export const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.key, r.parent, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt) as attempt, coalesce(d.lapses, r.lapses) as lapses,
  coalesce(d.fence, r.fence) as fence, r.cancelling, r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.ended_at as "endedAt", d.wake_at as "wakeAt", d.ready_at as "readyAt",
  d.woken_at as "wokenAt", d.holder, d.claimed_at as "claimedAt", r.body, r.outcome`;

/** Drivers give 64-bit numbers as text; all of ours are times and counts, which a number holds. */
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
