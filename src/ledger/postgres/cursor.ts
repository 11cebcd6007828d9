import { DaybookError } from "../../base/errors.ts";

const pageMax = 500;

export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? 50, pageMax);
}

/** A place in an order, as the caller gives it back. */
export function parseCursor(after: string): string {
  if (/^\d{1,15}$/.test(after)) return after;
  throw invalid(after);
}

/** A place in the feed: transaction, then the row's own number. */
export function parsePlace(after: string): { xid: string; seq: string } {
  const [, xid, seq] = /^(\d{1,18})-(\d{1,15})$/.exec(after) ?? [];
  if (xid === undefined || seq === undefined) throw invalid(after);
  return { xid, seq };
}

function invalid(after: string): DaybookError {
  return new DaybookError(
    "invalid",
    `"after" must be what an earlier answer gave; got "${after}".`,
  );
}
