import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { nodeMetrics } from "../features/nodes/ports.ts";
import type { Channel } from "../features/notifications/channel.ts";
import { makeNotification, type NotificationKind } from "../features/notifications/kind.ts";
import { nodeChannels, nodeListeners } from "../features/notifications/ports.ts";
import type { Node } from "../kernel/host.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { provide } from "../kernel/port.ts";
import { systemClock } from "../platform/clock.ts";
import { log } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { sqlite } from "../stores/sqlite/sqlite.ts";
import { node } from "./compose.ts";
import { configFrom } from "./config/load.ts";
import { hostFor, type OnError } from "./host.ts";

interface Report {
  readonly what: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

type Told = (what: string, some?: Report["facts"]) => Promise<Report["facts"]>;

/** Takes what is reported, as Sentry's reporter does. */
function peer(): { report: OnError; next: Told; left(what: string): number } {
  const reports: Report[] = [];
  const heard = new EventTarget();
  return {
    report(what, facts) {
      reports.push({ what, facts: facts as Report["facts"] });
      heard.dispatchEvent(new Event("report"));
    },
    left: (name) => reports.filter(({ what }) => what === name).length,
    async next(what, some = {}) {
      const isIt = ({ what: name, facts }: Report): boolean =>
        name === what && isDeepStrictEqual({ ...facts, ...some }, facts);
      for (;;) {
        const at = reports.findIndex(isIt);
        const [found] = at < 0 ? [] : reports.splice(at, 1);
        if (found !== undefined) return found.facts;
        await new Promise((resolve) => heard.addEventListener("report", resolve, { once: true }));
      }
    },
  };
}

interface Scenario {
  readonly ledger: Ledger;
  readonly running: Node;
  /** Waits until Sentry has been told this, with some of its facts: other loops may meet the same fault. */
  told: Told;
  /** How often Sentry was told this, beyond what the test has read. */
  left(what: string): number;
  ask(more?: Partial<NotificationKind["body"]>): Promise<string>;
  /** Waits until the record is in its end. */
  ended(id: string): Promise<string>;
  /** Another process writes, until it is told to let go. */
  lock(): () => void;
}

const secret = "the words of the message";

/** A whole node over a real file, and a channel that fails as the test says. */
async function scenario(t: TestContext, send: Channel["send"]): Promise<Scenario> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const path = join(folder, "book.db");
  const ledger = await sqlite({ path, busyMs: 20 });
  const { report: onError, next, left } = peer();
  const clock = systemClock();
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const config = configFrom({ store: "memory:", timezone: "UTC", language: "en" });
  const host = hostFor({
    current: () => config,
    ledger,
    platform: {
      clock,
      random: systemRandom(),
      log: log({ write, clock, level: "debug", format: "json", color: false }),
    },
    source: "code",
    baseUrl: () => "",
    onError,
    provisions: [provide(nodeChannels, () => [{ name: "ear", send }])],
  });
  const running = node(host, { leaseMs: 15_000 });
  t.after(async () => {
    await running.stop();
    await ledger.close();
    rmSync(folder, { recursive: true });
    assert.ok(!lines.join("\n").includes(secret)); // the log has every fact that anybody was told
  });
  const book = ledger.of("mina", "mina");
  return {
    ledger,
    running,
    told: next,
    left,
    async ask(more) {
      const where = { target: "ear:1", origin: null };
      const body = { message: secret, at: 0, atText: "now", ...where, ...more };
      return (await book.append(makeNotification(body))).id;
    },
    async ended(id) {
      for (;;) {
        const record = await book.get(id);
        if (record?.endedAt !== null) return String(record?.state);
        await new Promise((resolve) => setTimeout(resolve, 10)); // it is asked again, not hoped
      }
    },
    lock() {
      const other = new DatabaseSync(path, { timeout: 5_000 });
      other.exec("begin immediate");
      return () => other.close();
    },
  };
}

const yes = { result: "delivered", receipt: 1 } as const;

