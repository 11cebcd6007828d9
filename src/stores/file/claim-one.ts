import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import { put, unit, type Model } from "../memory/model.ts";
import { isClaimed, toClaimed, type ClaimedRow, type Row } from "../memory/row.ts";

interface Request {
  readonly id: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly now: number;
}

/** A claim of one record by its id, for whoever has its file already. Undefined: it is not to be had. */
export function claimOne(model: Model, request: Request): Claimed<TaskKind> | undefined {
  const row = model.rows.get(request.id);
  if (row === undefined || !isToBeHad(row, request.now)) return undefined;
  const { holder, leaseMs, now } = request;
  return unit(model, () => {
    const claimed: ClaimedRow = {
      ...row,
      lease: { holder, claimedAt: now },
      wakeAt: now + leaseMs,
      wokenAt: null,
      fence: row.fence + 1,
      attempt: row.attempt + 1,
    };
    put(model, claimed);
    return toClaimed(claimed) as Claimed<TaskKind>;
  });
}

export function isToBeHad(row: Row, now: number): boolean {
  const { kind, state, wakeAt, cancelling } = row;
  if (kind !== "task" || state !== "pending" || isClaimed(row) || cancelling) return false;
  return wakeAt !== null && wakeAt <= now;
}
