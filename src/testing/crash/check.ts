import assert from "node:assert/strict";
import type { Content } from "./books.ts";
import { fill, type Arrival } from "./node.ts";

/** A notification as plain SQL finds it. */
export interface Row {
  readonly uid: string;
  readonly state: string;
  readonly type: string | null;
  readonly target: string;
  readonly message: string;
  /** The digest that said it. */
  readonly digest: string | null;
  /** How many of its attempts were cut off. */
  readonly lapsed: number;
}

/** Everything that is to be said. */
export const said: Content<Row> = {
  fill,
  kinds: ["notification"],
  columns: `uid, state, body ->> 'type' as type, body ->> 'target' as target,
    body ->> 'message' as message, outcome -> 'receipt' ->> 'digest' as digest`,
  read: (row) => row as unknown as Row, // the columns above
};

/** What `fill` asked for, after a death: nothing is lost; whatever was said twice has an attempt that was cut
 * off, under the same id, and said so. */
export function check(rows: readonly Row[], arrivals: readonly Arrival[]): void {
  const ends = rows.map(({ state, target }) => `${target} ${state}`).toSorted();
  const atOnce = ends.includes("file:once unconfirmed") ? "unconfirmed" : "delivered";
  const digests = rows.filter(({ type }) => type === "digest").length;
  assert.deepEqual(ends, [
    `file:once ${atOnce}`,
    "file:parts delivered",
    ...Array.from({ length: 2 + digests }, () => "file:quiet delivered"),
    "file:short delivered",
    "inbox:bob pending",
    "nowhere:at-all failed",
  ]);
  assert.ok(rows.reduce((sum, { lapsed }) => sum + lapsed, 0) <= 1);
  for (const row of rows.filter(({ target }) => target.startsWith("file:"))) {
    checkRow(row, rows, arrivals);
  }
  assert.deepEqual(
    arrivals.filter(({ id }) => !rows.some(({ uid }) => uid === id)),
    [],
  );
}

function checkRow(row: Row, rows: readonly Row[], arrivals: readonly Arrival[]): void {
  const own = arrivals.filter(({ id }) => id === row.uid);
  const about = JSON.stringify([row, own]);
  const parts = Map.groupBy(own, ({ part }) => part);
  for (const [, [, second, third]] of parts) {
    if (second === undefined) continue;
    assert.equal(third, undefined, about);
    assert.ok(second.maybeRepeat && row.lapsed === 1, about);
    assert.notEqual(row.target, "file:once", about);
  }
  if (row.state === "unconfirmed") assert.equal(row.lapsed, 1, about);
  else if (row.digest === null) assert.ok(parts.size > 0, about);
  else {
    assert.equal(own.length, 0, about);
    const digest = rows.find(({ uid }) => uid === row.digest);
    assert.equal(digest?.state, "delivered");
    const words = arrivals.filter(({ id }) => id === row.digest).map(({ text }) => text);
    assert.ok(words.join(" ").includes(row.message), about);
  }
}
