import type { ChangeFields } from "../../kernel/change-row.ts";
import {
  pageSize,
  parseCursor,
  type Change,
  type Changes,
  type ChangesQuery,
} from "../../kernel/query.ts";
import { lapsed } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import type { Rows } from "./rows.ts";
import { type Statements, upTo } from "./statements.ts";

export interface History {
  /** Adds one visible change. `row` is the record after it. */
  add(row: SqlRow, note: ChangeFields): void;
  /** The row without its lease, if it has one. Adds that the lease lapsed: the attempt's result is unknown. */
  lapse(row: SqlRow, now: number): SqlRow;
}

const columns = "id, owner, what, state, revision, attempt, at, by, claimed_at, note";

export function history(sql: Statements): History {
  const insert = sql.insertLater("history", columns);
  const add = (row: SqlRow, { what, by, at, claimedAt, note }: ChangeFields): void => {
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

interface ChangeRow {
  readonly seq: number;
  readonly change: Change;
}

/** The feed of changes. One transaction at a time assigns `seq`, so its order is the order of commits. */
export function prepareChanges(
  sql: Statements,
  rows: Rows,
): (owner: string, query: ChangesQuery) => Changes {
  const select = (where: string): string => `
    select h.seq, r.uid, r.kind, h.what, h.state, h.revision, h.attempt, h.at, h.by, h.claimed_at, h.note
    from history h join record r on r.id = h.id where ${where}
    order by h.seq ${upTo("?")}`;
  const ofOwner = sql.all(select(`h.owner = ? and h.seq > ?`), changeRowOf);
  const ofRecord = sql.all(select(`h.id = ? and h.seq > ?`), changeRowOf);

  const find = (owner: string, query: ChangesQuery, after: number): readonly ChangeRow[] => {
    const limit = pageSize(query.limit);
    if (query.id === undefined) return ofOwner(owner, after, limit);
    const row = rows.find(query.id);
    return row?.owner === owner ? ofRecord(row.id, after, limit) : [];
  };
  return (owner, query) => {
    sql.flush();
    const start = query.after ?? "0";
    const found = find(owner, query, parseCursor(start));
    const cursor = String(found.at(-1)?.seq ?? start);
    return { changes: found.map(({ change }) => change), cursor };
  };
}

function changeRowOf(values: readonly unknown[]): ChangeRow {
  const [seq, id, kind, what, state, revision, attempt, at, by, claimedAt, note] = values;
  const change = { id, kind, what, state, revision, attempt, at, by, claimedAt, note };
  return { seq, change } as ChangeRow;
}
