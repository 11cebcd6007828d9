import type { Cancel, Cancelled } from "../../rules/unit.ts";
import { ended, isLeased } from "../sql-row.ts";
import type { Act, History } from "./history.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./rows.ts";
import type { Statements } from "./statements.ts";

interface CancelResult {
  result: Cancelled["result"];
  /** False when there was nothing to change: it had ended, or the cancel had been asked before. */
  wrote: boolean;
}

export interface Cancelling {
  one(act: Act, uid: string, reason: string | undefined): CancelResult;
  /** As a consequence: an ended record is no error. */
  any(act: Act, cancel: Cancel): void;
}

export function cancelling(sql: Statements, rows: Rows, history: History): Cancelling {
  const childrenOf = sql.all<{ uid: string; live: number }>(`
    select uid, ended_at is null as live from record where parent = ? and owner = ? order by id`);

  const cancelRow = (act: Act, row: Row, reason: string | undefined): CancelResult => {
    if (row.endedAt !== null) return { result: "ended", wrote: false };
    const leased = isLeased(row, act.now);
    if (leased && row.cancelling === 1) return { result: "cancelling", wrote: false };
    const base = leased ? row : history.lapse(row, act.now);
    const result = leased ? "cancelling" : "cancelled";
    const marked = { ...base, revision: row.revision + 1, updatedAt: act.now };
    const after = leased ? { ...marked, cancelling: 1 } : ended(marked, "cancelled", act.now);
    rows.save(row, after);
    history.add(after, { what: result, by: act.by, at: act.now, note: reason });
    return { result, wrote: true };
  };
  const one: Cancelling["one"] = (act, uid, reason) =>
    cancelRow(act, rows.owned(act.owner, uid), reason);

  const under = (act: Act, root: string, reason: string | undefined): void => {
    // Level by level, so that parents go first. A set, because an id that was given by a caller can
    // close a circle of parents.
    const found = new Set([rows.owned(act.owner, root).uid]);
    for (const parent of found) {
      for (const child of childrenOf(parent, act.owner)) {
        if (!found.has(child.uid) && child.live === 1) one(act, child.uid, reason);
        found.add(child.uid);
      }
    }
  };
  return {
    one,
    any(act, cancel) {
      if ("under" in cancel) under(act, cancel.under, cancel.reason);
      else one(act, cancel.id, cancel.reason);
    },
  };
}
