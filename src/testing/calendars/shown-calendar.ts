import assert from "node:assert/strict";
import { type EntryContent, isEntryOf } from "../../features/calendars/index.ts";
import { styleOf } from "../../features/calendars/pass.ts";
import { wishFor } from "../../features/calendars/projection.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../../features/notifications/index.ts";
import { is } from "../../kernel/kind.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { type Random, seededRandom } from "../../platform/random.ts";
import { type CalendarNode, calendarNode, owner } from "./calendar-node.ts";
import { faultyConnector, noFaults, type ServiceFaults } from "./faulty-connector.ts";
import type { RigCalendar } from "./rig.ts";

type Notification = LedgerRecord<NotificationKind>;

export type Body = Parameters<typeof calendarNode>[0]["body"];

export interface Shown {
  readonly node: CalendarNode;
  readonly remote: RigCalendar;
  readonly faults: ServiceFaults;
  readonly random: Random;
  add(message: string, inMinutes: number): Promise<string>;
  get(id: string): Promise<Notification>;
}

export async function shownIn(remote: RigCalendar, seed: number, body: Body = {}): Promise<Shown> {
  const faults = noFaults();
  const random = seededRandom(seed);
  const connector = faultyConnector(remote.connector, faults, random);
  const node = await calendarNode({ account: remote.account, connector, body, seed });
  node.isKilled = () => faults.callsLeft < 0;
  return {
    node,
    remote,
    faults,
    random,
    async add(message, inMinutes) {
      const at = node.now() + inMinutes * 60_000;
      const target = `inbox:${owner}`;
      const draft = makeNotification({ message, at, atText: "later", target, origin: null });
      return (await node.book.append(draft)).id;
    },
    async get(id) {
      const record = await node.book.get(id);
      assert.ok(is(notificationKind, record));
      return record;
    },
  };
}
export const dayMinutes = 24 * 60;
/** What differs between the calendar and what the book wants there: entries that are missing, double, wrong or left over. */
export async function differences({ node, remote }: Shown): Promise<readonly string[]> {
  const calendar = await node.calendar();
  const style = styleOf(calendar, { zone: "Asia/Seoul" }, remote.connector.mirrorsRecords === true);
  const wanted: string[] = [];
  for await (const record of recordsIn(node.book, { kind: notificationKind })) {
    const wish = wishFor(record, style);
    if (wish.is === "shown") wanted.push(lineOf(wish.content));
  }
  const ours = (await remote.list()).filter(({ id }) => isEntryOf(calendar.id, id));
  const there = ours.flatMap(({ content }) =>
    content === null || content.isDone ? [] : [lineOf(content)],
  );
  const counts = new Map<string, number>();
  for (const line of wanted) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of there) counts.set(line, (counts.get(line) ?? 0) - 1);
  const wrong = [...counts].filter(([, count]) => count !== 0);
  const ids = new Set(ours.map(({ id }) => id));
  const doubled = ids.size === ours.length ? [] : [`${ours.length - ids.size} entries are double`];
  return [
    ...wrong.map(([line, count]) => `${count > 0 ? "missing" : "left over"}: ${line}`),
    ...doubled,
  ];
}

function lineOf({ title, at, minutes, fields }: EntryContent): string {
  const shown = fields === undefined ? minutes : "";
  return JSON.stringify([title, new Date(at).toISOString(), shown]);
}

const aMeeting = {
  title: "Standup",
  description: "theirs",
  zone: "Asia/Seoul",
  minutes: 15,
} as const;

export async function addForeign({ node, remote }: Shown): Promise<readonly string[]> {
  for (const day of [1, 2, 3]) {
    await remote.add({ ...aMeeting, at: node.now() + day * dayMinutes * 60_000 });
  }
  return foreignLines(remote, await node.calendar());
}

export async function foreignEntries({ node, remote }: Shown): Promise<readonly string[]> {
  return foreignLines(remote, await node.calendar());
}

async function foreignLines(
  remote: RigCalendar,
  { id }: { id: string },
): Promise<readonly string[]> {
  const entries = await remote.list();
  return entries
    .filter((entry) => !isEntryOf(id, entry.id))
    .map(({ location, content }) => `${location.remoteId} ${content === null ? "" : content.title}`)
    .toSorted();
}

export async function isIdleNow({ node, remote, faults }: Shown): Promise<void> {
  await node.converge();
  const [writes, calls] = [remote.writes?.(), faults.writes];
  const { revision } = await node.calendar();
  const { cursor } = await endOfFeed(node);
  for (let passes = 0; passes < 3; passes += 1) {
    assert.equal(await node.attempt(), "unchanged");
  }
  assert.equal(remote.writes?.(), writes);
  assert.equal(faults.writes, calls);
  assert.equal((await node.calendar()).revision, revision);
  assert.equal((await endOfFeed(node)).cursor, cursor);
}

async function endOfFeed({ book }: CalendarNode): Promise<{ cursor: string }> {
  let after: string | undefined;
  for (;;) {
    const { changes, cursor } = await book.changes({ after, limit: 500 });
    if (changes.length < 500) return { cursor };
    after = cursor;
  }
}
