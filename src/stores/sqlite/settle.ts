import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Keep, Kept, Settle, SettleOf, Settled, Unstarted } from "../../kernel/work-unit.ts";
import { givenBack, settled } from "../sql/change.ts";
import { type ClaimedRow, claimedRow, known } from "../sql/row.ts";
import type { Tables } from "./tables.ts";
import { writeConsequences } from "./writes.ts";

/** Ends one lease with its verdict. */
export function settle(tables: Tables, unit: Settle, now: number): Settled {
  const { rows } = tables;
  const row = claimedRow(rows.find(unit.id), unit.fence);
  if (row === undefined) return { result: "stale" };
  const { revision = row.revision } = unit;
  if (revision !== row.revision) {
    return { result: "moved", record: rows.record(row.owner, row.uid) as Claimed };
  }
  const written =
    "unstarted" in unit ? giveBack(tables, row, unit, now) : writeVerdict(tables, row, unit, now);
  return { result: "settled", revision: written };
}

/** Answers the new revision. */
function writeVerdict(tables: Tables, row: ClaimedRow, unit: SettleOf<Shape>, now: number): number {
  const { rows, holds, history } = tables;
  const after = settled(row, unit, now);
  const lives = after.endedAt === null;
  const names = lives && unit.holds !== undefined ? holds.choose(row.id, unit.holds) : null;
  rows.save(row, after, { outcome: unit.outcome });
  if (names !== null) holds.replace(row.id, names);
  const { holder, claimedAt, attempt } = row;
  const change = { what: "settled", by: holder, at: now, claimedAt, note: unit.note } as const;
  history.add({ ...after, attempt }, change);
  writeConsequences(tables, { owner: row.owner, by: row.by, now }, row.uid, unit.consequences);
  const isSame = !changesItself(unit.consequences, row.uid);
  return isSame ? after.revision : known(rows.find(row.uid)).revision;
}

function giveBack(
  { rows, history }: Tables,
  row: ClaimedRow,
  unit: Unstarted,
  now: number,
): number {
  const after = givenBack(row, unit, now);
  if (after.endedAt === null) {
    rows.saveDue(row, after);
  } else {
    rows.save(row, after);
    const { holder: by, claimedAt } = row;
    history.add(after, { what: "cancelled", by, at: now, claimedAt });
  }
  return after.revision;
}

/** A consequence may be a change of the unit's own record. */
function changesItself({ edit = [], cancel = [] }: Consequences = {}, id: string): boolean {
  return edit.some((each) => each.id === id) || cancel.some((each) => each.id === id);
}

/** Extends one lease, and stores the outcome so far. */
export function keep({ rows, history }: Tables, unit: Keep, now: number): Kept {
  const row = claimedRow(rows.find(unit.id), unit.fence);
  if (row === undefined) return { result: "stale" };
  const extended = { ...row, wakeAt: now + unit.leaseMs };
  if (unit.outcome === undefined && unit.note === undefined) {
    rows.saveDue(row, extended);
  } else {
    rows.save(row, { ...extended, updatedAt: now }, { outcome: unit.outcome });
    history.add(extended, { what: "kept", by: row.holder, at: now, note: unit.note });
  }
  return { result: "kept", cancelling: row.cancelling };
}
