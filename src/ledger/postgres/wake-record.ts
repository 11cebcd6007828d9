import type { Wake } from "../../rules/unit.ts";
import { waiting } from "../sql-row.ts";
import type { Act } from "./history.ts";
import { lockOwned, placeRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Looks at a live record at a time, or sooner if it was due sooner. */
export async function wakeOne(session: Session, act: Act, wake: Wake): Promise<void> {
  const row = await lockOwned(session, act.owner, wake.id);
  if (row.endedAt !== null) return;
  const at = Math.max(act.now, wake.at ?? act.now);
  const after =
    row.holder === null
      ? waiting(row, Math.min(row.wakeAt ?? at, at))
      : { ...row, wokenAt: Math.min(row.wokenAt ?? at, at) };
  await placeRow(session, row, after);
}
