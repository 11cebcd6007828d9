import type { Note } from "../../kernel/change-row.ts";
import { lapsed } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import type { Session } from "./transactions.ts";

/** One row for one visible change, which left the record as `row` says. */
export async function addHistory(session: Session, row: SqlRow, note: Note): Promise<void> {
  const { id, owner, state, revision, attempt } = row;
  const { what, at, by, claimedAt = null } = note;
  await session.query(
    `insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, owner, what, state, revision, attempt, at, by, claimedAt, note.note ?? null],
  );
}

/** The fate of the attempt that held the lease is unknown. Answers the record without the lease. */
export async function addLapse(session: Session, row: SqlRow, now: number): Promise<SqlRow> {
  if (row.holder === null) return row;
  const { holder: by, claimedAt } = row;
  await addHistory(session, row, { what: "lapsed", by, at: now, claimedAt });
  return lapsed(row);
}
