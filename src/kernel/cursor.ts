import { noCursor } from "./refusals.ts";

const pageMax = 500;

export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? 50, pageMax);
}

/** A place in an order, as the caller gives it back. */
export function parseCursor(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw noCursor(after);
}
