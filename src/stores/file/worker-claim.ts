import { fileHolder, type FileWorker } from "../../kernel/files.ts";
import type { Claimed } from "../../kernel/record.ts";
import { put, unit, type Model } from "../memory/model.ts";
import { isClaimed, toClaimed, toRecord, type ClaimedRow, type Row } from "../memory/row.ts";
import type { FolderContext } from "./context.ts";
import { workerFilesOf, type Layouts } from "./layouts.ts";

export function isHeldOverFiles(row: Row): boolean {
  return row.lease?.holder.startsWith(fileHolder) === true;
}

/** Who may claim the row over files now. */
export function workerOf(
  { external, layouts, now }: FolderContext,
  row: Row,
): FileWorker | undefined {
  if (!isClaimable(layouts, row, now())) return undefined;
  return external.actions.get(row.kind)?.work?.worker(toRecord(row));
}

export async function claimFor(
  context: FolderContext,
  row: Row,
  { name, leaseMs }: FileWorker,
): ReturnType<FolderContext["claim"]> {
  const claimed = await context.claim(row.id, `${fileHolder}${name}`, leaseMs);
  if (claimed === undefined) return undefined;
  context.held.add(row.id);
  context.onStep("taken");
  return claimed;
}

interface Claim {
  readonly id: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly now: number;
}

/** A claim of one record by its id, for whoever has its file already. Undefined: it is not free. */
export function claimRecord(model: Model, layouts: Layouts, claim: Claim): Claimed | undefined {
  const { id, holder, leaseMs, now } = claim;
  const row = model.rows.get(id);
  if (row === undefined || !isClaimable(layouts, row, now)) return undefined;
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
    return toClaimed(claimed);
  });
}

function isClaimable(layouts: Layouts, row: Row, now: number): boolean {
  const { kind, state, wakeAt, cancelling } = row;
  if (state !== workerFilesOf(layouts, kind)?.state || isClaimed(row) || cancelling) return false;
  return wakeAt !== null && wakeAt <= now;
}
