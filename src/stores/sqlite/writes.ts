import type { Act } from "../../kernel/change-row.ts";
import { checkEditable } from "../../kernel/refusals.ts";
import type { Cancel, Consequences, Edit, Wake } from "../../kernel/unit.ts";
import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Refused } from "../../kernel/work-unit.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import { type CancelResult, cancelled, edited, isLeased, woken } from "../sql/change.ts";
import { known, recordOf } from "../sql/row.ts";
import type { AppendOne } from "./append.ts";
import type { History } from "./history.ts";
import type { Holds } from "./names.ts";
import type { Rows } from "./rows.ts";
import type { Savepoint } from "./transactions.ts";

/** Changes what was asked. Never touches a lease. */
export type EditOne = (act: Act, edit: Edit) => void;

export function editing(rows: Rows, holds: Holds, history: History): EditOne {
  return (act, edit) => {
    const before = rows.owned(act.owner, edit.id);
    checkEditable({ ...before, id: before.uid }, edit, isLeased(before, act.now));
    const live = !("ends" in edit);
    const names = live && edit.holds !== undefined ? holds.choose(before.id, edit.holds) : null;
    const base = live ? before : history.lapse(before, act.now);
    const after = edited(base, edit, act.now);
    rows.save(before, after, edit);
    if (names !== null) holds.replace(after.id, names);
    history.add(after, { what: "edited", by: act.by, at: act.now, note: edit.note });
  };
}

/** Ends a record, or asks whoever is at work on it to stop. */
export type CancelOne = (act: Act, cancel: Cancel) => CancelResult;

export function cancelling(rows: Rows, history: History): CancelOne {
  return (act, { id, reason }) => {
    const row = rows.owned(act.owner, id);
    if (row.endedAt !== null) return { result: "ended", wrote: false };
    const leased = isLeased(row, act.now);
    if (leased && row.cancelling) return { result: "cancelling", wrote: false };
    const after = cancelled(leased ? row : history.lapse(row, act.now), act.now);
    const result = leased ? "cancelling" : "cancelled";
    rows.save(row, after);
    history.add(after, { what: result, by: act.by, at: act.now, note: reason });
    return { result, wrote: true };
  };
}

/** Looks at a live record now. */
export type WakeOne = (act: Act, wake: Wake) => void;

export function waking(rows: Rows): WakeOne {
  return (act, wake) => {
    const row = rows.owned(act.owner, wake.id);
    if (row.endedAt !== null) return;
    rows.place(row, woken(row, act.now));
  };
}

export interface Writers {
  append: AppendOne;
  edit: EditOne;
  cancel: CancelOne;
  wake: WakeOne;
}

/** Writes what follows from a unit's own record (the cause), in the order the contract fixes. */
export type WriteConsequences = (
  act: Act,
  cause: string,
  consequences: Consequences | undefined,
) => void;

export function consequenceWriter({ append, edit, cancel, wake }: Writers): WriteConsequences {
  return (act, cause, consequences) => {
    for (const draft of consequences?.append ?? []) append(act, draft, cause);
    for (const each of consequences?.edit ?? []) edit(act, each);
    for (const each of consequences?.cancel ?? []) cancel(act, each);
    for (const each of consequences?.wake ?? []) wake(act, each);
  };
}

/** A verb inside a transaction that is open already, at one time of the store's clock. */
export type StoreVerb<V extends Verb> = (
  input: Verbs[V]["input"],
  now: number,
) => Verbs[V]["answer"];

interface Parts {
  rows: Rows;
  writers: Writers;
  writeFollows: WriteConsequences;
  savepoint: Savepoint;
}

/** The writing verbs of those who ask: one unit each, and the record as the whole unit left it. */
export function unitVerbs({ rows, writers, writeFollows, savepoint }: Parts): {
  [V in "append" | "edit" | "cancel"]: StoreVerb<V>;
} {
  const { append, edit, cancel } = writers;
  return {
    append: ({ who, draft, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { fresh, uid: id } = append({ ...who, now }, draft, null);
        if (fresh && !consequences) return { fresh: true, id, record: recordOf(fresh) };
        if (fresh) writeFollows({ ...who, now }, id, consequences);
        return { fresh: fresh !== undefined, id, record: rows.record(who.owner, id) ?? null };
      }),
    edit: ({ who, edit: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        edit({ ...who, now }, request);
        writeFollows({ ...who, now }, request.id, consequences);
        return known(rows.record(who.owner, request.id));
      }),
    cancel: ({ who, cancel: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { result, wrote } = cancel({ ...who, now }, request);
        if (wrote) writeFollows({ ...who, now }, request.id, consequences);
        return { result, record: known(rows.record(who.owner, request.id)) };
      }),
  };
}

/** Runs one unit. Without consequences it refuses before it writes, and needs no savepoint. */
export function runUnit<T>(
  savepoint: Savepoint,
  consequences: Consequences | undefined,
  run: () => T,
): T {
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
