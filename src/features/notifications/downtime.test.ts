import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import { runController } from "../../kernel/runtime.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { nodeController } from "../nodes/controller.ts";
import { deliverer } from "./controller.ts";
import { downtime } from "./downtime.ts";
import { makeNotification, notificationKind } from "./kind.ts";

const silenceMs = 30_000;
const self = { name: "n1", version: "1", host: "here", pid: 1 };

async function run(at: NodeFixture): Promise<() => Promise<void>> {
  const { ledger, clock } = at;
  const profile = (): Promise<typeof plainProfile> => Promise.resolve(plainProfile);
  const gap = downtime({ ...at.ports, ledger, silenceMs, profile });
  const ear = {
    name: "ear",
    send: async () => ({ result: "delivered", receipt: 1 }) as const,
  };
  const saying = { channels: [ear], clock, ledger, profile, onAttempt: gap.count };
  const parts = [
    gap,
    nodeController(ledger, at.ports, { ...at.options, self, silenceMs, isGone: () => false }),
    runController(deliverer(saying), at.ports, at.options),
  ];
  for (const part of parts) await part.start();
  return async () => {
    const stopped = Promise.all(parts.map((part) => part.stop()));
    await at.pass(1_000);
    await stopped;
  };
}

async function ask(at: NodeFixture, owner: string, inMs: number): Promise<void> {
  const time = at.kernel.now() + inMs;
  const body = { message: "hi", at: time, atText: "then", target: "ear:1", origin: null };
  await at.ledger.of(owner, owner).append(makeNotification(body));
}

/** Virtual time advances only while an event is pending. */
async function idle(at: NodeFixture, ms: number): Promise<void> {
  at.clock.after(ms, () => undefined);
  await at.pass(ms);
}

async function notices(at: NodeFixture, owner: string): Promise<string[]> {
  const { records } = await at.ledger.of(owner, owner).list({ kind: notificationKind, live: true });
  return records.flatMap((each) => (is(notificationKind, each) ? [each.body.message] : []));
}

describe("after a gap", () => {
  test("each owner gets one notice with the period and their late messages", async () => {
    const at = nodeFixture();
    const stop = await run(at);
    await at.pass(60_000);
    await stop();
    await ask(at, "mina", 60_000);
    await ask(at, "mina", 120_000);
    await ask(at, "jun", 120_000);
    await ask(at, "mina", 3 * 3_600_000);
    await idle(at, 2 * 3_600_000);
    const stopAgain = await run(at);
    await at.pass(60_000);
    const [waits, said, ...more] = await notices(at, "mina");
    assert.equal(waits, "hi"); // the one that is due in an hour
    assert.match(
      said ?? "",
      /^Daybook was down from .+ to .+: 2 of your notifications were late\.$/,
    );
    assert.deepEqual(more, []);
    assert.match((await notices(at, "jun"))[0] ?? "", /: 1 of your notifications was late\.$/);
    const told = at.heard.flatMap(({ name, facts }) => (name === "overdue found" ? [facts] : []));
    assert.deepEqual(
      told.map(({ count, owners }) => [count, owners]),
      [[3, 2]],
    );
    assert.ok((told[0]?.downMs ?? 0) >= 2 * 3_600_000);
    await stopAgain();
  });
  test("no notice follows a restart, a first start or a start beside other nodes", async () => {
    const at = nodeFixture();
    await ask(at, "mina", 0);
    await idle(at, 3_600_000);
    const stop = await run(at);
    await at.pass(60_000);
    await stop();
    await ask(at, "mina", 10_000);
    await idle(at, 40_000);
    const stopAgain = await run(at);
    await at.pass(60_000);
    assert.deepEqual(await notices(at, "mina"), []);
    await stopAgain();
  });
});
