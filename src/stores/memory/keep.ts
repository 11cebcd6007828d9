import type { Keep, Kept } from "../../kernel/work-unit.ts";
import { findLeased } from "./find.ts";
import { enter, put, type Model } from "./model.ts";
import { plain } from "./row.ts";

export function keep(model: Model, units: readonly Keep[]): readonly Kept[] {
  return units.map((each) => keepOne(model, each));
}

function keepOne(model: Model, request: Keep): Kept {
  const row = findLeased(model, request);
  if (!row) return { result: "stale" };
  const { outcome, note, leaseMs } = request;
  const kept = { ...row, wakeAt: model.now + leaseMs };
  if (outcome === undefined && note === undefined) {
    put(model, kept);
  } else {
    const seen = outcome === undefined ? row.outcome : plain(outcome);
    enter(model, { ...kept, outcome: seen }, { what: "kept", by: row.lease.holder, note });
  }
  return { result: "kept", cancelling: row.cancelling };
}
