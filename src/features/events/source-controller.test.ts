import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import type { Service } from "../../platform/service.ts";
import { openLedger, timeAt } from "../../testing/crash/ledgers.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { handClock, sourceDriver } from "../../testing/sources/source-driver.ts";
import { eventKind } from "./kind.ts";
import { planSources, sourceController } from "./source-controller.ts";
import {
  type Source,
  type SourceKind,
  sourceKind,
  type Polled,
  type SourceEvent,
} from "./source.ts";

const owner = "mina";
const everyMs = 60_000;

function event(name: string, more: Partial<SourceEvent> = {}): SourceEvent {
  return { name, type: "build.done", repo: null, payload: {}, at: 1_000, ...more };
}

interface Scripted extends Source {
  readonly cursors: Json[];
  answer: (cursor: Json, signal: AbortSignal) => Polled | Promise<Polled>;
}

function scripted(): Scripted {
  const source: Scripted = {
    name: "fake",
    cursors: [],
    answer: (cursor) => ({ events: [], cursor }),
    async poll(cursor, { signal }) {
      source.cursors.push(cursor);
      return source.answer(cursor, signal);
    },
  };
  return source;
}

type Options = Partial<Parameters<typeof sourceController>[1]>;

async function run(at: NodeFixture, source: Source, options: Options = {}): Promise<Service> {
  await planSources(at.ledger.of(owner, owner), owner, [{ name: "fake", everyMs }]);
  const controller = sourceController(source, { clock: at.clock, home: owner, ...options });
  const running = runController(controller, at.ports, at.options);
  await running.start();
  return running;
}

async function sourceIn(at: NodeFixture): Promise<LedgerRecord<SourceKind>> {
  const { records } = await at.ledger.of(owner, owner).list({ kind: sourceKind, live: true });
  const [record] = records;
  assert.ok(is(sourceKind, record));
  return record;
}

async function namesIn(at: NodeFixture): Promise<string[]> {
  const { records } = await at.ledger.of(owner, owner).list({ kind: eventKind, limit: 500 });
  return records.map(({ body }) => body.name);
}

test("events and cursor are one unit, and the next poll starts at the cursor", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = (cursor) => {
    const next = Number(cursor ?? 0) + 1;
    return { events: [event(`evt-${next}`)], cursor: next };
  };
  const running = await run(at, source);
  await at.pass(2.5 * everyMs);
  await running.stop();
  assert.deepEqual(source.cursors, [null, 1, 2]);
  assert.deepEqual(await namesIn(at), ["evt-1", "evt-2", "evt-3"]);
  const settles = at.calls.filter(({ verb }) => verb === "settle");
  assert.equal(settles.length, 3, "no unit for the cursor alone");
});

test("polls without news write only the time of the last poll, now and then", async () => {
  const at = nodeFixture();
  const source = scripted();
  const running = await run(at, source);
  await at.pass(61 * everyMs);
  await running.stop();
  assert.ok(source.cursors.length >= 58, `${source.cursors.length} times asked`);
  const { changes } = await at.ledger.of(owner, owner).changes({ limit: 500 });
  assert.ok(changes.length <= 9, `${changes.length} changes`);
});

test("a source with more events is polled again at once", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = (cursor) => {
    const next = Number(cursor ?? 0) + 1;
    return { events: [event(`evt-${next}`)], cursor: next, more: next < 5 };
  };
  const running = await run(at, source);
  await at.pass(1_000);
  await running.stop();
  assert.equal((await namesIn(at)).length, 5);
});

test("a failed poll keeps the cursor and the reason, and backs off", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = (cursor) => {
    if (cursor === null) return { events: [], cursor: "here" };
    throw new DaybookError("unavailable", "It is down: wait.");
  };
  const running = await run(at, source);
  await at.pass(everyMs + 60 * 60_000);
  const { outcome } = await sourceIn(at);
  assert.equal(outcome?.cursor, "here");
  assert.equal(outcome?.reason, "It is down: wait.");
  assert.ok(source.cursors.length < 20, `${source.cursors.length} times asked in an hour`);
  source.answer = () => ({ events: [event("evt-1")], cursor: "there" });
  await at.pass(15 * 60_000);
  await running.stop();
  assert.deepEqual(await namesIn(at), ["evt-1"]);
  const after = (await sourceIn(at)).outcome;
  assert.deepEqual([after?.failures, after?.reason], [0, null]);
});

test("a poll without an answer fails after its time limit", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = () => new Promise(() => undefined);
  const running = await run(at, source);
  await at.pass(5 * 60_000);
  assert.match((await sourceIn(at)).outcome?.reason ?? "", /did not answer within/);
  const stopped = running.stop();
  await at.pass(2_000);
  await stopped;
});

test("an aborted poll stops at once and counts no failure", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = (_cursor, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("gone")));
    });
  const running = await run(at, source);
  await at.pass(1_000);
  await running.stop();
  assert.equal((await sourceIn(at)).outcome, null);
});

