import type { Act } from "../../kernel/change-row.ts";
import { checkEditable } from "../../kernel/refusals.ts";
import type { Edit } from "../../kernel/unit.ts";
import { edited, isLeased } from "../sql/change.ts";
import { addHistory, addLapse } from "./history.ts";
import { chooseHolds, replaceHolds } from "./holds.ts";
import { lockOwned, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Changes what was asked. Never touches a lease. */
export async function editOne(session: Session, act: Act, edit: Edit): Promise<void> {
  const before = await lockOwned(session, act.owner, edit.id);
  checkEditable({ ...before, id: before.uid }, edit, isLeased(before, act.now));
  const live = !("ends" in edit);
  const names =
    live && edit.holds !== undefined ? await chooseHolds(session, before.id, edit.holds) : null;
  const base = live ? before : await addLapse(session, before, act.now);
  const after = edited(base, edit, act.now);
  await saveRow(session, before, after, edit);
  if (names !== null) await replaceHolds(session, after.id, names);
  await addHistory(session, after, { what: "edited", by: act.by, at: act.now, note: edit.note });
}
