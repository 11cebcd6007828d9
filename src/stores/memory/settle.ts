import type { Shape } from "../../kernel/shape.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import { toErrorData } from "../../platform/errors.ts";
import { writeConsequences } from "./consequences.ts";
import { findLeased } from "./find.ts";
import { holding } from "./holds.ts";
import { enter, put, unit, type Model } from "./model.ts";
import { ended, notBefore, plain, toClaimed, type ClaimedRow, type Row } from "./row.ts";

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
    enter(model, verdictOn(model, row, request), settled);
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
  return {
    ...holding(model, seen, request.holds),
    state: request.state,
    revision: row.revision + 1,
    lease: null,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
    ...(request.freshStart ? { attempt: 0, lapses: 0 } : {}),
  };
}

/** As if it had not been claimed: the attempt does not count. */
function giveBack(model: Model, row: ClaimedRow, request: Unstarted): void {
  const { holder, claimedAt } = row.lease;
  const uncounted = { ...row, attempt: row.attempt - 1 };
  if (row.cancelling) {
    const what = { what: "cancelled", by: holder, claimedAt } as const;
    enter(model, ended(uncounted, "cancelled", model.now), what);
  } else {
    const wakeAt = nextWake(row, request.wakeAt, model.now);
    const readyAt = request.revision === undefined ? row.readyAt : wakeAt;
    put(model, { ...uncounted, lease: null, wakeAt, readyAt, wokenAt: null });
  }
}

/** When it is asked for, or when a wake came for it meanwhile, whichever is sooner. */
function nextWake(row: Row, request: number | undefined, now: number): number | null {
  const times = [request, row.wokenAt].filter((time) => typeof time === "number");
  return times.length === 0 ? null : notBefore(now, Math.min(...times));
}
