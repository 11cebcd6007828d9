import type { Act } from "../../kernel/change-row.ts";
import type { Cancel } from "../../kernel/unit.ts";
import { type CancelResult, cancelled, isLeased } from "../sql/change.ts";
import type { History } from "./history.ts";
import type { Rows } from "./rows.ts";

/** Ends a record, or asks whoever is at work on it to stop. */
export type CancelOne = (act: Act, cancel: Cancel) => CancelResult;

export function cancelling(rows: Rows, history: History): CancelOne {
  return (act, { id, reason }) => {
    const row = rows.owned(act.owner, id);
    if (row.endedAt !== null) return { result: "ended", wrote: false };
    const leased = isLeased(row, act.now);
    if (leased && row.cancelling) return { result: "cancelling", wrote: false };
    const after = cancelled(leased ? row : history.lapse(row, act.now), act.now);
    const result = leased ? "cancelling" : "cancelled";
    rows.save(row, after);
    history.add(after, { what: result, by: act.by, at: act.now, note: reason });
    return { result, wrote: true };
  };
}
