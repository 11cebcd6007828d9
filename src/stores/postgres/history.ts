import type { ChangeFields } from "../../kernel/change-row.ts";
import { invalidCursor } from "../../kernel/ledger-errors.ts";
import { pageSize, type Change, type Changes, type ChangesQuery } from "../../kernel/query.ts";
import { lapsed } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import type { Executor, Fields, Param } from "./executors.ts";
import { time } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Adds one visible change. `row` is the record after it. */
export async function addHistory(session: Session, row: SqlRow, note: ChangeFields): Promise<void> {
  const { id, owner, state, revision, attempt } = row;
  const { what, at, by, claimedAt = null } = note;
  await session.query(
    `insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, owner, what, state, revision, attempt, at, by, claimedAt, note.note ?? null],
  );
}

/** The row without its lease, if it has one. Adds that the lease lapsed: the attempt's result is unknown. */
export async function addLapse(session: Session, row: SqlRow, now: number): Promise<SqlRow> {
  if (row.holder === null) return row;
  const { holder: by, claimedAt } = row;
  await addHistory(session, row, { what: "lapsed", by, at: now, claimedAt });
  return lapsed(row);
}

const columns = `
  h.xid, h.seq, r.uid, r.kind, h.what, h.state, h.revision, h.attempt, h.at, h.by,
  h.claimed_at, h.note`;

/**
 * The feed of changes. Numbers are assigned before their commits, so a reader that resumes after a number would
 * miss changes that commit later with a smaller one. The feed is in the order of transactions instead, and has
 * only those that no open one can precede: a write transaction that stays open, anywhere in the cluster, delays
 * it until it ends. The history of one record is written under that record's lock, and is complete at once.
 */
export async function readChanges(
  sql: Executor,
  owner: string,
  query: ChangesQuery,
): Promise<Changes> {
  const start = query.after ?? "0-0";
  const { xid, seq } = parsePosition(start);
  const params: Param[] = [owner, seq, pageSize(query.limit)];
  const where = ["h.owner = $1"];
  if (query.id === undefined) {
    where.push(`(h.xid, h.seq) > ($${params.push(xid)}::bigint, $2::bigint)`);
    where.push(
      "h.xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint + daybook.xid_lift()",
    );
  } else {
    where.push(`r.uid = $${params.push(query.id)} and r.owner = $1 and h.seq > $2::bigint`);
  }
  const found = await sql.query(
    `select ${columns} from daybook.history h join daybook.record r on r.id = h.id
     where ${where.join(" and ")}
     order by ${query.id === undefined ? "h.xid, h.seq" : "h.seq"} limit $3`,
    params,
  );
  const last = found.at(-1);
  const cursor = last === undefined ? start : `${String(last["xid"])}-${String(last["seq"])}`;
  return { changes: found.map(changeOf), cursor };
}

/** A position in the feed: the transaction, then the row's own number. */
function parsePosition(after: string): { xid: string; seq: string } {
  const [, xid, seq] = /^(\d{1,18})-(\d{1,15})$/.exec(after) ?? [];
  if (xid === undefined || seq === undefined) throw invalidCursor(after);
  return { xid, seq };
}

function changeOf(fields: Fields): Change {
  const { uid: id, kind, what, state, revision, attempt, by, note } = fields;
  const times = { at: Number(fields["at"]), claimedAt: time(fields["claimed_at"]) };
  return { id, kind, what, state, revision, attempt, ...times, by, note } as Change;
}