test("an invalid event is reported and blocks no other", async () => {
  const at = nodeFixture();
  const source = scripted();
  const wrong = [event("../../etc"), event("evt-2", { type: "No Type" })];
  const large = event("evt-3", { payload: { text: "x".repeat(200_000) } });
  source.answer = () => ({ events: [...wrong, large, event("evt-4")], cursor: 1 });
  const running = await run(at, source);
  await at.pass(1_000);
  await running.stop();
  assert.deepEqual(await namesIn(at), ["evt-4"]);
  assert.match((await sourceIn(at)).outcome?.reason ?? "", /etc.*evt-2.*evt-3/);
});

test("an event whose id is taken is left out, and the others are written", async () => {
  const at = nodeFixture();
  await at.ledger.of("jun", "jun").append({
    kind: "source",
    id: "evt-1",
    body: { name: "x", everyMs },
    state: "active",
  });
  const source = scripted();
  source.answer = () => ({ events: [event("evt-1"), event("evt-2")], cursor: 1 });
  const running = await run(at, source);
  await at.pass(1_000);
  await running.stop();
  assert.deepEqual(await namesIn(at), ["evt-2"]);
  assert.match((await sourceIn(at)).outcome?.reason ?? "", /evt-1 is taken/);
});

test("own and unwanted events are dropped, and the cursor moves on", async () => {
  const at = nodeFixture();
  const source = scripted();
  source.answer = (cursor) =>
    cursor === 1
      ? { events: [], cursor }
      : {
          events: [
            event("evt-1", { actor: "bot", repo: "a/b" }),
            event("evt-2", { actor: "mina", repo: "c/d" }),
            event("evt-3", { actor: "mina", repo: "a/b", hops: 9 }),
          ],
          cursor: 1,
        };
  const running = await run(at, source, { ours: ["bot"], repos: ["a/*"] });
  await at.pass(1_000);
  await running.stop();
  assert.deepEqual(await namesIn(at), ["evt-3"]);
  const [heard] = (await at.ledger.of(owner, owner).list({ kind: eventKind })).records;
  assert.equal(heard?.body.hops, 9, "how many led to it is kept, for who stops loops");
  assert.equal((await sourceIn(at)).outcome?.cursor, 1);
});

test("sources follow the settings: created once, changed, ended, created again", async () => {
  const at = nodeFixture();
  const book = at.ledger.of(owner, owner);
  const one = { name: "one", everyMs };
  await Promise.all([planSources(book, owner, [one]), planSources(book, owner, [one])]);
  await planSources(book, owner, [
    { ...one, everyMs: 5_000 },
    { name: "two", everyMs },
  ]);
  await planSources(book, owner, [{ name: "two", everyMs }]);
  await planSources(book, owner, [one, { name: "two", everyMs }]);
  const { records } = await book.list({ kind: sourceKind });
  assert.deepEqual(
    records.map(({ body, state }) => [body.name, body.everyMs, state]),
    [
      ["one", 5_000, "cancelled"],
      ["two", everyMs, "active"],
      ["one", everyMs, "active"],
    ],
  );
  await assert.rejects(planSources(book, owner, [{ name: "One!", everyMs }]), /name of a source/);
});

const server = await postgresServer();
after(async () => {
  if (!("missing" in server)) await server.stop();
});
const folder = mkdtempSync(join(tmpdir(), "daybook-sources-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const stores: Readonly<Record<string, () => Promise<string>>> = {
  sqlite: () => Promise.resolve(join(folder, "book.db")),
  file: () => Promise.resolve(join(folder, "book.folder")),
  ...("missing" in server ? {} : { postgres: () => server.database() }),
};
for (const [name, location] of Object.entries(stores)) {
  test(`on ${name}: an event polled twice is written once, with the cursor`, async () => {
    const clock = handClock();
    const time = timeAt(clock.now);
    const ledger = await openLedger(await location(), time);
    try {
      const source = scripted();
      const driver = await sourceDriver("fake", clock, { ledger });
      const tell = async (names: readonly string[], cursor: Json, fate?: "dies"): Promise<void> => {
        source.answer = () => ({ events: names.map((each) => event(each)), cursor });
        clock.now += 10 * everyMs;
        time[0] = clock.now;
        assert.equal(await driver.poll(source, fate), true);
      };
      await tell(["evt-1", "evt-2"], 1);
      await tell(["evt-2", "evt-3"], 2, "dies");
      assert.deepEqual(await driver.names(), ["evt-1", "evt-2"]);
      await tell(["evt-2", "evt-3"], 2);
      await tell(["evt-1", "evt-2", "evt-3"], 3);
      assert.deepEqual(await driver.names(), ["evt-1", "evt-2", "evt-3"]);
      assert.equal((await driver.record()).outcome?.cursor, 3);
      assert.deepEqual(source.cursors, [null, 1, 1, 2]);
    } finally {
      await ledger.close();
    }
  });
}
if ("missing" in server) test("on postgres", { skip: server.missing }, () => undefined);
