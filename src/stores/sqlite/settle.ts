import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Keep, Kept, Settle, SettleOf, Settled, Unstarted } from "../../kernel/work-unit.ts";
import { givenBack, settled } from "../sql/change.ts";
import { type ClaimedRow, claimedRow, known } from "../sql/row.ts";
import type { History } from "./history.ts";
import type { Holds } from "./names.ts";
import type { Rows } from "./rows.ts";
import type { WriteConsequences } from "./writes.ts";

interface Parts {
  rows: Rows;
  holds: Holds;
  history: History;
  writeFollows: WriteConsequences;
}

/** Ends one lease: what was seen, and where that leaves the record. */
export function settling(parts: Parts): (unit: Settle, now: number) => Settled {
  const { rows, holds, history, writeFollows } = parts;

  const settle = (row: ClaimedRow, unit: SettleOf<Shape>, now: number): Settled => {
    const after = settled(row, unit, now);
    const lives = after.endedAt === null;
    const names = lives && unit.holds !== undefined ? holds.choose(row.id, unit.holds) : null;
    rows.save(row, after, { outcome: unit.outcome });
    if (names !== null) holds.replace(row.id, names);
    const { holder, claimedAt, attempt } = row;
    const change = { what: "settled", by: holder, at: now, claimedAt, note: unit.note } as const;
    history.add({ ...after, attempt }, change);
    writeFollows({ owner: row.owner, by: row.by, now }, row.uid, unit.consequences);
    const isSame = !changesItself(unit.consequences, row.uid);
    const revision = isSame ? after.revision : known(rows.find(row.uid)).revision;
    return { result: "settled", revision };
  };
  const giveBack = (row: ClaimedRow, unit: Unstarted, now: number): Settled => {
    const after = givenBack(row, unit, now);
    if (after.endedAt === null) {
      rows.place(row, after);
    } else {
      rows.save(row, after);
      const { holder: by, claimedAt } = row;
      history.add(after, { what: "cancelled", by, at: now, claimedAt });
    }
    return { result: "settled", revision: after.revision };
  };
  return (unit, now) => {
    const row = claimedRow(rows.find(unit.id), unit.fence);
    if (row === undefined) return { result: "stale" };
    const { revision = row.revision } = unit;
    if (revision !== row.revision) {
      return { result: "moved", record: rows.record(row.owner, row.uid) as Claimed };
    }
    return "unstarted" in unit ? giveBack(row, unit, now) : settle(row, unit, now);
  };
}

/** A consequence may be a change of the unit's own record. */
function changesItself({ edit = [], cancel = [] }: Consequences = {}, id: string): boolean {
  return edit.some((each) => each.id === id) || cancel.some((each) => each.id === id);
}

/** Extends one lease, with what was seen so far. */
export function keeping(rows: Rows, history: History): (unit: Keep, now: number) => Kept {
  return (unit, now) => {
    const row = claimedRow(rows.find(unit.id), unit.fence);
    if (row === undefined) return { result: "stale" };
    const extended = { ...row, wakeAt: now + unit.leaseMs };
    if (unit.outcome === undefined && unit.note === undefined) {
      rows.place(row, extended);
    } else {
      rows.save(row, { ...extended, updatedAt: now }, { outcome: unit.outcome });
      history.add(extended, { what: "kept", by: row.holder, at: now, note: unit.note });
    }
    return { result: "kept", cancelling: row.cancelling };
  };
}