describe("Sentry hears of", { timeout: 120_000 }, () => {
  test("what was not said because its time was over", async (t) => {
    let sends = 0;
    const at = await scenario(t, async () => {
      sends += 1;
      return yes;
    });
    const id = await at.ask({ expiresAt: 1 });
    await at.running.start();
    const { lateMs, ...facts } = await at.told("overdue skipped");
    assert.deepEqual(facts, { id, channel: "ear", reason: "its expiry time has passed" });
    assert.ok(Number(lateMs) > 0);
    assert.equal(await at.ended(id), "expired");
    assert.equal(sends, 0);
  });

  test("a channel that breaks in the middle of a send", async (t) => {
    const at = await scenario(t, () => Promise.reject(new Error("connection reset")));
    const id = await at.ask();
    await at.running.start();
    const about = { id, channel: "ear", attempt: 1, reason: "connection reset" };
    assert.deepEqual(await at.told("send failed"), { ...about, result: "unknown" });
    const once = await at.ask({ atMostOnce: true });
    assert.deepEqual(await at.told("send failed"), { ...about, id: once, result: "unconfirmed" });
  });

  test("an answer that a channel must not give, once for each problem of it", async (t) => {
    const answers: unknown[] = [undefined, undefined, { result: "sent" }];
    const sent: string[] = [];
    const at = await scenario(t, async ({ id, maybeRepeat }) => {
      sent.push(`${id} ${maybeRepeat}`);
      return (answers.length === 0 ? yes : answers.shift()) as typeof yes; // as a channel in JavaScript may
    });
    const ids = [await at.ask(), await at.ask()];
    await at.running.start();
    for (const id of ids) assert.equal(await at.ended(id), "delivered");
    const known = ids.flatMap((id) => [`${id} false`, `${id} true`]);
    assert.deepEqual([...new Set(sent)].toSorted(), known.toSorted());
    assert.equal(sent.length, 5, "each wrong answer is followed by another attempt");
    const reports = [
      await at.told("channel answered wrongly"),
      await at.told("channel answered wrongly"),
    ];
    assert.deepEqual(
      reports.map(({ channel, problem }) => [channel, String(problem).split(":")[0]]),
      [
        ["ear", "send returned undefined"],
        ["ear", 'send returned an object with the result "sent"'],
      ],
    );
    const { reason } = await at.told("send failed", { attempt: 1, result: "unknown" });
    assert.equal(reason, reports[0]?.["problem"]);
    assert.equal(at.left("channel answered wrongly"), 0);
  });

  test("what can never be said", async (t) => {
    const at = await scenario(t, async () => ({ result: "rejected", reason: "blocked" }));
    const id = await at.ask();
    await at.running.start();
    const facts = { id, channel: "ear", attempt: 1, result: "failed", reason: "blocked" };
    assert.deepEqual(await at.told("send failed"), facts);
    assert.equal(await at.ended(id), "failed");
  });

  test("a settle of many that could not be written, and it is written later", async (t) => {
    const all = Promise.withResolvers<void>();
    let sends = 0;
    let unlock = (): void => undefined;
    const at = await scenario(t, async () => {
      sends += 1;
      if (sends === 3) {
        unlock = at.lock();
        all.resolve();
      }
      await all.promise;
      return yes;
    });
    const ids = [await at.ask(), await at.ask(), await at.ask()];
    await at.running.start();
    const { reason, gaveUp } = await at.told("settle failed", { units: 3 });
    unlock();
    assert.equal(gaveUp, false);
    assert.match(String(reason), /locked/);
    assert.deepEqual(await Promise.all(ids.map(at.ended)), ["delivered", "delivered", "delivered"]);
    assert.equal(sends, 3);
  });

  test("a store that does not answer, and what was due then is said later", async (t) => {
    const at = await scenario(t, async () => yes);
    await at.running.start();
    const id = await at.ask({ at: Date.now() + 200 });
    const unlock = at.lock();
    const { reason } = await at.told("store failed", { doing: "claim from notification" });
    unlock();
    assert.match(String(reason), /locked/);
    assert.equal(await at.ended(id), "delivered");
  });
});

test("a wait for a listener is not counted as lateness, and any other is", async (t) => {
  const at = await scenario(t, async () => yes);
  const sent = await at.ask();
  const waiting = await at.ask({ target: "inbox:mina" });
  await new Promise((resolve) => setTimeout(resolve, 50)); // both are late by that much
  await at.running.start();
  assert.equal(await at.ended(sent), "delivered");
  const lateness = async (of: "sum" | "count"): Promise<number> => {
    const text = await at.running.use(nodeMetrics)();
    const sample = new RegExp(`^daybook_lateness_ms_${of}\\{kind="notification"\\} (.*)$`, "m");
    return Number(sample.exec(text)?.[1]);
  };
  const lateMs = await lateness("sum");
  assert.deepEqual([await lateness("count"), lateMs >= 45], [1, true], `${lateMs} ms`);
  const ear = at.running.use(nodeListeners).attach("inbox:mina", {
    name: "terminal",
    show: ({ id }) => ear.acked(id),
  });
  assert.equal(await at.ended(waiting), "delivered");
  await ear.detach();
  assert.deepEqual([await lateness("count"), await lateness("sum")], [2, lateMs]);
});
