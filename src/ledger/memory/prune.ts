import type { Prune } from "../work-unit.ts";
import { swap, type Model } from "./model.ts";
import type { Row } from "./row.ts";

/** Forgets what ended long ago, the oldest end first. */
export function prune(model: Model, { endedBefore, limit }: Prune): number {
  const old = [...model.rows.values()]
    .flatMap((row) =>
      row.endedAt !== null && row.endedAt < endedBefore ? [{ row, at: row.endedAt }] : [],
    )
    .toSorted((a, b) => a.at - b.at || a.row.seq - b.row.seq)
    .slice(0, limit)
    .map(({ row }) => row);
  forget(model, old);
  return old.length;
}

function forget(model: Model, rows: readonly Row[]): void {
  const gone = new Set(rows.map(({ id }) => id));
  for (const row of rows) swap(model, row, undefined);
  for (const id of gone) model.output.delete(id);
  model.history = model.history.filter(({ change }) => !gone.has(change.id));
  sweepKeys(model);
}

/** A key without a record lives until its own expiry, if it has one. */
function sweepKeys(model: Model): void {
  for (const [name, { id, until }] of model.keys) {
    if (!model.rows.has(id) && (until ?? 0) <= model.now) model.keys.delete(name);
  }
}
