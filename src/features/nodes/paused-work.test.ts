import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Kind } from "../../kernel/kind.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Channel } from "../notifications/channel.ts";
import { deliverer } from "../notifications/controller.ts";
import { makeNotification } from "../notifications/kind.ts";
import { scheduler } from "../schedules/controller.ts";
import { makeSchedule } from "../schedules/draft.ts";
import { taskKind } from "../tasks/kind.ts";
import { systemOwner } from "./node.ts";
import { pauseReader, makePause, scopeText, type PauseScope, pauseKind } from "./pause.ts";
import { unpausedWork } from "./paused-work.ts";

const minuteMs = 60_000;

interface Held extends NodeFixture {
  readonly said: string[];
  pause(scope: PauseScope, more?: { until?: number; reason?: string }): Promise<void>;
  resume(): Promise<void>;
  remind(
    message: string,
    more?: { owner?: string; channel?: string; expiresAt?: number },
  ): Promise<string>;
  records(kind: Kind): Promise<readonly AnyRecord[]>;
}

/** A node that sends notifications and decides slots, and respects pauses. */
async function held(): Promise<Held> {
  const at = nodeFixture();
  const said: string[] = [];
  const channel = (name: string): Channel => ({
    name,
    async send({ text }) {
      said.push(text);
      return { result: "delivered", receipt: 1 };
    },
  });
  const { clock, ledger } = at;
  const work = unpausedWork(ledger.work, pauseReader(ledger, clock), clock);
  const ports = { ...at.ports, work };
  const profile = () => Promise.resolve(plainProfile);
  const delivery = deliverer({
    channels: [channel("fake"), channel("other")],
    clock,
    ledger,
    profile,
  });
  await runController(delivery, ports, at.options).start();
  await runController(scheduler({ ledger, profile }), ports, at.options).start();
  const system = ledger.of(systemOwner, "admin");
  return Object.assign(at, {
    said,
    async pause(scope: PauseScope, { reason = "holiday", ...more } = {}) {
      await system.append(makePause({ scope, reason, ...more }, at.kernel.now()));
      await at.pass(1_000); // the controllers have read the pause by then
    },
    async resume() {
      const { records } = await system.list({ kind: pauseKind, live: true });
      for (const { id } of records) await system.edit({ kind: "pause", id, ends: "over" });
    },
    async remind(message: string, { owner = "mina", channel: name = "fake", ...more } = {}) {
      const asked = { message, at: at.kernel.now(), atText: "now", origin: null, ...more };
      const draft = makeNotification({ ...asked, target: `${name}:a` });
      return (await ledger.of(owner, owner).append(draft)).id;
    },
    async records(kind: Kind) {
      return (await ledger.of("mina", "mina").list({ kind, limit: 500 })).records;
    },
  });
}

const scopes: readonly (readonly [PauseScope, readonly string[]])[] = [
  [{ all: true }, []],
  [{ kind: "notification" }, []],
  [{ kind: "task" }, ["mine", "jun's", "other"]],
  [{ owner: "mina" }, ["jun's"]],
  [{ channel: "fake" }, ["other"]],
];

