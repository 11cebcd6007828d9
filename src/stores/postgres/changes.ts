import { pageSize, type Change, type Changes, type ChangesQuery } from "../../kernel/reading.ts";
import { noCursor } from "../../kernel/refusals.ts";
import type { Executor, Fields, Param } from "./executors.ts";
import { time } from "./row.ts";

const columns = `
  h.xid, h.seq, r.uid, r.kind, h.what, h.state, h.revision, h.attempt, h.at, h.by,
  h.claimed_at, h.note`;

/**
 * The feed. Numbers are given out before their commits, so that a reader who resumes after a number would
 * miss what is committed later under a smaller one. It reads in the order of transactions instead, and
 * only those that no open one can precede: a write transaction that stays open, anywhere in the cluster,
 * delays the feed until it ends. One record's own history is written under that record's lock, and is
 * complete at once.
 */
export async function readChanges(
  sql: Executor,
  owner: string,
  query: ChangesQuery,
): Promise<Changes> {
  const start = query.after ?? "0-0";
  const { xid, seq } = parsePlace(start);
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

/** A place in the feed: transaction, then the row's own number. */
function parsePlace(after: string): { xid: string; seq: string } {
  const [, xid, seq] = /^(\d{1,18})-(\d{1,15})$/.exec(after) ?? [];
  if (xid === undefined || seq === undefined) throw noCursor(after);
  return { xid, seq };
}

function changeOf(fields: Fields): Change {
  const { uid: id, kind, what, state, revision, attempt, by, note } = fields;
  const times = { at: Number(fields["at"]), claimedAt: time(fields["claimed_at"]) };
  return { id, kind, what, state, revision, attempt, ...times, by, note } as Change;
}
