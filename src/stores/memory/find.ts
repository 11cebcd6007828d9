import { notFound } from "../../kernel/refusals.ts";
import type { Leased } from "../../kernel/work-unit.ts";
import type { Model } from "./model.ts";
import { isClaimed, type ClaimedRow, type Row } from "./row.ts";

/** The owner's row. Another owner's is not there. */
export function look(model: Model, owner: string, id: string): Row | undefined {
  const row = model.rows.get(id);
  return row?.owner === owner ? row : undefined;
}

export function find(model: Model, owner: string, id: string): Row {
  const row = look(model, owner, id);
  if (row) return row;
  throw notFound(id);
}

/** The row that somebody has the right to write to: theirs is the newest fence, not yet settled. */
export function findLeased(model: Model, { id, fence }: Leased): ClaimedRow | undefined {
  const row = model.rows.get(id);
  return row && isClaimed(row) && row.fence === fence ? row : undefined;
}
