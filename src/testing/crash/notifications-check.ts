import assert from "node:assert/strict";
import type { Content } from "./ledgers.ts";
import type { Arrival } from "./node.ts";
import { fillNotifications } from "./notifications.ts";

/** A notification as the tables have it. */
export interface NotificationRow {
  readonly uid: string;
  readonly state: string;
  readonly type: string | null;
  readonly target: string;
  readonly message: string;
  /** The digest that contains it. */
  readonly digest: string | null;
  /** Its attempts that were interrupted. */
  readonly lapsed: number;
}

export const notificationContent: Content<NotificationRow> = {
  fill: fillNotifications,
  kinds: ["notification"],
  columns: `uid, state, body ->> 'type' as type, body ->> 'target' as target,
    body ->> 'message' as message, outcome -> 'receipt' ->> 'digest' as digest`,
  read: (row) => row as unknown as NotificationRow, // the columns above
};

/**
 * Checks that no notification is lost, and that each one sent twice had an interrupted attempt and was sent again under the
 * same id, marked as a possible repeat.
 */
export function checkNotifications(
  rows: readonly NotificationRow[],
  arrivals: readonly Arrival[],
): void {
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

function checkRow(
  row: NotificationRow,
  rows: readonly NotificationRow[],
  arrivals: readonly Arrival[],
): void {
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
