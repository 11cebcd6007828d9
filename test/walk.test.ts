import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "../src/open.ts";
import { makeNotification } from "../src/rules/notification.ts";
import type { AnyRecord } from "../src/rules/record.ts";
import { child, folder, type Child } from "./child.ts";

const shim = fileURLToPath(new URL("../bin/daybook.js", import.meta.url));
const source = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const bin = existsSync(shim) ? shim : source;
const testDaemon = fileURLToPath(new URL("walk-daemon.ts", import.meta.url));

/** A home for one book, and the command line over it. */
interface Walk {
  path: string;
  daybook(...args: string[]): Child;
  /** A daemon that is ready. */
  daemon(): Promise<Child>;
  /** A daemon whose channel does as the mode says. */
  testDaemon(mode: "hang" | "finish" | "deliver"): Promise<Child>;
  /** What a command prints, once it has ended well. */
  said(...args: string[]): Promise<string>;
  remind(message: string, at: string): Promise<Reminded>;
  record(id: string): Promise<AnyRecord>;
}

interface Reminded {
  id: string;
  due: { utc: string };
}

function walk(t: TestContext): Walk {
  const home = folder(t);
  const path = join(home, "book.db");
  const daybook = (...args: string[]): Child =>
    child(t, bin, args, { DAYBOOK_HOME: home, DAYBOOK_TIMEZONE: "Asia/Seoul" });
  const said = async (...args: string[]): Promise<string> => {
    const run = daybook(...args);
    assert.equal(await run.ended, 0, run.lines.join("\n"));
    return run.lines.join("\n");
  };
  return {
    path,
    daybook,
    said,
    async daemon() {
      const started = daybook("start");
      await started.line(/is ready/);
      return started;
    },
    async testDaemon(mode) {
      const started = child(t, testDaemon, [mode, `sqlite:${path}`]);
      await started.line(/^ready$/);
      return started;
    },
    remind: async (message, at) =>
      JSON.parse(await said("remind", message, "--at", at, "--json")) as Reminded,
    record: async (id) =>
      (JSON.parse(await said("explain", id, "--json")) as { record: AnyRecord }).record,
  };
}

/** Ends it as an init system does: what it was doing is settled when this returns. */
async function stop(daemon: Child): Promise<void> {
  daemon.kill("SIGTERM");
  assert.equal(await daemon.ended, 0, daemon.lines.join("\n"));
}

async function crash(daemon: Child): Promise<void> {
  daemon.kill("SIGKILL");
  assert.equal(await daemon.ended, "SIGKILL");
}

function times(message: string, daemons: readonly Child[]): number {
  return daemons.flatMap(({ lines }) => lines).filter((line) => line === `🔔 ${message}`).length;
}

/** A test that waits for a line that never comes fails by this. */
const patience = { timeout: 60_000 };

