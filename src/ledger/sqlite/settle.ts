import type { Kind } from "../../rules/kinds.ts";
import type { Claimed } from "../../rules/record.ts";
import { endOf, ended, placed, waiting } from "../sql-row.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../work-unit.ts";
import { fenced, type ClaimedRow } from "./fenced.ts";
import type { WriteFollows } from "./follows.ts";
import type { History } from "./history.ts";
import type { Holds } from "./holds.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./rows.ts";

interface Parts {
  rows: Rows;
  holds: Holds;
  history: History;
  writeFollows: WriteFollows;
}

/** Ends one lease: what was seen, and where that leaves the record. */
export function settling(parts: Parts): (unit: Settle, now: number) => Settled {
  const { rows, holds, history, writeFollows } = parts;

  const settle = (row: ClaimedRow, unit: SettleOf<Kind>, now: number): Settled => {
    if (unit.revision !== row.revision) {
      return { result: "moved", record: rows.record(row.owner, row.uid) as Claimed };
    }
    const after = next(row, unit, now);
    const lives = after.endedAt === null;
    const names = lives && unit.holds !== undefined ? holds.choose(row.id, unit.holds) : null;
    rows.save(row, after, { outcome: unit.outcome });
    if (names !== null) holds.replace(row.id, names);
    const { holder, claimedAt, attempt } = row;
    const change = { what: "settled", by: holder, at: now, claimedAt, note: unit.note } as const;
    history.add({ ...after, attempt }, change);
    if (unit.follows === undefined) return { result: "settled", revision: after.revision };
    writeFollows({ owner: row.owner, by: row.by, now }, row.uid, unit.follows);
    return { result: "settled", revision: rows.find(row.uid)?.revision ?? after.revision };
  };
  const giveBack = (row: ClaimedRow, unit: Unstarted, now: number): Settled => {
    const back = { ...row, attempt: row.attempt - 1 };
    if (row.cancelling === 0) {
      const at = soonest(now, unit.wakeAt, row.wokenAt);
      rows.place(row, { ...waiting(back, at), readyAt: row.readyAt });
      return { result: "settled", revision: row.revision };
    }
    const after = ended({ ...back, revision: row.revision + 1, updatedAt: now }, "cancelled", now);
    rows.save(row, after);
    const { holder: by, claimedAt } = row;
    history.add(after, { what: "cancelled", by, at: now, claimedAt });
    return { result: "settled", revision: after.revision };
  };
  return (unit, now) => {
    const row = fenced(rows, unit);
    if (row === undefined) return { result: "stale" };
    return "unstarted" in unit ? giveBack(row, unit, now) : settle(row, unit, now);
  };
}

function next(row: ClaimedRow, unit: SettleOf<Kind>, now: number): Row {
  const settled = { ...placed(row, unit), revision: row.revision + 1, updatedAt: now };
  const end = endOf(unit) ?? (row.cancelling === 1 ? "cancelled" : undefined);
  if (end !== undefined || "ends" in unit) return ended(settled, end ?? row.state, now);
  const counts = unit.freshStart ? { attempt: 0, lapses: 0 } : {};
  const at = soonest(now, unit.wakeAt ?? null, row.wokenAt);
  return { ...waiting(settled, at), ...counts, state: unit.state };
}

/** The wake time that was asked for, or that of a wake during the lease. Null: nobody must look. */
function soonest(now: number, asked: number | null, wokenAt: number | null): number | null {
  if (asked === null && wokenAt === null) return null;
  return Math.max(now, Math.min(asked ?? Infinity, wokenAt ?? Infinity));
}
