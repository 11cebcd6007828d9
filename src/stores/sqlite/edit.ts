import type { Act } from "../../kernel/change-row.ts";
import { checkEditable } from "../../kernel/refusals.ts";
import type { Edit } from "../../kernel/unit.ts";
import { edited, isLeased } from "../sql/change.ts";
import type { History } from "./history.ts";
import type { Holds } from "./holds.ts";
import type { Rows } from "./rows.ts";

/** Changes what was asked. Never touches a lease. */
export type EditOne = (act: Act, edit: Edit) => void;

export function editing(rows: Rows, holds: Holds, history: History): EditOne {
  return (act, edit) => {
    const before = rows.owned(act.owner, edit.id);
    checkEditable({ ...before, id: before.uid }, edit, isLeased(before, act.now));
    const live = !("ends" in edit);
    const names = live && edit.holds !== undefined ? holds.choose(before.id, edit.holds) : null;
    const base = live ? before : history.lapse(before, act.now);
    const after = edited(base, edit, act.now);
    rows.save(before, after, edit);
    if (names !== null) holds.replace(after.id, names);
    history.add(after, { what: "edited", by: act.by, at: act.now, note: edit.note });
  };
}
