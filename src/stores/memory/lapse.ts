import { enter, type Model } from "./model.ts";
import { isClaimed, type Row } from "./row.ts";

/** Writes that the fate of an attempt is unknown, if the row is under a lease. That lease is over. */
export function lapse(model: Model, row: Row): Row {
  if (!isClaimed(row)) return row;
  const { holder, claimedAt } = row.lease;
  const lapsed = { ...row, lapses: row.lapses + 1, lease: null };
  return enter(model, lapsed, { what: "lapsed", by: holder, claimedAt });
}
