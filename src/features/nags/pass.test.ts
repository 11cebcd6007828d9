import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Controller } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { sleep, systemClock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { systemRandom } from "../../platform/random.ts";
import { postgres } from "../../stores/postgres/postgres.ts";
import { sqlite } from "../../stores/sqlite/sqlite.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { plainProfile } from "../accounts/profile.ts";
import { notificationKind } from "../notifications/kind.ts";
import { nagController } from "./controller.ts";
import { builtInCurves } from "./curve.ts";
import { makeNag, type NagKind, nagKind } from "./kind.ts";
import { passOver } from "./pass.ts";

const profile = () => Promise.resolve(plainProfile);

async function addNags(ledger: Ledger, count: number, owners = ["mina"]): Promise<string[]> {
  const added = Array.from({ length: count }, async (_, n) => {
    const owner = owners[n % owners.length] ?? "mina";
    const request = {
      about: { text: `thing ${n}` },
      curveName: "otu",
      curve: builtInCurves.otu,
      target: `inbox:${owner}`,
      origin: null,
      at: 1_000,
      atText: "now",
    };
    return (await ledger.of(owner, owner).append(makeNag(request, { owner, quiet: null }))).id;
  });
  return Promise.all(added);
}

/** How many notifications each nag of these owners has. */
async function notificationCounts(
  ledger: Ledger,
  owners: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const owner of owners) {
    for await (const { parent } of recordsIn(ledger.of(owner, "x"), { kind: notificationKind })) {
      counts.set(parent ?? "", (counts.get(parent ?? "") ?? 0) + 1);
    }
  }
  return counts;
}

const server = await postgresServer();
const url = "missing" in server ? undefined : await server.database();
const folder = mkdtempSync(join(tmpdir(), "daybook-"));
after(async () => {
  rmSync(folder, { recursive: true });
  if (!("missing" in server)) await server.stop();
});

const stores: readonly [name: string, open: () => Promise<Ledger>, skip: string | false][] = [
  ["SQLite", () => sqlite({ path: join(folder, "book.db") }), false],
  [
    "PostgreSQL",
    () => postgres({ url: url ?? "", connections: 8 }),
    "missing" in server ? server.missing : false,
  ],
];

for (const [name, open, skip] of stores) {
  test(`ten simultaneous passes on ${name} send each due nag once`, { skip }, async () => {
    const ledger = await open();
    const other = await open();
    const owners = ["ann", "bob", "cho"];
    const nags = await addNags(ledger, 240, owners);
    const passes = Array.from({ length: 10 }, (_, n) => {
      const its = n % 2 === 0 ? ledger : other;
      const events = bus<Events>();
      const ports = { work: its.work, clock: systemClock(), random: systemRandom(), events };
      return passOver(nagController({ ledger: its, profile }), ports, { holder: `cron-${n}` });
    });
    const reports = await Promise.all(passes.map((pass) => pass(100)));
    const sum = (of: "processed" | "said" | "failed"): number =>
      reports.reduce((all, report) => all + report[of], 0);
    assert.deepEqual([sum("processed"), sum("said"), sum("failed")], [240, 240, 0]);
    const said = await notificationCounts(ledger, owners);
    assert.deepEqual(
      nags.map((id) => said.get(id)),
      nags.map(() => 1),
    );
    assert.deepEqual((await passes[0]?.(100))?.processed, 0, "no nag is due any more");
    await Promise.all([ledger.close(), other.close()]);
  });
}

/** Runs one pass in virtual time. */
async function done<T>(at: NodeFixture, pass: Promise<T>): Promise<T> {
  const all = Promise.resolve(pass);
  await at.pass(120_000);
  return all;
}

