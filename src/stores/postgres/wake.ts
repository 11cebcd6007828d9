import type { Act } from "../../kernel/change-row.ts";
import type { Wake } from "../../kernel/unit.ts";
import { woken } from "../sql/change.ts";
import { lockOwned, placeRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Looks at a live record now. */
export async function wakeOne(session: Session, act: Act, wake: Wake): Promise<void> {
  const row = await lockOwned(session, act.owner, wake.id);
  if (row.endedAt !== null) return;
  await placeRow(session, row, woken(row, act.now));
}
