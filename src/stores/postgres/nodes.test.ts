import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { after, afterEach, test } from "node:test";
import { open } from "../../app/library/open.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import type { Change } from "../../kernel/query.ts";
import { systemClock, sleep } from "../../platform/clock.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const leaseMs = 1_500;
/** Long enough that no lease lapses on a busy machine. */
const longLeaseMs = 30_000;

/** How long a node's channel takes: no time (`steady`: under a long lease), until it is killed, or a second. */
type Pace = "quick" | "steady" | "stuck" | "late";

/** A real node. It prints what it sends, and stops when its input ends. */
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
  /** Resolves with the first such line that the node prints, or has printed. */
  printed(line: RegExp): Promise<string>;
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
  let onLine = (): void => undefined;
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    onLine();
  });
  return {
    child,
    lines,
    async printed(line) {
      for (;;) {
        const found = lines.find((each) => line.test(each));
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (onLine = resolve));
      }
    },
    async stop() {
      const closed = once(child, "close"); // after all of its output was read
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

/** Polls until the record has ended. */
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
  // Also after a failed test: an open ledger reconnects for ever, and this file would not end.
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    for (const ledger of opened) await ledger.close();
    opened.clear();
  });
  after(() => ("missing" in server ? undefined : server.stop()));

  test("three nodes share the work and send everything once", options, async () => {
    const { url, ledger } = await fresh();
    const nodes = [1, 2, 3].map(() => startNode(url, "steady"));
    await Promise.all(nodes.map((node) => node.printed(/started/)));
    const ids = await remind(ledger, 300);
    for (const id of ids) assert.equal(await ended(ledger, id), "delivered");
    await Promise.all(nodes.map((node) => node.stop()));
    const sent = nodes.flatMap(({ lines }) => lines.filter((line) => line.startsWith("send ")));
    assert.equal(sent.length, ids.length);
    assert.equal(new Set(sent).size, ids.length);
  });

  test("a killed node's work is taken over after one lease", options, async () => {
    const { url, ledger } = await fresh();
    const killed = startNode(url, "stuck");
    await killed.printed(/started/);
    const [id = ""] = await remind(ledger, 1);
    await killed.printed(/^send/);
    const successor = startNode(url, "quick");
    await successor.printed(/started/); // its start is not part of the takeover
    const killedAt = Date.now();
    killed.child.kill("SIGKILL");
    assert.equal(await successor.printed(/^sent/), `sent ${id} true`);
    assert.equal(await ended(ledger, id), "delivered");
    const [, lapsed, settled] = await historyOf(ledger, id);
    assert.deepEqual([lapsed?.what, settled?.what, settled?.attempt], ["lapsed", "settled", 2]);
    const { at = 0, claimedAt } = lapsed ?? {};
    assert.ok(at - (claimedAt ?? at) >= leaseMs, "not before the lease's end");
    const lateMs = at - killedAt - leaseMs;
    assert.ok(lateMs < 2 * leaseMs, `${lateMs} ms after the lease's end`);
    await successor.stop();
  });

  test("a node that was suspended past its lease settles nothing", options, async () => {
    const { url, ledger } = await fresh();
    const suspended = startNode(url, "late");
    await suspended.printed(/started/);
    const [id = ""] = await remind(ledger, 1);
    await suspended.printed(/^send/);
    suspended.child.kill("SIGSTOP");
    const successor = startNode(url, "quick");
    await successor.printed(/^sent/);
    assert.equal(await ended(ledger, id), "delivered");
    const before = await historyOf(ledger, id);
    suspended.child.kill("SIGCONT");
    await suspended.printed(/^sent/);
    await suspended.stop(); // waits for its settle
    assert.deepEqual(await historyOf(ledger, id), before);
    await successor.stop();
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
      await ahead.printed(/started/);
      const { now } = await ledger.work.stats();
      const body = {
        message: "hi",
        at: now + 1_000,
        atText: "soon",
        target: "probe:1",
        origin: "test",
      };
      const { id } = await ledger.of("ann", "test").append(makeNotification(body));
      await ahead.printed(/^sent/);
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
