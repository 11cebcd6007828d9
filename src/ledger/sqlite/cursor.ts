import { DaybookError } from "../../base/errors.ts";

const pageMax = 500;

export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? 50, pageMax);
}

/** A place in an order, as the caller gives it back. */
export function parseCursor(after: string): number {
  const place = /^\d{1,15}$/.test(after) ? Number(after) : -1;
  if (place >= 0) return place;
  throw new DaybookError("invalid", `"after" must be what an earlier answer gave; got "${after}".`);
}
