import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { after, afterEach, test } from "node:test";
import { open } from "../../app/library/open.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import type { Change } from "../../kernel/reading.ts";
import { systemClock, sleep } from "../../platform/clock.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const leaseMs = 1_500;
/** Where no lease is to run out, however busy the machine is. */
const longLeaseMs = 30_000;

/** How a node's channel takes its time: not at all (the steady one under a long lease), until somebody
 * kills it, or a second. */
type Pace = "quick" | "steady" | "stuck" | "late";

/** A real node. It says what it sends, and ends when its input does. */
async function runNode(url: string, pace: Pace): Promise<void> {
  const probe: Channel = {
    name: "probe",
    async send({ id, maybeRepeat }) {
      writeSync(1, `send ${id} ${maybeRepeat}\n`);
      if (pace === "stuck") await new Promise(() => undefined);
      if (pace === "late") await sleep(systemClock(), 1_000);
      writeSync(1, `sent ${id} ${maybeRepeat}\n`);
      return { result: "delivered", receipt: id };
    },
  };
  const leaseSeconds = (pace === "steady" ? longLeaseMs : leaseMs) / 1_000;
  const daybook = await open({ store: url, channels: [probe], leaseSeconds });
  await daybook.start();
  writeSync(1, "started\n");
  await once(process.stdin.resume(), "end");
  await daybook.close();
}

interface NodeProcess {
  readonly child: ChildProcess;
  /** Resolves when the node says such a line, or has said it. */
  says(line: RegExp): Promise<string>;
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
const opened = new Set<PostgresLedger>();

function startNode(url: string, pace: Pace, wrap: readonly string[] = []): NodeProcess {
  const [file, ...args] = [...wrap, process.execPath, import.meta.filename, "node", url, pace];
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  running.add(child);
  const lines: string[] = [];
  let heard = (): void => undefined;
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    heard();
  });
  return {
    child,
    lines,
    async says(line) {
      for (;;) {
        const found = lines.find((each) => line.test(each));
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (heard = resolve));
      }
    },
    async stop() {
      const closed = once(child, "close"); // and all that it said was read
      child.stdin.end();
      await closed;
    },
  };
}

async function remind(ledger: PostgresLedger, count: number): Promise<readonly string[]> {
  const body = { message: "hi", at: 0, atText: "now", origin: "test" };
  const drafts = Array.from({ length: count }, (_, index) =>
    makeNotification({ ...body, target: `probe:${index % 20}` }),
  );
  const book = ledger.of("ann", "test");
  return (await Promise.all(drafts.map((draft) => book.append(draft)))).map(({ id }) => id);
}

async function historyOf(ledger: PostgresLedger, id: string): Promise<readonly Change[]> {
  return (await ledger.of("ann", "test").changes({ id, limit: 500 })).changes;
}

/** Looks until the record has ended. */
async function ended(ledger: PostgresLedger, id: string): Promise<string> {
  for (;;) {
    const record = await ledger.of("ann", "test").get(id);
    if (record?.endedAt != null) return record.state;
    await sleep(systemClock(), 20);
  }
}

async function tests(): Promise<void> {
  const server = await postgresServer();
  const options = { skip: "missing" in server ? server.missing : false, timeout: 120_000 };
  const fresh = async (): Promise<{ url: string; ledger: PostgresLedger }> => {
    if ("missing" in server) throw new Error(server.missing);
    const url = await server.database();
    const ledger = await postgres({ url, connections: 2 });
    opened.add(ledger);
    return { url, ledger };
  };
  // Also when a test failed: an open ledger looks for its server for ever, and this file would not end.
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    for (const ledger of opened) await ledger.close();
    opened.clear();
  });
  after(() => ("missing" in server ? undefined : server.stop()));

  test("three nodes share the work: everything is sent once", options, async () => {
    const { url, ledger } = await fresh();
    const nodes = [1, 2, 3].map(() => startNode(url, "steady"));
    await Promise.all(nodes.map((node) => node.says(/started/)));
    const ids = await remind(ledger, 300);
    for (const id of ids) assert.equal(await ended(ledger, id), "delivered");
    await Promise.all(nodes.map((node) => node.stop()));
    const sent = nodes.flatMap(({ lines }) => lines.filter((line) => line.startsWith("send ")));
    assert.equal(sent.length, ids.length);
    assert.equal(new Set(sent).size, ids.length);
  });

  test("the work of a node that was killed is taken over after one lease", options, async () => {
    const { url, ledger } = await fresh();
    const dead = startNode(url, "stuck");
    await dead.says(/started/);
    const [id = ""] = await remind(ledger, 1);
    await dead.says(/^send/);
    const heir = startNode(url, "quick");
    await heir.says(/started/); // how long that takes says nothing about the takeover
    const killedAt = Date.now();
    dead.child.kill("SIGKILL");
    assert.equal(await heir.says(/^sent/), `sent ${id} true`);
    assert.equal(await ended(ledger, id), "delivered");
    const [, lapsed, settled] = await historyOf(ledger, id);
    assert.deepEqual([lapsed?.what, settled?.what, settled?.attempt], ["lapsed", "settled", 2]);
    const { at = 0, claimedAt } = lapsed ?? {};
    assert.ok(at - (claimedAt ?? at) >= leaseMs, "not before the lease's end");
    const lateMs = at - killedAt - leaseMs;
    assert.ok(lateMs < 2 * leaseMs, `${lateMs} ms after the lease's end`);
    await heir.stop();
  });

  test("a node that slept past its lease settles nothing when it wakes", options, async () => {
    const { url, ledger } = await fresh();
    const sleeper = startNode(url, "late");
    await sleeper.says(/started/);
    const [id = ""] = await remind(ledger, 1);
    await sleeper.says(/^send/);
    sleeper.child.kill("SIGSTOP");
    const heir = startNode(url, "quick");
    await heir.says(/^sent/);
    assert.equal(await ended(ledger, id), "delivered");
    const before = await historyOf(ledger, id);
    sleeper.child.kill("SIGCONT");
    await sleeper.says(/^sent/);
    await sleeper.stop(); // waits for what it settles
    assert.deepEqual(await historyOf(ledger, id), before);
    await heir.stop();
  });

  const faketime = (): boolean => {
    try {
      execFileSync("faketime", ["--version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  };
  const skip = options.skip || (faketime() ? false : "no faketime here");
  test(
    "a node whose clock is an hour ahead sends nothing early",
    { ...options, skip },
    async () => {
      const { url, ledger } = await fresh();
      const ahead = startNode(url, "quick", ["faketime", "-f", "+1h"]);
      await ahead.says(/started/);
      const { now } = await ledger.work.stats();
      const body = {
        message: "hi",
        at: now + 1_000,
        atText: "soon",
        target: "probe:1",
        origin: "test",
      };
      const { id } = await ledger.of("ann", "test").append(makeNotification(body));
      await ahead.says(/^sent/);
      assert.equal(await ended(ledger, id), "delivered");
      const [, settled] = await historyOf(ledger, id);
      assert.ok((settled?.claimedAt ?? 0) >= now + 1_000);
      await ahead.stop();
    },
  );
}

const [, , role, url = "", pace = "quick"] = process.argv;
if (role === "node") await runNode(url, pace as Pace);
else await tests();
