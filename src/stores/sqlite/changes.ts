import {
  pageSize,
  parseCursor,
  type Change,
  type Changes,
  type ChangesQuery,
} from "../../kernel/reading.ts";
import type { Rows } from "./rows.ts";
import { upTo, type Statements } from "./statements.ts";

interface ChangeRow {
  readonly seq: number;
  readonly change: Change;
}

/** The feed. One writer at a time gives out `seq`, so its order is the order of commits. */
export function changing(
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
