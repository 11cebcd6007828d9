import { checkEditable } from "../../kernel/ledger-errors.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type {
  Appended,
  Cancel,
  Cancelled,
  Consequences,
  Edit,
  Wake,
  Actor,
} from "../../kernel/unit.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import { append, withHolds } from "./append.ts";
import { find, lapse, lookUp, type Model, put, putChanged } from "./model.ts";
import { type Row, ended, isClaimed, isLeased, notBefore, placed, plain, toRecord } from "./row.ts";

function edit(model: Model, who: Actor, edit: Edit): void {
  const row = find(model, who.owner, edit.id);
  checkEditable(row, edit, isLeased(row, model.now));
  const what = { what: "edited", by: who.by, note: edit.note } as const;
  if ("ends" in edit) {
    putChanged(model, ended(rewritten(lapse(model, row), edit), edit.ends, model.now), what);
  } else {
    const held = withHolds(model, rewritten(row, edit), edit.holds);
    const { state = row.state } = edit;
    putChanged(
      model,
      { ...rescheduled(held, edit.wakeAt, model.now), state, revision: row.revision + 1 },
      what,
    );
  }
}

function rewritten(row: Row, { body, outcome, ...edit }: Edit): Row {
  return {
    ...placed(row, edit),
    body: body === undefined ? row.body : plain(body),
    outcome: outcome === undefined ? row.outcome : plain(outcome),
  };
}

/** A claimed row keeps its lease: the rule reads the body when it decides again. */
function rescheduled(row: Row, request: number | null | undefined, now: number): Row {
  if (request === undefined || isClaimed(row)) return row;
  const wakeAt = request === null ? null : notBefore(now, request);
  return { ...row, wakeAt, readyAt: wakeAt };
}

interface CancelResult {
  readonly result: Cancelled["result"];
  readonly wrote: boolean;
}

function cancelOne(model: Model, who: Actor, { id, reason }: Cancel): CancelResult {
  const row = find(model, who.owner, id);
  const what = { by: who.by, note: reason };
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  if (!isLeased(row, model.now)) {
    putChanged(model, ended(lapse(model, row), "cancelled", model.now), {
      what: "cancelled",
      ...what,
    });
    return { result: "cancelled", wrote: true };
  }
  if (row.cancelling) return { result: "cancelling", wrote: false };
  const request = { ...row, cancelling: true, revision: row.revision + 1 };
  putChanged(model, request, { what: "cancelling", ...what });
  return { result: "cancelling", wrote: true };
}

/** Makes a live record due now. */
function wake(model: Model, who: Actor, request: Wake): void {
  const row = find(model, who.owner, request.id);
  if (row.endedAt !== null) return;
  const { now } = model;
  if (isClaimed(row)) {
    put(model, { ...row, wokenAt: Math.min(now, row.wokenAt ?? now) });
  } else {
    const wakeAt = Math.min(now, row.wakeAt ?? now);
    put(model, { ...row, wakeAt, readyAt: wakeAt });
  }
}

/** Writes the consequences of a write to the record `id`. Each part sees those before it. */
export function writeConsequences(
  model: Model,
  who: Actor,
  id: string,
  consequences: Consequences | undefined,
): void {
  for (const draft of consequences?.append ?? []) {
    append(model, who, { ...draft, parent: draft.parent === undefined ? id : draft.parent });
  }
  for (const each of consequences?.edit ?? []) edit(model, who, each);
  for (const each of consequences?.cancel ?? []) cancelOne(model, who, each);
  for (const each of consequences?.wake ?? []) wake(model, who, each);
}

export function bookAppend(model: Model, input: Verbs["append"]["input"]): Appended {
  const { who, draft, consequences } = input;
  const { fresh, id } = append(model, who, draft);
  if (fresh) writeConsequences(model, who, id, consequences);
  const row = lookUp(model, who.owner, id);
  return { fresh, id, record: row ? toRecord(row) : null };
}

export function bookEdit(model: Model, input: Verbs["edit"]["input"]): AnyRecord {
  const { who, consequences } = input;
  const { id } = input.edit;
  edit(model, who, input.edit);
  writeConsequences(model, who, id, consequences);
  return recordOf(model, who.owner, id);
}

export function bookCancel(model: Model, input: Verbs["cancel"]["input"]): Cancelled {
  const { who, cancel, consequences } = input;
  const { result, wrote } = cancelOne(model, who, cancel);
  if (wrote) writeConsequences(model, who, cancel.id, consequences);
  return { result, record: recordOf(model, who.owner, cancel.id) };
}

function recordOf(model: Model, owner: string, id: string): AnyRecord {
  return toRecord(find(model, owner, id));
}
