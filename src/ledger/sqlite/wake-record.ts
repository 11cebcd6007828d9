import type { Wake } from "../../rules/unit.ts";
import { waiting } from "../sql-row.ts";
import type { Act } from "./history.ts";
import type { Rows } from "./rows.ts";

/** Looks at a live record at a time, or sooner if it was due sooner. */
export type WakeOne = (act: Act, wake: Wake) => void;

export function waking(rows: Rows): WakeOne {
  return (act, wake) => {
    const row = rows.owned(act.owner, wake.id);
    if (row.endedAt !== null) return;
    const at = Math.max(act.now, wake.at ?? act.now);
    if (row.holder !== null) {
      rows.place(row, { ...row, wokenAt: Math.min(row.wokenAt ?? at, at) });
    } else {
      rows.place(row, waiting(row, Math.min(row.wakeAt ?? at, at)));
    }
  };
}
