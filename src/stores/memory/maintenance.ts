import type { PruneSelection, Move, Prune } from "../../kernel/work-unit.ts";
import { byWakeTime, dueLists } from "./due-index.ts";
import { logWrite, type Model, put, putKey, replaceRow } from "./model.ts";
import { type Row, isClaimed } from "./row.ts";

/** Parks a lane, or frees one. Never moves a claimed row, and none to before its own time. */
export function move(model: Model, { queue, lane, to, limit }: Move): number {
  const { high, normal, low } = dueLists(model.due, queue, lane);
  const moved = [high, normal, low]
    .flat(2)
    .filter((row) => !isClaimed(row))
    .map((row) => ({ row, wakeAt: Math.max(to, row.readyAt ?? to) }))
    .filter(({ row, wakeAt }) => row.wakeAt !== wakeAt)
    .toSorted((a, b) => byWakeTime(a.row, b.row))
    .slice(0, limit);
  for (const { row, wakeAt } of moved) put(model, { ...row, wakeAt });
  return moved.length;
}

/** Deletes ended records, the oldest end first. */
export function prune(model: Model, { endedBefore, limit, endedFrom = 0, of }: Prune): number {
  const old = [...model.rows.values()]
    .flatMap((row) =>
      row.endedAt !== null && row.endedAt < endedBefore && row.endedAt >= endedFrom
        ? [{ row, at: row.endedAt }]
        : [],
    )
    .filter(({ row }) => of === undefined || of.some((each) => isForgettable(row, each)))
    .toSorted((a, b) => a.at - b.at || a.row.seq - b.row.seq)
    .slice(0, limit)
    .map(({ row }) => row);
  deleteRows(model, old);
  return old.length;
}

function isForgettable(row: Row, { kind, has }: PruneSelection): boolean {
  const body = row.body as Readonly<Record<string, unknown>>;
  return row.kind === kind && (has === undefined || (body[has] ?? null) !== null);
}

function deleteRows(model: Model, rows: readonly Row[]): void {
  const { history } = model;
  // Undone last, when all rows are restored.
  logWrite(model, undefined, () => {
    model.history = history;
    sortRows(model);
  });
  for (const row of rows) deleteRow(model, row);
  const deleted = new Set(rows.map(({ id }) => id));
  model.history = history.filter(({ change }) => !deleted.has(change.id));
  sweepKeys(model);
}

function deleteRow(model: Model, row: Row): void {
  const { id } = row;
  const output = model.output.get(id);
  replaceRow(model, row, undefined);
  model.output.delete(id);
  logWrite(model, { what: "gone", id }, () => {
    replaceRow(model, undefined, row);
    if (output) model.output.set(id, output);
  });
}

/** Restored rows are last in the map until it is sorted. */
function sortRows({ rows }: Model): void {
  const sorted = [...rows.values()].toSorted((a, b) => a.seq - b.seq);
  rows.clear();
  for (const row of sorted) rows.set(row.id, row);
}

/** A key without a record lives until its own expiry, if it has one. */
function sweepKeys(model: Model): void {
  for (const [name, { id, until }] of model.keys) {
    if (!model.rows.has(id) && (until ?? 0) <= model.now) putKey(model, name, null);
  }
}
