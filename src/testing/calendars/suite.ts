import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { EntryContent, RemoteEntry } from "../../features/calendars/index.ts";
import { isEntryOf } from "../../features/calendars/index.ts";
import { styleOf } from "../../features/calendars/pass.ts";
import { wishFor } from "../../features/calendars/projection.ts";
import {
  changeOf,
  makeNotification,
  notificationKind,
  type NotificationKind,
} from "../../features/notifications/index.ts";
import { is } from "../../kernel/kind.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { type Random, seededRandom } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import { type CalendarNode, calendarNode, owner } from "./calendar-node.ts";
import { faultyConnector, noFaults, type ServiceFaults } from "./faulty-connector.ts";
import type { CalendarRig, RigCalendar } from "./rig.ts";

interface SuiteOptions {
  /** How many notifications are made. */
  readonly notifications?: number;
  readonly seed?: number;
}

type Notification = LedgerRecord<NotificationKind>;

/** What every service must show: the tests of the reconciler over calendars that this rig makes. */
export function calendarSuite(rig: CalendarRig, options: SuiteOptions = {}): void {
  const { notifications = 500, seed = 1 } = options;
  void describe(`a book shown in a calendar of ${rig.name}`, () => {
    after(() => rig.close?.());
    const inCalendar = (name: string, run: (at: Shown) => Promise<void>, body?: Body): void => {
      void test(name, async () => {
        const at = await shownIn(await rig.make(), seed, body);
        try {
          await run(at);
        } finally {
          await at.remote.close?.();
        }
      });
    };
    const edits = { editsFlowBack: true };
    inCalendar(
      `equals the projection after ${notifications} notifications were created, moved, cancelled and delivered at random, over a bad line`,
      (at) => randomHistory(at, notifications),
    );
    inCalendar("writes nothing when nothing has changed", isIdle);
    inCalendar("is written again where a person changed or removed an entry", isRestored);
    inCalendar("moves, rewords and cancels what a person changed in it", flowsBack, edits);
    inCalendar("keeps the book's version when both have changed", keepsBook, edits);
    inCalendar("cancels nothing when everything in it vanishes", survivesVanishing, edits);
    inCalendar("gives the entries back when it is deleted", leaves);
  });
}

type Body = Parameters<typeof calendarNode>[0]["body"];

interface Shown {
  readonly node: CalendarNode;
  readonly remote: RigCalendar;
  readonly faults: ServiceFaults;
  readonly random: Random;
  add(message: string, inMinutes: number): Promise<string>;
  get(id: string): Promise<Notification>;
}

async function shownIn(remote: RigCalendar, seed: number, body: Body = {}): Promise<Shown> {
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

const dayMinutes = 24 * 60;

async function randomHistory(at: Shown, count: number): Promise<void> {
  const { node, remote, faults, random } = at;
  const foreign = await addForeign(at);
  let made = 0;
  while (made < count) {
    for (let batch = intBelow(random, 60); batch >= 0 && made < count; batch -= 1) {
      made += 1;
      await at.add(
        `Number ${made}: 물 주기 & "tea"\nsecond line`,
        60 + intBelow(random, 20 * dayMinutes),
      );
    }
    await changeSome(at);
    Object.assign(faults, { lost: 0.05, cutOff: 0.01, refused: 0.03 });
    if (chance(random, 0.3)) faults.callsLeft = intBelow(random, 30);
    if (chance(random, 0.2)) await remote.forgetTokens?.();
    for (let attempts = 1 + intBelow(random, 3); attempts > 0; attempts -= 1) {
      await node.attempt();
      if (faults.callsLeft < 0) faults.callsLeft = Infinity;
    }
  }
  await settle(at);
  assert.deepEqual(await differences(at), []);
  assert.deepEqual(await foreignEntries(at), foreign);
  await isIdleNow(at);
}

/** Without faults, and with the brake let go by a person where it is on: until nothing is to be done. */
async function settle({ node, faults }: Shown): Promise<void> {
  Object.assign(faults, { ...noFaults(), writes: faults.writes });
  node.advance(24 * 3_600_000); // every backoff is over
  await node.converge();
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const { body, outcome } = await node.calendar();
    const removals = outcome?.brake?.removals;
    if (removals === undefined) return;
    const asked = body.asked + 1;
    await node.edit({ asked, confirmed: { removals, asked } });
    await node.converge();
  }
}

/** Moves, cancels and delivers some of those that wait. */
async function changeSome({ node, random }: Shown): Promise<void> {
  const { book } = node;
  for await (const record of recordsIn(book, { kind: notificationKind, live: true })) {
    const kind = "notification";
    const { id } = record;
    switch (intBelow(random, 12)) {
      case 0: {
        const moved = record.body.at + (1 + intBelow(random, dayMinutes)) * 60_000;
        const change = { at: moved, message: `${record.body.message}!` };
        await book.edit(changeOf(record, change, { owner, profile: { zone: "Asia/Seoul" } }));
        break;
      }
      case 1:
        await book.cancel({ id });
        break;
      case 2: {
        const outcome = { receipt: { ok: true }, reason: null, maybeDelivered: false };
        await book.edit<NotificationKind>({ kind, id, ends: "delivered", outcome });
        break;
      }
      default:
    }
  }
}

