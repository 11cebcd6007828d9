import type { Act } from "../../kernel/change-row.ts";
import type { Wake } from "../../kernel/unit.ts";
import { woken } from "../sql/change.ts";
import type { Rows } from "./rows.ts";

/** Looks at a live record now. */
export type WakeOne = (act: Act, wake: Wake) => void;

export function waking(rows: Rows): WakeOne {
  return (act, wake) => {
    const row = rows.owned(act.owner, wake.id);
    if (row.endedAt !== null) return;
    rows.place(row, woken(row, act.now));
  };
}
