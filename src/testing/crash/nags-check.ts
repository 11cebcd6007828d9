import assert from "node:assert/strict";
import type { NagKind } from "../../features/nags/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import type { Content } from "./books.ts";
import { fillNags, timesOf } from "./nags.ts";
import type { Arrival } from "./node.ts";

/** A nag, or a notification that says one, as somebody finds it who knows only the tables. */
export interface NagRow {
  readonly uid: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly state: string;
  readonly outcome: unknown;
  /** How many of its attempts were cut off. */
  readonly lapsed: number;
}

export const nagged: Content<NagRow> = {
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

/** After a death: each was said as often as it should be, and counted; only what was cut off may be heard twice. */
export function checkNags(rows: readonly NagRow[], arrivals: readonly Arrival[]): void {
  const nags = rows.filter(({ kind }) => kind === "nag");
  const said = rows.filter(({ kind }) => kind === "notification");
  assert.deepEqual(nags.map(({ uid }) => uid).toSorted(), Object.keys(timesOf).toSorted());
  const lapsed = rows.reduce((sum, row) => sum + row.lapsed, 0);
  assert.ok(lapsed <= 1, "more than one was cut off");
  for (const nag of nags) checkNag(nag, said);
  assert.ok(said.every(({ parent }) => nags.some(({ uid }) => uid === parent)));
  for (const { uid, state, lapsed: cutOff } of said) {
    const own = arrivals.filter(({ id }) => id === uid);
    const about = JSON.stringify([uid, state, cutOff, own]);
    assert.equal(state, "delivered", about);
    assert.ok(own.length >= 1 && own.length <= 1 + cutOff, about);
    assert.ok(
      own.slice(1).every(({ maybeRepeat }) => maybeRepeat),
      about,
    );
  }
}

function checkNag(nag: NagRow, said: readonly NagRow[]): void {
  const times = timesOf[nag.uid] ?? NaN;
  const own = said.filter(({ parent }) => parent === nag.uid);
  const about = JSON.stringify([nag, own]);
  const { count, round, nextAt, saying, lastDelivered, lastReceiptId, failures } =
    nag.outcome as Outcome<NagKind>;
  assert.equal(nag.state, "paused", about);
  assert.deepEqual([own.length, round, count], [times, times, times + 1], about);
  assert.deepEqual([nextAt, saying, failures], [null, null, 0], about);
  assert.equal(lastDelivered, own.at(-1)?.uid, about);
  assert.equal(lastReceiptId, nag.uid, about);
}
