import type { Shape } from "../../kernel/shape.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import { toErrorData } from "../../platform/errors.ts";
import { findLeased } from "./find.ts";
import { writeConsequences } from "./consequences.ts";
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

function settleOne(model: Model, asked: Settle): Settled {
  const row = findLeased(model, asked);
  if (!row) return { result: "stale" };
  const { revision = row.revision } = asked;
  if (revision !== row.revision) return { result: "moved", record: toClaimed(row) };
  if ("unstarted" in asked) {
    giveBack(model, row, asked);
  } else {
    const { holder, claimedAt } = row.lease;
    const { note, consequences: consequences } = asked;
    const { attempt } = row; // the one that ends, also before a fresh start
    const settled = { what: "settled", by: holder, claimedAt, attempt, note } as const;
    enter(model, verdictOn(model, row, asked), settled);
    writeConsequences(model, row, row.id, consequences);
  }
  return { result: "settled", revision: model.rows.get(row.id)?.revision ?? 0 };
}

function verdictOn(model: Model, row: ClaimedRow, asked: SettleOf<Shape>): Row {
  const { now } = model;
  const outcome = asked.outcome === undefined ? row.outcome : plain(asked.outcome);
  const seen = { ...row, queue: asked.queue ?? row.queue, outcome };
  if ("ends" in asked) return ended(seen, asked.ends, now);
  if (row.cancelling) return ended(seen, "cancelled", now);
  const wakeAt = nextWake(row, asked.wakeAt, now);
  return {
    ...holding(model, seen, asked.holds),
    state: asked.state,
    revision: row.revision + 1,
    lease: null,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
    ...(asked.freshStart ? { attempt: 0, lapses: 0 } : {}),
  };
}

/** As if it had not been claimed: the attempt does not count. */
function giveBack(model: Model, row: ClaimedRow, asked: Unstarted): void {
  const { holder, claimedAt } = row.lease;
  const uncounted = { ...row, attempt: row.attempt - 1 };
  if (row.cancelling) {
    const what = { what: "cancelled", by: holder, claimedAt } as const;
    enter(model, ended(uncounted, "cancelled", model.now), what);
  } else {
    const wakeAt = nextWake(row, asked.wakeAt, model.now);
    const readyAt = asked.revision === undefined ? row.readyAt : wakeAt;
    put(model, { ...uncounted, lease: null, wakeAt, readyAt, wokenAt: null });
  }
}

/** When it is asked for, or when a wake came for it meanwhile, whichever is sooner. */
function nextWake(row: Row, asked: number | undefined, now: number): number | null {
  const times = [asked, row.wokenAt].filter((time) => typeof time === "number");
  return times.length === 0 ? null : notBefore(now, Math.min(...times));
}
