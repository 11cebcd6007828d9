import type { Leased } from "../work-unit.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./rows.ts";

/** A claimed record: what a holder may write to. */
export type ClaimedRow = Row & { holder: string; claimedAt: number; wakeAt: number };

/** The record, if the caller has its newest lease (lapsed or not). */
export function fenced(rows: Rows, { id, fence }: Leased): ClaimedRow | undefined {
  const row = rows.find(id);
  if (row === undefined || row.holder === null || row.fence !== fence) return undefined;
  return row as ClaimedRow; // a holder is set only together with the rest of the lease
}
