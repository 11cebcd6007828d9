import { DaybookError } from "../../base/errors.ts";
import type { Edit, Placement } from "../../rules/unit.ts";
import { type Act, addHistory, addLapse } from "./history.ts";
import { chooseHolds, replaceHolds } from "./holds.ts";
import { ended, endOf, isLeased, priorityNumber, type Row, waiting } from "./row.ts";
import { lockOwned, notFound, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Changes what was asked. Never touches a lease. */
export async function editOne(session: Session, act: Act, edit: Edit): Promise<void> {
  const before = await lockOwned(session, act.owner, edit.id);
  check(before, edit, act.now);
  const live = endOf(edit) === undefined;
  const names =
    live && edit.holds !== undefined ? await chooseHolds(session, before.id, edit.holds) : null;
  const base = live ? before : await addLapse(session, before, act.now);
  const after = next(base, edit, act.now);
  await saveRow(session, before, after, edit);
  if (names !== null) await replaceHolds(session, after.id, names);
  await addHistory(session, after, { what: "edited", by: act.by, at: act.now, note: edit.note });
}

function check(row: Row, edit: Edit, now: number): void {
  if (row.kind !== edit.kind) throw notFound(row.uid);
  if (row.endedAt !== null) {
    throw new DaybookError("ended", `The record ${row.uid} has ended: it never changes again.`, {
      details: { state: row.state },
    });
  }
  const { ifRevision = row.revision, ifState = row.state } = edit;
  if (ifRevision !== row.revision || ifState !== row.state) {
    throw new DaybookError("stale", `The record ${row.uid} has changed: read it and ask again.`, {
      details: { revision: row.revision, state: row.state },
    });
  }
  if (endOf(edit) !== undefined && isLeased(row, now)) {
    throw new DaybookError(
      "leased",
      `Somebody is at work on ${row.uid}: cancel it, or wait until it is settled.`,
    );
  }
}

function next(row: Row, edit: Edit, now: number): Row {
  const edited = { ...placed(row, edit), revision: row.revision + 1, updatedAt: now };
  const end = endOf(edit);
  if (end !== undefined || "ends" in edit) return ended(edited, end ?? row.state, now);
  const after = { ...edited, state: edit.state ?? row.state };
  const { wakeAt } = edit;
  // Under a lease the wake time is ignored: the rule reads the body when it decides again.
  if (wakeAt === undefined || row.holder !== null) return after;
  return waiting(after, wakeAt === null ? null : Math.max(now, wakeAt));
}

/** The row with the placement that was asked for. */
export function placed(row: Row, to: Placement): Row {
  return {
    ...row,
    priority: to.priority === undefined ? row.priority : priorityNumber(to.priority),
    queue: to.queue ?? row.queue,
    lane: to.lane === undefined ? row.lane : to.lane,
  };
}
