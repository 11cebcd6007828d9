import assert from "node:assert/strict";
import { after, describe, test, type TestContext } from "node:test";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../src/features/notifications/kind.ts";
import { is } from "../src/kernel/kind.ts";
import type { LedgerRecord } from "../src/kernel/record.ts";
import { skipUnlessIn, spread } from "../src/testing/depth.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { fileBook, processBook, sqliteBook, type Daemon, type WalkBook } from "./walk-book.ts";
import type { Mode } from "./walk-channel.ts";
import { memoryBook } from "./walk-memory.ts";

async function recordOf(book: WalkBook, id: string): Promise<LedgerRecord<NotificationKind>> {
  const record = await book.using((ledger) => ledger.of("me", "test").get(id));
  assert.ok(is(notificationKind, record));
  return record;
}

interface Asked {
  daemon: Daemon;
  id: string;
}

/** A daemon, and a reminder requested while it runs, or before it if it owns the book. */
async function askedOf(
  book: WalkBook,
  { message, inMs, mode }: { message: string; inMs: number; mode?: Mode },
): Promise<Asked> {
  if (book.isShared(mode)) {
    const daemon = await book.daemon(mode);
    return { daemon, id: await book.remind(message, inMs) };
  }
  const id = await book.remind(message, inMs);
  return { id, daemon: await book.daemon(mode) };
}

function times(message: string, daemons: readonly Daemon[]): number {
  return daemons.flatMap(({ lines }) => lines).filter((line) => line === `🔔 ${message}`).length;
}

async function onTime(t: TestContext, book: WalkBook): Promise<void> {
  const { daemon, id } = await askedOf(book, { message: "hi", inMs: 1_000 });
  await daemon.line(/^🔔 hi$/);
  const heardAt = Date.now();
  await daemon.stop();
  assert.equal(times("hi", [daemon]), 1);

  const { state, body, outcome, endedAt } = await recordOf(book, id);
  assert.equal(state, "delivered");
  // On a slow machine the welcome comes before this line.
  const said = daemon.lines.filter((line) => line.startsWith("🔔"));
  const line = said.indexOf("🔔 hi") + 1;
  assert.deepEqual(outcome?.receipt, { line });
  const lateMs = (endedAt ?? 0) - body.at;
  assert.ok(heardAt >= body.at, `said ${body.at - heardAt} ms early`);
  assert.ok(lateMs >= 0);
  t.diagnostic(`heard ${heardAt - body.at} ms after it was due, settled after ${lateMs} ms`);
  if (book.said) await assertTold(book.said, id, line);
}

/** Checks the state that the command line shows. */
async function assertTold(
  said: NonNullable<WalkBook["said"]>,
  id: string,
  line: number,
): Promise<void> {
  const text = await said("explain", id);
  const [, heard] =
    /^notification \S+ {2}delivered .+ Asia\/Seoul to stdout:daemon, receipt \{"line":(\d+)\}$/m.exec(
      text,
    ) ?? [];
  assert.equal(heard, `${line}`, text);
  assert.match(text, /^ {2}time .+ typed as "\+1s", delivered \d+ ms later$/m);
  assert.match(text, /^ {2}request +by me on /m);
  assert.match(text, /^ {2}attempts +1 on \S+ left it delivered after \d+ ms$/m);
  const { notifications } = JSON.parse(await said("list", "--all", "--json"));
  const found = (notifications as Record<string, unknown>[]).filter(
    ({ type }) => type !== "notice",
  );
  assert.deepEqual(
    found.map(({ id: listed, state, message }) => [listed, state, message]),
    [[id, "delivered", "hi"]],
  );
}

async function diedBefore(_t: TestContext, book: WalkBook): Promise<void> {
  const { daemon: first, id } = await askedOf(book, { message: "before the crash", inMs: 4_000 });
  await first.crash();
  assert.equal(times("before the crash", [first]), 0, "it was started too late for this test");
  const during = await book.remind("while it is down", 0);
  const second = await book.daemon();
  await second.line(/^🔔 while it is down$/);
  await second.line(/^🔔 before the crash$/);
  const heardAt = Date.now();
  await second.stop();
  for (const message of ["before the crash", "while it is down"]) {
    assert.equal(times(message, [first, second]), 1);
  }
  for (const each of [id, during]) {
    const { state, attempt, lapses, body } = await recordOf(book, each);
    assert.deepEqual([state, attempt, lapses], ["delivered", 1, 0]);
    assert.ok(heardAt >= body.at);
  }
}

async function diedWithin(t: TestContext, book: WalkBook): Promise<void> {
  const { daemon: first, id } = await askedOf(book, { message: "hi", inMs: 0, mode: "hang" });
  assert.equal(await first.line(/^sending/), `sending ${id} maybeRepeat=false`);
  await first.crash();
  const crashedAt = Date.now();
  const second = await book.daemon("deliver");
  assert.equal(await second.line(/^sending/), `sending ${id} maybeRepeat=true`);
  t.diagnostic(`taken over ${Date.now() - crashedAt} ms after the crash, with a lease of 1 s`);
  await second.stop();
  const { state, attempt, lapses, outcome } = await recordOf(book, id);
  assert.deepEqual([state, attempt, lapses], ["delivered", 2, 1]);
  assert.deepEqual(outcome?.receipt, { mode: "deliver" });
  assert.equal(outcome?.maybeDelivered, true);
  const text = (await book.said?.("explain", id)) ?? "";
  assert.match(text, /receipt \{"mode":"deliver"\}; an earlier attempt may also have arrived$/m);
  assert.match(text, /1 on \S+ was interrupted: its result is unknown/m);
  assert.match(text, /2 on \S+ left it delivered/m);
}

