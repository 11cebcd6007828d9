import type { Act } from "../../kernel/change-row.ts";
import type { Cancel } from "../../kernel/unit.ts";
import { type CancelResult, cancelled, isLeased } from "../sql/change.ts";
import { addHistory, addLapse } from "./history.ts";
import { lockOwned, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

export async function cancelOne(
  session: Session,
  act: Act,
  { id, reason }: Cancel,
): Promise<CancelResult> {
  const row = await lockOwned(session, act.owner, id);
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  const leased = isLeased(row, act.now);
  if (leased && row.cancelling) return { result: "cancelling", wrote: false };
  const after = cancelled(leased ? row : await addLapse(session, row, act.now), act.now);
  const result = leased ? "cancelling" : "cancelled";
  await saveRow(session, row, after);
  await addHistory(session, after, { what: result, by: act.by, at: act.now, note: reason });
  return { result, wrote: true };
}
