import type { Keep, Kept } from "../work-unit.ts";
import { fenced } from "./fenced.ts";
import type { WriteFollows } from "./follows.ts";
import type { History } from "./history.ts";
import type { Rows } from "./rows.ts";

/** Extends one lease, with what must not wait for the end. */
export function keeping(
  rows: Rows,
  history: History,
  writeFollows: WriteFollows,
): (unit: Keep, now: number) => Kept {
  return (unit, now) => {
    const row = fenced(rows, unit);
    if (row === undefined) return { result: "stale" };
    const extended = { ...row, wakeAt: now + unit.leaseMs };
    if (unit.outcome === undefined && unit.note === undefined) {
      rows.place(row, extended);
    } else {
      rows.save(row, { ...extended, updatedAt: now }, { outcome: unit.outcome });
      history.add(extended, { what: "kept", by: row.holder, at: now, note: unit.note });
    }
    if (unit.follows === undefined) return { result: "kept", cancelling: row.cancelling === 1 };
    writeFollows({ owner: row.owner, by: row.by, now }, row.uid, unit.follows);
    return { result: "kept", cancelling: rows.find(row.uid)?.cancelling === 1 };
  };
}
