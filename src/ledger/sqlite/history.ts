import type { Change } from "../reading.ts";
import type { Row } from "./row.ts";
import type { Statements } from "./statements.ts";

/** Who acts on whose records, and when: the store's clock, read once per call. */
export interface Act {
  readonly owner: string;
  readonly by: string;
  readonly now: number;
}

interface Note {
  readonly what: Change["what"];
  readonly by: string;
  readonly at: number;
  readonly claimedAt?: number | null;
  readonly note?: string | undefined;
}

export interface History {
  /** One row for one visible change, which left the record as `row` says. */
  add(row: Row, note: Note): void;
  /** The fate of the attempt that held the lease is unknown. Answers the record without the lease. */
  lapse(row: Row, now: number): Row;
}

export function history(sql: Statements): History {
  const insert = sql.run(`
    insert into history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const add = (row: Row, { what, by, at, claimedAt, note }: Note): void => {
    const head = [row.id, row.owner, what, row.state, row.revision, row.attempt];
    insert(...head, at, by, claimedAt ?? null, note ?? null);
  };
  return {
    add,
    lapse(row, now) {
      if (row.holder === null) return row;
      add(row, { what: "lapsed", by: row.holder, at: now, claimedAt: row.claimedAt });
      return { ...row, lapses: row.lapses + 1, holder: null, claimedAt: null };
    },
  };
}