describe("during a pause", () => {
  for (const [scope, heard] of scopes) {
    test(`notifications in ${JSON.stringify(scope)} wait, and are sent afterwards`, async () => {
      const at = await held();
      await at.pause(scope);
      await at.remind("mine");
      await at.remind("jun's", { owner: "jun" });
      await at.remind("other", { channel: "other" });
      await at.pass(10 * minuteMs);
      assert.deepEqual(at.said.toSorted(), heard.toSorted());
      await at.resume();
      await at.pass(minuteMs + 1_000);
      assert.deepEqual(at.said.toSorted(), ["jun's", "mine", "other"]);
    });
  }
  test("a paused notification records one reason and uses no attempts", async () => {
    const at = await held();
    await at.pause({ owner: "mina" });
    const id = await at.remind("mine");
    await at.pass(30 * minuteMs);
    const { changes } = await at.ledger.of("mina", "x").changes({ id });
    const notes = changes.flatMap(({ note }) => (note ? [note] : []));
    assert.deepEqual(notes, ["it waits: owner mina is paused (holiday)"]);
    const record = await at.ledger.of("mina", "x").get(id);
    assert.deepEqual([record?.attempt, record?.lapses], [0, 0]);
  });
  test("work continues when the pause expires", async () => {
    const at = await held();
    const until = at.kernel.now() + 10 * minuteMs;
    await at.pause({ all: true }, { until });
    await at.pause({ channel: "other" }, { until: until + minuteMs });
    await at.remind("mine");
    await at.remind("other", { channel: "other" });
    await at.pass(until - at.kernel.now() - 1);
    assert.deepEqual(at.said, []);
    await at.pass(1_002);
    assert.deepEqual(at.said, ["mine"]);
    await at.pass(minuteMs);
    assert.deepEqual(at.said, ["mine", "other"]);
  });
  test("notifications that expire meanwhile are not sent", async () => {
    const at = await held();
    await at.pause({ kind: "notification" });
    const id = await at.remind("late", { expiresAt: at.kernel.now() + minuteMs });
    await at.pass(5 * minuteMs);
    await at.resume();
    await at.pass(2_000);
    assert.deepEqual(at.said, []);
    assert.equal((await at.ledger.of("mina", "x").get(id))?.state, "expired");
  });
  test("a notification can be cancelled", async () => {
    const at = await held();
    await at.pause({ all: true });
    const id = await at.remind("mine");
    assert.equal((await at.ledger.of("mina", "x").cancel({ id })).result, "cancelled");
  });
  for (const scope of [{ kind: "schedule" }, { owner: "mina" }] as const) {
    test(`slots in ${JSON.stringify(scope)} wait, and are decided by their lateness`, async () => {
      const at = await held();
      const now = at.kernel.now();
      const body = {
        name: "often",
        cadence: { type: "interval", everyMs: 10 * minuteMs, anchor: now },
        whenText: "10m",
        run: { task: "work", input: null },
        notify: "never",
        target: "fake:a",
        origin: null,
        misfire: "latest",
        overlap: "skip",
        rerun: false,
        timeoutMs: minuteMs,
        notifyAfterFailures: 3,
        disableAfterFailures: 5,
      } as const;
      const draft = makeSchedule(body, { owner: "mina", now, limit: 5 });
      await at.ledger.of("mina", "mina").append(draft);
      await at.pause(scope);
      await at.pass(31 * minuteMs);
      assert.deepEqual(await at.records(taskKind), []);
      await at.resume();
      await at.pass(2 * minuteMs);
      const became = (await at.records(taskKind)).map(({ state, outcome }) => {
        return [state, (outcome as { reason?: string } | null)?.reason];
      });
      const paused = `it was due while ${scopeText(scope)} was paused (holiday)`;
      assert.deepEqual(became, [
        ["missed", paused],
        ["missed", paused],
        ["pending", undefined],
      ]);
    });
  }
});

test("without a pause, a claim is one call and pauses are read once a second", async () => {
  const at = await held();
  for (let count = 0; count < 50; count += 1) await at.remind(`m${count}`);
  const before = at.calls.length;
  await at.pass(3_000);
  const lists = at.calls.slice(before).filter(({ verb, input }) => {
    return verb === "list" && (input as { kind?: string }).kind === "pause";
  });
  assert.equal(at.said.length, 50);
  assert.ok(lists.length <= 3);
});

for (const scope of [{ all: true }, { owner: "mina" }] as const) {
  test(`a claim is one call during and after a pause of ${scopeText(scope)}`, async () => {
    const at = await held();
    await at.pause(scope, { until: at.kernel.now() + 2 * minuteMs });
    const claimsOf = async (ms: number) => {
      const before = at.calls.length;
      await at.pass(ms);
      return at.calls.slice(before).flatMap(({ verb, input }) => (verb === "claim" ? [input] : []));
    };
    await at.remind("mine");
    const whilePaused = await claimsOf(minuteMs);
    assert.equal(whilePaused.length === 0, "all" in scope);
    await at.pass(5 * minuteMs);
    assert.deepEqual(at.said, ["mine"]);
    const over = await claimsOf(10 * minuteMs);
    assert.ok([...whilePaused, ...over].every((input) => (input as { limit: number }).limit > 0));
  });
}
