import type { Ids } from "../../base/ids.ts";
import type { Kind } from "../../rules/kinds.ts";
import type { Claimed } from "../../rules/record.ts";
import { endOf, ended, placed, recordOf, waiting } from "../sql-row.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../work-unit.ts";
import { type ClaimedRow, lockFenced } from "./fenced.ts";
import { writeFollows } from "./follows.ts";
import { addHistory } from "./history.ts";
import { chooseHolds, replaceHolds } from "./holds.ts";
import type { Row } from "./row.ts";
import { findRow, placeRow, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Ends one lease: what was seen, and where that leaves the record. */
export async function settleOne(session: Session, unit: Settle, ids: Ids): Promise<Settled> {
  const row = await lockFenced(session, unit);
  if (row === undefined) return { result: "stale" };
  const now = await session.now();
  if ("unstarted" in unit) return giveBack(session, row, unit, now);
  if (unit.revision !== row.revision) return { result: "moved", record: recordOf(row) as Claimed };
  const after = next(row, unit, now);
  const revision = await write(session, row, after, unit);
  if (unit.follows === undefined) return { result: "settled", revision };
  const act = { owner: row.owner, by: row.by, now };
  await writeFollows(session, { act, uid: row.uid, ids }, unit.follows);
  return { result: "settled", revision: (await findRow(session, row.uid))?.revision ?? revision };
}

async function write(
  session: Session,
  row: ClaimedRow,
  after: Row,
  unit: SettleOf<Kind>,
): Promise<number> {
  const { holder: by, claimedAt, attempt } = row;
  const lives = after.endedAt === null;
  const names =
    lives && unit.holds !== undefined ? await chooseHolds(session, row.id, unit.holds) : null;
  await saveRow(session, row, after, { outcome: unit.outcome });
  if (names !== null) await replaceHolds(session, row.id, names);
  const change = { what: "settled", by, at: after.updatedAt, claimedAt, note: unit.note } as const;
  await addHistory(session, { ...after, attempt }, change);
  return after.revision;
}

async function giveBack(
  session: Session,
  row: ClaimedRow,
  unit: Unstarted,
  now: number,
): Promise<Settled> {
  const back = { ...row, attempt: row.attempt - 1 };
  if (!row.cancelling) {
    const at = soonest(now, unit.wakeAt, row.wokenAt);
    await placeRow(session, row, { ...waiting(back, at), readyAt: row.readyAt });
    return { result: "settled", revision: row.revision };
  }
  const after = ended({ ...back, revision: row.revision + 1, updatedAt: now }, "cancelled", now);
  await saveRow(session, row, after);
  const { holder: by, claimedAt } = row;
  await addHistory(session, after, { what: "cancelled", by, at: now, claimedAt });
  return { result: "settled", revision: after.revision };
}

function next(row: ClaimedRow, unit: SettleOf<Kind>, now: number): Row {
  const settled = { ...placed(row, unit), revision: row.revision + 1, updatedAt: now };
  const end = endOf(unit) ?? (row.cancelling ? "cancelled" : undefined);
  if (end !== undefined || "ends" in unit) return ended(settled, end ?? row.state, now);
  const counts = unit.freshStart ? { attempt: 0, lapses: 0 } : {};
  const at = soonest(now, unit.wakeAt ?? null, row.wokenAt);
  return { ...waiting(settled, at), ...counts, state: unit.state };
}

/** The wake time that was asked for, or that of a wake during the lease. Null: nobody must look. */
function soonest(now: number, asked: number | null, wokenAt: number | null): number | null {
  if (asked === null && wokenAt === null) return null;
  return Math.max(now, Math.min(asked ?? Infinity, wokenAt ?? Infinity));
}
