import type { Cancel, Cancelled } from "../../rules/unit.ts";
import { ended, isLeased } from "../sql-row.ts";
import { type Act, addHistory, addLapse } from "./history.ts";
import type { Row } from "./row.ts";
import { lockOwned, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

interface CancelResult {
  result: Cancelled["result"];
  /** False when there was nothing to change: it had ended, or the cancel had been asked before. */
  wrote: boolean;
}

export async function cancelOne(
  session: Session,
  act: Act,
  uid: string,
  reason: string | undefined,
): Promise<CancelResult> {
  const row = await lockOwned(session, act.owner, uid);
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  const leased = isLeased(row, act.now);
  if (leased && row.cancelling) return { result: "cancelling", wrote: false };
  const base = leased ? row : await addLapse(session, row, act.now);
  const after = next(base, leased, act.now);
  const result = leased ? "cancelling" : "cancelled";
  await saveRow(session, row, after);
  await addHistory(session, after, { what: result, by: act.by, at: act.now, note: reason });
  return { result, wrote: true };
}

function next(row: Row, leased: boolean, now: number): Row {
  const marked = { ...row, revision: row.revision + 1, updatedAt: now };
  return leased ? { ...marked, cancelling: true } : ended(marked, "cancelled", now);
}

/** As a consequence: an ended record is no error. */
export async function cancelAny(session: Session, act: Act, cancel: Cancel): Promise<void> {
  if ("under" in cancel) await cancelUnder(session, act, cancel.under, cancel.reason);
  else await cancelOne(session, act, cancel.id, cancel.reason);
}

async function cancelUnder(
  session: Session,
  act: Act,
  root: string,
  reason: string | undefined,
): Promise<void> {
  // Level by level, so that parents go first. A set, because an id that was given by a caller can
  // close a circle of parents.
  const found = new Set([(await lockOwned(session, act.owner, root)).uid]);
  for (const parent of found) {
    for (const child of await childrenOf(session, act.owner, parent)) {
      if (!found.has(child.uid) && child.live) await cancelOne(session, act, child.uid, reason);
      found.add(child.uid);
    }
  }
}

async function childrenOf(
  session: Session,
  owner: string,
  parent: string,
): Promise<readonly { uid: string; live: boolean }[]> {
  const found = await session.query(
    `select uid, ended_at is null as live from daybook.record where parent = $1 and owner = $2
     order by id`,
    [parent, owner],
  );
  return found.map(({ uid, live }) => ({ uid: String(uid), live: live === true }));
}
