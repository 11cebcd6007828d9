import type { WriteContext } from "../../kernel/change-row.ts";
import { checkEditable } from "../../kernel/ledger-errors.ts";
import type { Cancel, Consequences, Edit, Wake } from "../../kernel/unit.ts";
import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Refused } from "../../kernel/work-unit.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import { type CancelResult, cancelled, edited, isLeased, woken } from "../sql/change.ts";
import { known, recordOf } from "../sql/row.ts";
import { append } from "./append.ts";
import type { Tables } from "./tables.ts";
import type { Savepoint } from "./transactions.ts";

/** Changes what the edit names. Never touches a lease. */
function edit({ rows, holds, history }: Tables, act: WriteContext, edit: Edit): void {
  const before = rows.owned(act.owner, edit.id);
  checkEditable({ ...before, id: before.uid }, edit, isLeased(before, act.now));
  const live = !("ends" in edit);
  const names = live && edit.holds !== undefined ? holds.choose(before.id, edit.holds) : null;
  const base = live ? before : history.lapse(before, act.now);
  const after = edited(base, edit, act.now);
  rows.save(before, after, edit);
  if (names !== null) holds.replace(after.id, names);
  history.add(after, { what: "edited", by: act.by, at: act.now, note: edit.note });
}

/** Ends a record, or requests the end of its running attempt. */
function cancel(
  { rows, history }: Tables,
  act: WriteContext,
  { id, reason }: Cancel,
): CancelResult {
  const row = rows.owned(act.owner, id);
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  const leased = isLeased(row, act.now);
  if (leased && row.cancelling) return { result: "cancelling", wrote: false };
  const after = cancelled(leased ? row : history.lapse(row, act.now), act.now);
  const result = leased ? "cancelling" : "cancelled";
  rows.save(row, after);
  history.add(after, { what: result, by: act.by, at: act.now, note: reason });
  return { result, wrote: true };
}

/** Makes a live record due now. */
function wake({ rows }: Tables, act: WriteContext, { id }: Wake): void {
  const row = rows.owned(act.owner, id);
  if (row.endedAt === null) rows.saveDue(row, woken(row, act.now));
}

/** Writes the consequences of a write to the record `cause`, in the order that the contract fixes. */
export function writeConsequences(
  tables: Tables,
  act: WriteContext,
  cause: string,
  consequences: Consequences | undefined,
): void {
  for (const draft of consequences?.append ?? []) append(tables, act, draft, cause);
  for (const each of consequences?.edit ?? []) edit(tables, act, each);
  for (const each of consequences?.cancel ?? []) cancel(tables, act, each);
  for (const each of consequences?.wake ?? []) wake(tables, act, each);
}

/** A verb inside an open transaction, at one time of the store's clock. */
export type StoreVerb<V extends Verb> = (
  input: Verbs[V]["input"],
  now: number,
) => Verbs[V]["answer"];

/** The writing verbs of callers: one unit each. They answer the record as the whole unit left it. */
export function unitVerbs(
  tables: Tables,
  savepoint: Savepoint,
): { [V in "append" | "edit" | "cancel"]: StoreVerb<V> } {
  const { rows } = tables;
  return {
    append: ({ who, draft, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { fresh, uid: id } = append(tables, { ...who, now }, draft, null);
        if (fresh && !consequences) return { fresh: true, id, record: recordOf(fresh) };
        if (fresh) writeConsequences(tables, { ...who, now }, id, consequences);
        return { fresh: fresh !== undefined, id, record: rows.record(who.owner, id) ?? null };
      }),
    edit: ({ who, edit: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        edit(tables, { ...who, now }, request);
        writeConsequences(tables, { ...who, now }, request.id, consequences);
        return known(rows.record(who.owner, request.id));
      }),
    cancel: ({ who, cancel: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { result, wrote } = cancel(tables, { ...who, now }, request);
        if (wrote) writeConsequences(tables, { ...who, now }, request.id, consequences);
        return { result, record: known(rows.record(who.owner, request.id)) };
      }),
  };
}

/** Runs one unit. Without consequences it refuses before it writes, and needs no savepoint. */
function runUnit<T>(savepoint: Savepoint, consequences: Consequences | undefined, run: () => T): T {
  return consequences === undefined ? run() : savepoint(run);
}

/** Many units in one call, each with its own answer: one that is refused touches no other. */
export function eachUnit<Unit extends { id: string }, Answer>(
  savepoint: Savepoint,
  one: (unit: Unit, now: number) => Answer,
): (units: readonly Unit[], now: number) => readonly (Answer | Refused)[] {
  const attempt = (unit: Unit, now: number): Answer | Refused => {
    try {
      const consequences =
        "consequences" in unit ? (unit.consequences as Consequences | undefined) : undefined;
      return runUnit(savepoint, consequences, () => one(unit, now));
    } catch (error) {
      if (error instanceof DaybookError) return { result: "refused", error: toErrorData(error) };
      throw error;
    }
  };
  return (units, now) => units.map((unit) => attempt(unit, now));
}
