import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { givenBack, settled } from "../sql/change.ts";
import { type ClaimedRow, claimedRow, recordOf, type SqlRow } from "../sql/row.ts";
import { writeConsequences } from "./consequences.ts";
import { addHistory } from "./history.ts";
import { chooseHolds, replaceHolds } from "./holds.ts";
import { findRow, lockRow, placeRow, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Ends one lease: what was seen, and where that leaves the record. */
export async function settleOne(session: Session, unit: Settle, ids: Ids): Promise<Settled> {
  const row = claimedRow(await lockRow(session, unit.id), unit.fence);
  if (row === undefined) return { result: "stale" };
  const { revision: seen = row.revision } = unit;
  if (seen !== row.revision) return { result: "moved", record: recordOf(row) as Claimed };
  const now = await session.now();
  if ("unstarted" in unit) return giveBack(session, row, unit, now);
  const after = settled(row, unit, now);
  const revision = await write(session, row, after, unit);
  if (unit.consequences === undefined) return { result: "settled", revision };
  const act = { owner: row.owner, by: row.by, now };
  await writeConsequences(session, { act, uid: row.uid, ids }, unit.consequences);
  return { result: "settled", revision: (await findRow(session, row.uid))?.revision ?? revision };
}

async function write(
  session: Session,
  row: ClaimedRow,
  after: SqlRow,
  unit: SettleOf<Shape>,
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
  const after = givenBack(row, unit, now);
  if (after.endedAt === null) {
    await placeRow(session, row, after);
  } else {
    await saveRow(session, row, after);
    const { holder: by, claimedAt } = row;
    await addHistory(session, after, { what: "cancelled", by, at: now, claimedAt });
  }
  return { result: "settled", revision: after.revision };
}