describe("one pass", () => {
  test("reports a broken nag and sends the others", async () => {
    const at = nodeFixture();
    const [bad = "", ...good] = await addNags(at.ledger, 25);
    const real = nagController({ ledger: at.ledger, profile });
    const broken: typeof real = {
      ...real,
      act: (record, handle) =>
        record.id === bad ? Promise.reject(new Error("no such zone")) : real.act(record, handle),
    };
    const pass = passOver(broken, at.ports, { holder: "cron" });
    const report = await done(at, pass(100));
    assert.deepEqual(
      [report.processed, report.said, report.failed, report.errors],
      [25, 24, 1, [{ id: bad, reason: "no such zone" }]],
    );
    const said = await notificationCounts(at.ledger, ["mina"]);
    assert.deepEqual([said.has(bad), good.every((id) => said.get(id) === 1)], [false, true]);
    assert.ok(at.heard.some(({ name }) => name === "act failed"));
  });
  test("claims no more nags than its limit", async () => {
    const at = nodeFixture();
    await addNags(at.ledger, 25);
    const pass = passOver(nagController({ ledger: at.ledger, profile }), at.ports, {
      holder: "cron",
    });
    assert.equal((await done(at, pass(7))).processed, 7);
    assert.equal((await done(at, pass(100))).processed, 18);
  });
  test("reports its duration in milliseconds", async () => {
    const at = nodeFixture();
    await addNags(at.ledger, 5);
    const pass = passOver(slowed(at, 2_500), at.ports, { holder: "cron" });
    const { tookMs } = await done(at, pass(100));
    assert.ok(tookMs >= 2_500 && tookMs < 4_000, String(tookMs));
  });
  test("runs ten attempts at once, and leaves no lease behind", async () => {
    const at = nodeFixture();
    await addNags(at.ledger, 30);
    let [working, most] = [0, 0];
    const slow = slowed(at, 1_000, (change) => {
      working += change;
      most = Math.max(most, working);
    });
    await done(at, passOver(slow, at.ports, { holder: "cron" })(100));
    assert.equal(most, 10);
    assert.deepEqual(
      (await at.ledger.work.stats()).queues.find(({ queue }) => queue === "nag")?.leased,
      0,
    );
  });
  test("stops over its budget, halves the next batch, and grows again by steps", async () => {
    const at = nodeFixture();
    await addNags(at.ledger, 400);
    let actMs = 2_000;
    const slow = slowed(at, () => actMs);
    const pass = passOver(slow, at.ports, { holder: "cron", budgetMs: 25_000 });
    const first = await done(at, pass(200));
    assert.deepEqual([first.processed, first.batch], [130, 100]);
    assert.ok(first.tookMs >= 25_000 && first.tookMs < 28_000, String(first.tookMs));
    actMs = 100;
    const second = await done(at, pass(200));
    assert.deepEqual([second.processed, second.batch], [100, 150]);
    assert.deepEqual([(await done(at, pass(200))).batch], [200]);
  });
  test("reports failed sends with the reason", async () => {
    const at = nodeFixture();
    const [id = ""] = await addNags(at.ledger, 1);
    const book = at.ledger.of("mina", "mina");
    const pass = passOver(nagController({ ledger: at.ledger, profile }), at.ports, {
      holder: "cron",
    });
    await done(at, pass(10));
    const nag = await book.get(id);
    assert.ok(is(nagKind, nag) && nag.outcome?.saying);
    const outcome = { receipt: null, reason: "no such chat", maybeDelivered: false };
    const { saying } = nag.outcome;
    await book.edit(
      { kind: "notification", id: saying, outcome, ends: "failed" },
      { wake: [{ id }] },
    );
    const { failed, errors } = await done(at, pass(10));
    assert.equal(failed, 1);
    assert.equal(errors[0]?.id, id);
    assert.match(errors[0]?.reason ?? "", /no such chat/);
  });
});

function slowed(
  at: NodeFixture,
  ms: number | (() => number),
  working: (change: 1 | -1) => void = () => undefined,
): Controller<NagKind, Awaited<ReturnType<ReturnType<typeof nagController>["act"]>>> {
  const real = nagController({ ledger: at.ledger, profile });
  return {
    ...real,
    async act(record, handle) {
      working(1);
      await sleep(at.clock, typeof ms === "number" ? ms : ms());
      working(-1);
      return real.act(record, handle);
    },
  };
}