/** What differs between the calendar and what the book wants there: entries that are missing, double, wrong or left over. */
async function differences({ node, remote }: Shown): Promise<readonly string[]> {
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

async function addForeign({ node, remote }: Shown): Promise<readonly string[]> {
  for (const day of [1, 2, 3]) {
    await remote.add({ ...aMeeting, at: node.now() + day * dayMinutes * 60_000 });
  }
  return foreignLines(remote, await node.calendar());
}

async function foreignEntries({ node, remote }: Shown): Promise<readonly string[]> {
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

async function isIdleNow({ node, remote, faults }: Shown): Promise<void> {
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

async function isIdle(at: Shown): Promise<void> {
  await addForeign(at);
  for (const minutes of [60, 120, 180]) await at.add(`In ${minutes}`, minutes);
  await at.node.converge();
  assert.deepEqual(await differences(at), []);
  await isIdleNow(at);
}

/** The entry of ours with this title. */
async function titled({ remote }: Shown, title: string): Promise<RemoteEntry> {
  const found = (await remote.list()).find(({ content }) => content?.title === title);
  assert.ok(found, `there is no entry ${title}`);
  return found;
}

async function isRestored(at: Shown): Promise<void> {
  const { node, remote } = at;
  for (const name of ["kept", "moved", "removed"]) await at.add(name, 600);
  await node.converge();
  await remote.change((await titled(at, "moved")).location.remoteId, { title: "elsewhere" });
  await remote.remove((await titled(at, "removed")).location.remoteId);
  await node.converge();
  assert.deepEqual(await differences(at), []);
}

async function flowsBack(at: Shown): Promise<void> {
  const { node, remote } = at;
  const [moved, renamed, removed] = [
    await at.add("moved", 600),
    await at.add("renamed\nits second line", 700),
    await at.add("removed", 800),
  ];
  await node.converge();
  const later = node.now() + 3 * dayMinutes * 60_000;
  await remote.change((await titled(at, "moved")).location.remoteId, { at: later });
  const before = (await remote.list()).find(({ content }) => content?.title.startsWith("renamed"));
  await remote.change(before?.location.remoteId ?? "", { title: "reworded" });
  await remote.remove((await titled(at, "removed")).location.remoteId);
  await node.converge();
  assert.equal((await at.get(moved)).body.at, later);
  assert.match((await at.get(renamed)).body.message, /^reworded/);
  assert.equal((await at.get(removed)).state, "cancelled");
  assert.deepEqual(await differences(at), []);
}

async function keepsBook(at: Shown): Promise<void> {
  const { node, remote } = at;
  const id = await at.add("both", 600);
  await node.converge();
  await remote.change((await titled(at, "both")).location.remoteId, { title: "theirs" });
  const whose = { owner, profile: { zone: "Asia/Seoul" } };
  await node.book.edit(changeOf(await at.get(id), { message: "ours" }, whose));
  await node.converge();
  assert.equal((await at.get(id)).body.message, "ours");
  assert.deepEqual(await differences(at), []);
  assert.equal((await notices(at)).filter((text) => /“theirs”/.test(text)).length, 1);
}

async function notices({ node }: Shown): Promise<readonly string[]> {
  const all = await Array.fromAsync(recordsIn(node.book, { kind: notificationKind }));
  return all.filter(({ body }) => body.type === "notice").map(({ body }) => body.message);
}

async function survivesVanishing(at: Shown): Promise<void> {
  const { node, remote } = at;
  const made: string[] = [];
  for (let count = 1; count <= 8; count += 1)
    made.push(await at.add(`number ${count}`, 600 + count));
  await node.converge();
  const calendar = await node.calendar();
  for (const { id, location } of await remote.list()) {
    if (isEntryOf(calendar.id, id)) await remote.remove(location.remoteId);
  }
  await node.converge();
  await node.converge();
  for (const id of made) assert.equal((await at.get(id)).state, "pending");
  const { outcome } = await node.calendar();
  assert.deepEqual(outcome?.brake, { removals: 8, entries: 8 });
  assert.equal((await notices(at)).filter((text) => /8 of 8/.test(text)).length, 1);
}

async function leaves(at: Shown): Promise<void> {
  const { node, remote } = at;
  const foreign = await addForeign(at);
  for (let count = 1; count <= 60; count += 1) await at.add(`number ${count}`, 600 + count);
  await node.converge();
  await node.edit({ leaving: "remove" });
  while ((await node.calendar()).endedAt === null) await node.attempt();
  const calendar = await node.calendar();
  assert.equal((await remote.list()).filter(({ id }) => isEntryOf(calendar.id, id)).length, 0);
  assert.deepEqual(await foreignEntries(at), foreign);
}
