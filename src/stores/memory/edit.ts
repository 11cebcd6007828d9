import { checkEditable } from "../../kernel/refusals.ts";
import type { Edit, Who } from "../../kernel/unit.ts";
import { find } from "./find.ts";
import { holding } from "./holds.ts";
import { lapse } from "./lapse.ts";
import { enter, type Model } from "./model.ts";
import { ended, isClaimed, isLeased, notBefore, placed, plain, type Row } from "./row.ts";

export function edit(model: Model, who: Who, edit: Edit): void {
  const row = find(model, who.owner, edit.id);
  checkEditable(row, edit, isLeased(row, model.now));
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