describe("a walk through Daybook", patience, () => {
  test("what one process asks, another says: on time, once, with a receipt", async (t) => {
    const at = walk(t);
    const daemon = await at.daemon();
    const { id, due } = await at.remind("hi", "+1s");
    await daemon.line(/^🔔 hi$/);
    const heardAt = Date.now();
    const dueAt = Date.parse(due.utc);
    assert.ok(heardAt >= dueAt, `said ${dueAt - heardAt} ms early`);
    await stop(daemon);
    assert.equal(times("hi", [daemon]), 1);

    const record = await at.record(id);
    const lateMs = (record.endedAt ?? 0) - dueAt;
    assert.ok(lateMs >= 0);
    t.diagnostic(`heard ${heardAt - dueAt} ms after it was due, settled after ${lateMs} ms`);

    const text = await at.said("explain", id);
    assert.match(
      text,
      /^notification \S+ {2}delivered .+ Asia\/Seoul to stdout:daemon, receipt \{"line":1\}$/m,
    );
    assert.match(text, /^ {2}time .+ asked as "\+1s" in stdout:daemon, said \d+ ms after that$/m);
    assert.match(text, / {2}asked by cli$/m);
    assert.match(text, / {2}attempt 1 on \S+ left it delivered after \d+ ms$/m);

    assert.deepEqual(JSON.parse(await at.said("list", "--all", "--json")), {
      notifications: [
        { id, state: "delivered", at: dueAt, message: "hi", target: "stdout:daemon" },
      ],
      next: null,
    });
  });

  test("what was asked is said once, though the daemon died before its time", async (t) => {
    const at = walk(t);
    const first = await at.daemon();
    const before = await at.remind("before the crash", "+2s");
    await crash(first);
    const during = await at.remind("while it is down", "+0s");
    const second = await at.daemon();
    await second.line(/^🔔 while it is down$/);
    await second.line(/^🔔 before the crash$/);
    assert.ok(Date.now() >= Date.parse(before.due.utc));
    await stop(second);
    for (const message of ["before the crash", "while it is down"]) {
      assert.equal(times(message, [first, second]), 1);
    }
    for (const { id } of [before, during]) {
      const { state, attempt, lapses } = await at.record(id);
      assert.deepEqual([state, attempt, lapses], ["delivered", 1, 0]);
    }
  });

  test("a daemon killed while it sends leaves an attempt whose fate is told", async (t) => {
    const at = walk(t);
    const first = await at.testDaemon("hang");
    const { id } = await at.remind("hi", "+0s");
    assert.equal(await first.line(/^sending/), `sending ${id} maybeRepeat=false`);
    await crash(first);
    const crashedAt = Date.now();
    const second = await at.testDaemon("deliver");
    assert.equal(await second.line(/^sending/), `sending ${id} maybeRepeat=true`);
    t.diagnostic(`taken over ${Date.now() - crashedAt} ms after the crash, with a lease of 1 s`);
    await stop(second);
    const { state, attempt, lapses, outcome } = await at.record(id);
    assert.deepEqual([state, attempt, lapses], ["delivered", 2, 1]);
    assert.deepEqual(outcome, { receipt: { mode: "deliver" }, reason: null, maybeDelivered: true });
    const text = await at.said("explain", id);
    assert.match(text, /receipt \{"mode":"deliver"\}; an earlier attempt may also have arrived$/m);
    assert.match(text, /attempt 1 on \S+ was cut off: its fate is unknown$/m);
    assert.match(text, /attempt 2 on \S+ left it delivered/m);
  });

  test("told to stop, a daemon finishes what it is doing and exits with 0", async (t) => {
    const at = walk(t);
    const daemon = await at.testDaemon("finish");
    const { id } = await at.remind("hi", "+0s");
    await daemon.line(/^sending/);
    await stop(daemon);
    const { state, attempt } = await at.record(id);
    assert.deepEqual([state, attempt], ["delivered", 1]);
  });

  test("nothing is lost or doubled by a stop in the middle of many", async (t) => {
    const at = walk(t);
    const messages = await write(at.path, 300);
    const first = await at.daemon();
    await first.line(/^🔔 message 0$/);
    await stop(first);
    const second = await at.daemon();
    const left = messages.filter((message) => times(message, [first]) === 0);
    t.diagnostic(`${messages.length - left.length} said before the stop, ${left.length} after`);
    for (const message of left) await second.line(new RegExp(`^🔔 ${message}$`));
    await stop(second);
    for (const message of messages) assert.equal(times(message, [first, second]), 1, message);
    assert.deepEqual(await states(at.path), { delivered: 300 });
  });

  test("of two daemons on one book, exactly one says each message", async (t) => {
    const at = walk(t);
    const daemons = await Promise.all([at.daemon(), at.daemon()]);
    const messages = await write(at.path, 300);
    const anyone = (message: string): Promise<string> =>
      Promise.race(daemons.map((daemon) => daemon.line(new RegExp(`^🔔 ${message}$`))));
    for (const message of messages) await anyone(message);
    await Promise.all(daemons.map(stop));
    for (const message of messages) assert.equal(times(message, daemons), 1, message);
    assert.deepEqual(await states(at.path), { delivered: 300 });
    const shares = daemons.map(({ lines }) => lines.filter((line) => line.startsWith("🔔")).length);
    t.diagnostic(`shares: ${shares.join(" and ")}`);
  });
});

/** Writes so many messages that are due now, in a process that does none of the work. */
async function write(path: string, count: number): Promise<string[]> {
  const book = await open({ store: `sqlite:${path}` });
  const messages = Array.from({ length: count }, (_, index) => `message ${index}`);
  const asked = messages.map((message, index) => {
    // In the order of the index, and so many lanes that none has to wait for its share.
    const target = `stdout:${index % 20}`;
    return makeNotification({ message, at: index, atText: "now", target, origin: target });
  });
  await Promise.all(asked.map((draft) => book.ledger.of("me", "test").append(draft)));
  await book.close();
  return messages;
}

/** How many notifications are in which state. */
async function states(path: string): Promise<Record<string, number>> {
  const book = await open({ store: `sqlite:${path}` });
  const { records } = await book.ledger.of("me", "test").list({ kind: "notification", limit: 500 });
  await book.close();
  const groups = Object.entries(Object.groupBy(records, ({ state }) => state));
  return Object.fromEntries(groups.map(([state, group]) => [state, group.length]));
}

describe(
  "a book that cannot be read is an error that says what to do, never empty:",
  patience,
  () => {
    const bad: [name: string, make: (path: string) => void, exit: number, says: RegExp][] = [
      ["garbage", (path) => writeFileSync(path, "not a book\n".repeat(999)), 6, /is not a ledger/],
      ["a folder", (path) => mkdirSync(path), 6, /is a folder: give the path of a file/],
      [
        "another program's",
        otherProgram,
        5,
        /is another program's database: give a path of its own/,
      ],
    ];
    for (const [name, make, exit, says] of bad) {
      test(`${name} instead of a book`, async (t) => {
        const at = walk(t);
        make(at.path);
        for (const args of [["start"], ["list"], ["remind", "hi", "--at", "+1s"]]) {
          const run = at.daybook(...args);
          assert.equal(await run.ended, exit, run.lines.join("\n"));
          assert.equal(run.lines.length, 1, run.lines.join("\n"));
          assert.match(run.lines[0] ?? "", says);
        }
      });
    }
    test("a path that leads through a file", async (t) => {
      const home = folder(t);
      writeFileSync(join(home, "file"), "");
      const store = `sqlite:${join(home, "file", "book.db")}`;
      const run = child(t, bin, ["list"], { DAYBOOK_STORE: store });
      assert.equal(await run.ended, 6, run.lines.join("\n"));
      assert.match(
        run.lines.join("\n"),
        /^daybook: \S+book\.db cannot be made \(.+\): choose a folder/,
      );
    });
  },
);

function otherProgram(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("create table record (id integer primary key, name text); pragma user_version = 7");
  database.close();
}
