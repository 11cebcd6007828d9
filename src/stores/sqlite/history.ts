import type { Note } from "../../kernel/change-row.ts";
import { lapsed } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import type { Statements } from "./statements.ts";

export interface History {
  /** One row for one visible change, which left the record as `row` says. */
  add(row: SqlRow, note: Note): void;
  /** The fate of the attempt that held the lease is unknown. Answers the record without the lease. */
  lapse(row: SqlRow, now: number): SqlRow;
}

const columns = "id, owner, what, state, revision, attempt, at, by, claimed_at, note";

export function history(sql: Statements): History {
  const insert = sql.insertLater("history", columns);
  const add = (row: SqlRow, { what, by, at, claimedAt, note }: Note): void => {
    const head = [row.id, row.owner, what, row.state, row.revision, row.attempt];
    insert(...head, at, by, claimedAt ?? null, note ?? null);
  };
  return {
    add,
    lapse(row, now) {
      if (row.holder === null) return row;
      add(row, { what: "lapsed", by: row.holder, at: now, claimedAt: row.claimedAt });
      return lapsed(row);
    },
  };
}