async function stopWithin(_t: TestContext, book: WalkBook): Promise<void> {
  const { daemon, id } = await askedOf(book, { message: "hi", inMs: 0, mode: "finish" });
  await daemon.line(/^sending/);
  await daemon.stop();
  const { state, attempt } = await recordOf(book, id);
  assert.deepEqual([state, attempt], ["delivered", 1]);
}

async function stopAmongMany(t: TestContext, book: WalkBook): Promise<void> {
  const messages = await write(book, 300);
  const first = await book.daemon();
  await first.line(/^🔔 message 0$/);
  await first.stop();
  const second = await book.daemon();
  const left = messages.filter((message) => times(message, [first]) === 0);
  t.diagnostic(`${messages.length - left.length} said before the stop, ${left.length} after`);
  for (const message of left) await second.line(new RegExp(`^🔔 ${message}$`));
  await second.stop();
  for (const message of messages) assert.equal(times(message, [first, second]), 1, message);
  assert.deepEqual(await states(book), { delivered: 300 });
}

async function twoDaemons(t: TestContext, book: WalkBook): Promise<void> {
  assert.ok(book.another);
  const daemons = await Promise.all([book.daemon(), book.another()]);
  const messages = await write(book, 300);
  const anyone = (message: string): Promise<string> =>
    Promise.race(daemons.map((daemon) => daemon.line(new RegExp(`^🔔 ${message}$`))));
  for (const message of messages) await anyone(message);
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  for (const message of messages) assert.equal(times(message, daemons), 1, message);
  assert.deepEqual(await states(book), { delivered: 300 });
  const shares = daemons.map(({ lines }) => lines.filter((line) => line.startsWith("🔔")).length);
  t.diagnostic(`shares: ${shares.join(" and ")}`);
}

/** Writes this number of due messages, by a client that does no work. */
async function write(book: WalkBook, count: number): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, index) => `message ${index}`);
  const asked = messages.map((message, index) => {
    // In the order of the index, with enough lanes that none waits for its share.
    const target = `stdout:${index % 20}`;
    return makeNotification({ message, at: index, atText: "now", target, origin: target });
  });
  await book.using((ledger) =>
    Promise.all(asked.map((draft) => ledger.of("me", "test").append(draft))),
  );
  return messages;
}

/** The number of notifications per state. */
async function states(book: WalkBook): Promise<Record<string, number>> {
  const query = { kind: notificationKind, limit: 500 } as const;
  const { records } = await book.using((ledger) => ledger.of("me", "test").list(query));
  const asked = records.filter(({ by }) => by === "test"); // without the daemon's own messages
  const groups = Object.entries(Object.groupBy(asked, ({ state }) => state));
  return Object.fromEntries(groups.map(([state, group]) => [state, group.length]));
}

type Steps = (t: TestContext, book: WalkBook) => Promise<void>;
type Open = (t: TestContext) => WalkBook | Promise<WalkBook>;

const anywhere: Readonly<Record<string, Steps>> = {
  "what is asked is said: on time, once, with a receipt": onTime,
  "told to stop, a daemon finishes what it is doing": stopWithin,
  "nothing is lost or doubled by a stop in the middle of many": stopAmongMany,
};
const whereItOutlivesItsProcess = {
  "what was asked is said once, though the daemon died before its time": diedBefore,
  "a daemon killed while it sends leaves an attempt whose fate is told": diedWithin,
};
const whereManyShareIt = {
  "of two daemons on one book, exactly one says each message": twoDaemons,
};
const everything = { ...anywhere, ...whereItOutlivesItsProcess, ...whereManyShareIt };

const server = await postgresServer();
after(() => ("missing" in server ? undefined : server.stop()));
const postgresBook: Open = async (t) => {
  if ("missing" in server) throw new Error(server.missing);
  return processBook(t, await server.database());
};
const noServer = "missing" in server ? server.missing : false;

const walks: readonly [
  store: string,
  Open,
  Readonly<Record<string, Steps>>,
  skip?: typeof noServer,
][] = [
  ["SQLite", sqliteBook, everything],
  ["PostgreSQL", postgresBook, everything, noServer],
  ["files", fileBook, { ...anywhere, ...whereItOutlivesItsProcess }],
  ["memory", memoryBook, anywhere],
];

// Each walk has its own book, and mostly waits. The timeout is for a line that never comes.
describe("a walk through Daybook", { timeout: 120_000, concurrency: 3 }, () => {
  for (const [nth, [store, open, steps, noStore = false]] of walks.entries()) {
    const all = Object.keys(steps);
    // A sample has every walk on SQLite, and some on each other store: these have their own tests of the ledger.
    const sample = store === "SQLite" ? all : spread(all, 2, nth / walks.length);
    for (const [name, walk] of Object.entries(steps)) {
      const skip = noStore === false ? skipUnlessIn(sample, name) : noStore;
      test(`${store}: ${name}`, { skip }, async (t) => walk(t, await open(t)));
    }
  }
});
