import type { Leased } from "../work-unit.ts";
import type { Row } from "./row.ts";
import { lockRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** A claimed record: what a holder may write to. */
export type ClaimedRow = Row & { holder: string; claimedAt: number; wakeAt: number };

/** The record, if the caller has its newest lease (lapsed or not). */
export async function lockFenced(
  session: Session,
  { id, fence }: Leased,
): Promise<ClaimedRow | undefined> {
  const row = await lockRow(session, id);
  if (row === undefined || row.holder === null || row.fence !== fence) return undefined;
  return row as ClaimedRow; // a holder is set only together with the rest of the lease
}
