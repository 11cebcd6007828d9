import { DaybookError } from "../../base/errors.ts";
import type { Edit } from "../../rules/unit.ts";
import type { Who } from "../verbs.ts";
import { find } from "./find.ts";
import { holding } from "./holds.ts";
import { lapse } from "./lapse.ts";
import { enter, type Model } from "./model.ts";
import { ended, isClaimed, isLeased, notBefore, placed, plain, type Row } from "./row.ts";

export function edit(model: Model, who: Who, edit: Edit): void {
  const row = checked(model, find(model, who.owner, edit.id), edit);
  const what = { what: "edited", by: who.by, note: edit.note } as const;
  if ("ends" in edit) {
    enter(model, ended(rewritten(lapse(model, row), edit), edit.ends, model.now), what);
  } else {
    const held = holding(model, rewritten(row, edit), edit.holds);
    const { state = row.state } = edit;
    enter(
      model,
      { ...rescheduled(held, edit.wakeAt, model.now), state, revision: row.revision + 1 },
      what,
    );
  }
}

function checked(model: Model, row: Row, edit: Edit): Row {
  const { id, revision, state } = row;
  if (row.kind !== edit.kind) {
    throw new DaybookError("not_found", `There is no ${edit.kind} ${id}.`, { details: { id } });
  }
  if (row.endedAt !== null) {
    throw new DaybookError(
      "ended",
      `The record ${id} has ended (${state}): it never changes again.`,
      {
        details: { state },
      },
    );
  }
  const { ifRevision = revision, ifState = state } = edit;
  if (ifRevision !== revision || ifState !== state) {
    throw new DaybookError("stale", `The record ${id} has changed: read it and ask again.`, {
      details: { revision, state },
    });
  }
  if ("ends" in edit && isLeased(row, model.now)) {
    throw new DaybookError("leased", `Somebody is at work on the record ${id}: cancel it instead.`);
  }
  return row;
}

function rewritten(row: Row, { body, outcome, ...edit }: Edit): Row {
  return {
    ...placed(row, edit),
    body: body === undefined ? row.body : plain(body),
    outcome: outcome === undefined ? row.outcome : plain(outcome),
  };
}

/** A claimed row keeps its lease: the rule reads the body when it decides again. */
function rescheduled(row: Row, asked: number | null | undefined, now: number): Row {
  if (asked === undefined || isClaimed(row)) return row;
  const wakeAt = asked === null ? null : notBefore(now, asked);
  return { ...row, wakeAt, readyAt: wakeAt };
}
