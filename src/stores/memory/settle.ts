import type { Shape } from "../../kernel/shape.ts";
import type { Keep, Kept, Settle, SettleOf, Settled, Unstarted } from "../../kernel/work-unit.ts";
import { toErrorData } from "../../platform/errors.ts";
import { withHolds } from "./append.ts";
import { findLeased, type Model, put, putChanged, unit } from "./model.ts";
import { type ClaimedRow, type Row, ended, notBefore, plain, toClaimed } from "./row.ts";
import { writeConsequences } from "./writes.ts";

export function settle(model: Model, units: readonly Settle[]): readonly Settled[] {
  return units.map((each) => {
    try {
      return unit(model, () => settleOne(model, each));
    } catch (error) {
      return { result: "refused", error: toErrorData(error) };
    }
  });
}

function settleOne(model: Model, request: Settle): Settled {
  const row = findLeased(model, request);
  if (!row) return { result: "stale" };
  const { revision = row.revision } = request;
  if (revision !== row.revision) return { result: "moved", record: toClaimed(row) };
  if ("unstarted" in request) {
    giveBack(model, row, request);
  } else {
    const { holder, claimedAt } = row.lease;
    const { note, consequences } = request;
    const { attempt } = row; // the one that ends, also before a fresh start
    const settled = { what: "settled", by: holder, claimedAt, attempt, note } as const;
    putChanged(model, verdictOn(model, row, request), settled);
    writeConsequences(model, row, row.id, consequences);
  }
  return { result: "settled", revision: model.rows.get(row.id)?.revision ?? 0 };
}

function verdictOn(model: Model, row: ClaimedRow, request: SettleOf<Shape>): Row {
  const { now } = model;
  const outcome = request.outcome === undefined ? row.outcome : plain(request.outcome);
  const seen = { ...row, queue: request.queue ?? row.queue, outcome };
  if ("ends" in request) return ended(seen, request.ends, now);
  if (row.cancelling) return ended(seen, "cancelled", now);
  const wakeAt = nextWake(row, request.wakeAt, now);
  const counts = request.freshStart ? { attempt: 0, lapses: 0 } : {};
  return {
    ...withHolds(model, seen, request.holds),
    ...counts,
    state: request.state,
    revision: row.revision + 1,
    lease: null,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
  };
}

/** As if it had not been claimed: the attempt does not count. */
function giveBack(model: Model, row: ClaimedRow, request: Unstarted): void {
  const { holder, claimedAt } = row.lease;
  const uncounted = { ...row, attempt: row.attempt - 1 };
  if (row.cancelling) {
    const what = { what: "cancelled", by: holder, claimedAt } as const;
    putChanged(model, ended(uncounted, "cancelled", model.now), what);
  } else {
    const wakeAt = nextWake(row, request.wakeAt, model.now);
    const readyAt = request.revision === undefined ? row.readyAt : wakeAt;
    put(model, { ...uncounted, lease: null, wakeAt, readyAt, wokenAt: null });
  }
}

/** The requested wake time, or that of a wake during the lease, whichever is sooner. */
function nextWake(row: Row, request: number | undefined, now: number): number | null {
  const times = [request, row.wokenAt].filter((time) => typeof time === "number");
  return times.length === 0 ? null : notBefore(now, Math.min(...times));
}

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
    putChanged(model, { ...kept, outcome: seen }, { what: "kept", by: row.lease.holder, note });
  }
  return { result: "kept", cancelling: row.cancelling };
}
