import type { Keep, Kept } from "../../kernel/work-unit.ts";
import { claimedRow } from "../sql/row.ts";
import type { History } from "./history.ts";
import type { Rows } from "./rows.ts";

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
