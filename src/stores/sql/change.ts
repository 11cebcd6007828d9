import { held } from "../../kernel/ledger-errors.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Cancelled, Edit, Hold, Placement } from "../../kernel/unit.ts";
import type { SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import { type ClaimedRow, priorityNumber, type SqlRow } from "./row.ts";

// The effect of each change on a row, for both SQL stores.

/** It is claimed, and the lease has not lapsed. */
export function isLeased(row: SqlRow, now: number): boolean {
  return row.holder !== null && row.wakeAt !== null && row.wakeAt > now;
}

/** Whether the queue needs a hint: a node that sleeps until the queue's next wake time would be late. */
export function isSooner(before: SqlRow, after: SqlRow): boolean {
  if (after.wakeAt === null) return false;
  return before.wakeAt === null || after.wakeAt < before.wakeAt || after.queue !== before.queue;
}

function waiting(row: SqlRow, at: number | null): SqlRow {
  return { ...row, wakeAt: at, readyAt: at, wokenAt: null, holder: null, claimedAt: null };
}

function changed(row: SqlRow, now: number): SqlRow {
  return { ...row, revision: row.revision + 1, updatedAt: now };
}

function ended(row: SqlRow, state: string, now: number): SqlRow {
  return { ...waiting(changed(row, now), null), state, endedAt: now };
}

/** The row after its lease lapsed: the result of that attempt is unknown. */
export function lapsed(row: SqlRow): SqlRow {
  return { ...row, lapses: row.lapses + 1, holder: null, claimedAt: null };
}

export interface CancelResult {
  readonly result: Cancelled["result"];
  /** False when nothing changed: it had ended, or was cancelling already. */
  readonly wrote: boolean;
}

/** The row after a cancel: ended, or cancelling while it is leased. */
export function cancelled(row: SqlRow, now: number): SqlRow {
  if (!isLeased(row, now)) return ended(row, "cancelled", now);
  return { ...changed(row, now), cancelling: true };
}

/** The row after a wake: due now, or as soon as its lease is settled. */
export function woken(row: SqlRow, now: number): SqlRow {
  if (row.holder === null) return waiting(row, Math.min(row.wakeAt ?? now, now));
  return { ...row, wokenAt: Math.min(row.wokenAt ?? now, now) };
}

/** The row after its verdict. */
export function settled(row: ClaimedRow, unit: SettleOf<Shape>, now: number): SqlRow {
  const seen = { ...row, queue: unit.queue ?? row.queue };
  if ("ends" in unit) return ended(seen, unit.ends, now);
  if (row.cancelling) return ended(seen, "cancelled", now);
  const counts = unit.freshStart ? { attempt: 0, lapses: 0 } : {};
  const at = soonest(now, unit.wakeAt ?? null, row.wokenAt);
  return { ...waiting(changed(seen, now), at), ...counts, state: unit.state };
}

/** The row as if it had not been claimed. A cancel during the lease ends it. */
export function givenBack(row: ClaimedRow, unit: Unstarted, now: number): SqlRow {
  const back = { ...row, attempt: row.attempt - 1 };
  if (row.cancelling) return ended(back, "cancelled", now);
  const after = waiting(back, soonest(now, unit.wakeAt, row.wokenAt));
  return unit.revision === undefined ? { ...after, readyAt: row.readyAt } : after;
}

/** The requested wake time, or that of a wake during the lease. Null: no due row. */
function soonest(now: number, request: number | null, wokenAt: number | null): number | null {
  if (request === null && wokenAt === null) return null;
  return Math.max(now, Math.min(request ?? Infinity, wokenAt ?? Infinity));
}

/** The row with a new placement. */
function placed(row: SqlRow, to: Placement): SqlRow {
  return {
    ...row,
    priority: to.priority === undefined ? row.priority : priorityNumber(to.priority),
    queue: to.queue ?? row.queue,
    lane: to.lane === undefined ? row.lane : to.lane,
  };
}

/** The row after an edit. */
export function edited(row: SqlRow, edit: Edit, now: number): SqlRow {
  const base = placed(row, edit);
  if ("ends" in edit) return ended(base, edit.ends, now);
  const after = { ...changed(base, now), state: edit.state ?? row.state };
  const { wakeAt } = edit;
  // Under a lease the wake time is ignored: the rule reads the body when it decides again.
  if (wakeAt === undefined || row.holder !== null) return after;
  return waiting(after, wakeAt === null ? null : Math.max(now, wakeAt));
}

export function namesOf(hold: Hold): readonly string[] {
  return typeof hold === "string" ? [hold] : hold.oneOf;
}

/** The names that a record gets, given the holders of the wanted ones. Throws `held`. */
export function chosenNames(
  id: number | null,
  wanted: readonly Hold[],
  holders: ReadonlyMap<string, Pick<SqlRow, "id" | "uid"> | undefined>,
): readonly string[] {
  const chosen = new Set<string>();
  const isOwn = (name: string): boolean => chosen.has(name) || holders.get(name)?.id === id;
  for (const hold of wanted) {
    const names = namesOf(hold);
    const [first = ""] = names;
    const name = names.find(isOwn) ?? names.find((each) => holders.get(each) === undefined);
    if (name === undefined) throw held(first, holders.get(first)?.uid ?? null);
    chosen.add(name);
  }
  return [...chosen];
}
