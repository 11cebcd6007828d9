import assert from "node:assert/strict";
import type { NagKind } from "../../features/nags/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import type { Content } from "./ledgers.ts";
import { fillNags, timesOf } from "./nags.ts";
import type { Arrival } from "./node.ts";

/** A nag or its notification, as the tables have it. */
export interface NagRow {
  readonly uid: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly state: string;
  readonly outcome: unknown;
  /** Its attempts that were interrupted. */
  readonly lapsed: number;
}

export const nagContent: Content<NagRow> = {
  fill: fillNags,
  kinds: ["nag", "notification"],
  columns: `uid, kind, parent, state, outcome`,
  read(row) {
    const { outcome } = row;
    return {
      ...(row as unknown as NagRow), // the columns above
      outcome: typeof outcome === "string" ? JSON.parse(outcome) : outcome,
    };
  },
};

/** Checks that each nag was sent and counted as often as it is due; only an interrupted send may arrive twice. */
export function checkNags(rows: readonly NagRow[], arrivals: readonly Arrival[]): void {
  const nags = rows.filter(({ kind }) => kind === "nag");
  const notifications = rows.filter(({ kind }) => kind === "notification");
  assert.deepEqual(nags.map(({ uid }) => uid).toSorted(), Object.keys(timesOf).toSorted());
  const lapsed = rows.reduce((sum, row) => sum + row.lapsed, 0);
  assert.ok(lapsed <= 1, "more than one attempt was interrupted");
  for (const nag of nags) checkNag(nag, notifications);
  assert.ok(notifications.every(({ parent }) => nags.some(({ uid }) => uid === parent)));
  for (const { uid, state, lapsed: interrupted } of notifications) {
    const own = arrivals.filter(({ id }) => id === uid);
    const about = JSON.stringify([uid, state, interrupted, own]);
    assert.equal(state, "delivered", about);
    assert.ok(own.length >= 1 && own.length <= 1 + interrupted, about);
    assert.ok(
      own.slice(1).every(({ maybeRepeat }) => maybeRepeat),
      about,
    );
  }
}

function checkNag(nag: NagRow, notifications: readonly NagRow[]): void {
  const times = timesOf[nag.uid] ?? NaN;
  const own = notifications.filter(({ parent }) => parent === nag.uid);
  const about = JSON.stringify([nag, own]);
  const { count, round, nextAt, saying, lastDelivered, lastReceiptId, failures } =
    nag.outcome as Outcome<NagKind>;
  assert.equal(nag.state, "paused", about);
  assert.deepEqual([own.length, round, count], [times, times, times + 1], about);
  assert.deepEqual([nextAt, saying, failures], [null, null, 0], about);
  assert.equal(lastDelivered, own.at(-1)?.uid, about);
  assert.equal(lastReceiptId, nag.uid, about);
}
