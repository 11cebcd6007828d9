import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { group, type Service } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { timeOfDay } from "../../time/times.ts";
import { plainProfile } from "../accounts/profile.ts";
import { deliverer } from "./controller.ts";
import { expirer, expiryOf, expiryKind } from "./expiry.ts";
import { makeNotification, socketQueue, type NotificationKind, notificationKind } from "./kind.ts";
import { listenerChannels, type Listener, listenerLanes, type Listeners } from "./listeners.ts";

interface Node {
  readonly nodeListeners: Listeners;
  readonly expiring: Service;
  readonly delivering: Service;
}

function node(at: NodeFixture, set: Partial<Profile> = {}): Node {
  const { clock, ledger, ports, options } = at;
  const { sockets, channels } = listenerChannels(at.kernel.now);
  const profile = (): Promise<Profile> => Promise.resolve({ ...plainProfile, ...set });
  const delivery = deliverer({ channels, clock, ledger, profile });
  return {
    nodeListeners: listenerLanes(sockets, (lane) =>
      runController({ ...delivery, queue: socketQueue }, ports, { ...options, lane }),
    ),
    expiring: runController(expirer(ledger), ports, options),
    delivering: runController(delivery, ports, options),
  };
}

async function ask(at: NodeFixture, forMs: number): Promise<string> {
  const now = at.kernel.now();
  const body = { message: "hello", at: now, atText: "now", target: "inbox:mina", origin: null };
  const draft = makeNotification({ ...body, expiresAt: now + forMs });
  return (await at.ledger.of("mina", "mina").append(draft, { append: expiryOf(draft) })).id;
}

async function found(at: NodeFixture, id: string): Promise<LedgerRecord<NotificationKind>> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(is(notificationKind, record));
  return record;
}

async function started(at: NodeFixture, set: Partial<Profile> = {}): Promise<Node> {
  const made = node(at, set);
  await group([made.delivering, made.expiring]).start();
  return made;
}

const deaf: Listener = { name: "deaf", show: () => undefined };

describe("an expiring notification in an inbox", () => {
  test("expires at its time without a listener", async () => {
    const at = nodeFixture();
    await started(at);
    const id = await ask(at, 60_000);
    await at.pass(59_999);
    assert.equal((await found(at, id)).state, "pending");
    await at.pass(2);
    const { state, outcome, endedAt, body } = await found(at, id);
    assert.equal(state, "expired");
    assert.deepEqual(outcome, {
      receipt: null,
      reason: "its expiry time has passed",
      maybeDelivered: false,
    });
    assert.ok((endedAt ?? 0) - (body.expiresAt ?? 0) <= 1);
    const { records } = await at.ledger.of("mina", "mina").list({ kind: expiryKind });
    assert.deepEqual(
      records.map(({ state: end, parent }) => [end, parent]),
      [["over", id]],
    );
  });

  test("keeps its receipt if a listener confirmed it before", async () => {
    const at = nodeFixture();
    const { nodeListeners } = await started(at);
    const id = await ask(at, 60_000);
    const attached = nodeListeners.attach("inbox:mina", {
      name: "terminal",
      show: (message) => attached.acked(message.id),
    });
    await at.pass(120_000);
    assert.equal((await found(at, id)).state, "delivered");
    const { records } = await at.ledger.of("mina", "mina").list({ kind: expiryKind, live: true });
    assert.deepEqual(records, []);
    assert.ok(at.heard.every(({ name }) => name !== "act failed"));
  });

  test("is delivered by a late confirmation of a listener that got it in time", async () => {
    const at = nodeFixture();
    const { nodeListeners } = await started(at);
    const attached = nodeListeners.attach("inbox:mina", deaf);
    const id = await ask(at, 1_000);
    await at.pass(5_000);
    assert.equal((await found(at, id)).state, "pending");
    attached.acked(id);
    await at.pass(10);
    assert.equal((await found(at, id)).state, "delivered");
  });

  test("expires when the lease of a node that died while sending lapses", async () => {
    const at = nodeFixture();
    await started(at);
    const id = await ask(at, 1_000);
    const claim = { kind: notificationKind, queue: socketQueue, holder: "dead", limit: 1 } as const;
    await at.ledger.work.claim({ ...claim, leaseMs: 8_000 });
    await at.pass(7_999);
    assert.equal((await found(at, id)).state, "pending");
    await at.pass(2);
    const { state, outcome } = await found(at, id);
    assert.deepEqual([state, outcome?.maybeDelivered], ["expired", true]);
  });

  test("expires at its time while it waits for a digest without a listener", async () => {
    const at = nodeFixture();
    const minutes = (count: number): string =>
      timeOfDay(at.kernel.now() + count * 60_000, plainProfile.zone);
    const { nodeListeners } = await started(at, { quiet: { from: minutes(-1), to: minutes(10) } });
    const attached = nodeListeners.attach("inbox:mina", deaf);
    const id = await ask(at, 20 * 60_000);
    await at.pass(1_000);
    assert.ok((await found(at, id)).outcome?.digest);
    void attached.detach();
    await at.pass(20 * 60_000 - 1_001);
    assert.equal((await found(at, id)).state, "pending");
    await at.pass(2);
    assert.equal((await found(at, id)).state, "expired");
  });

  test("waits for listeners again if its expiry time is moved at the last moment", async () => {
    const at = nodeFixture();
    const { expiring, delivering } = node(at);
    await expiring.start();
    const id = await ask(at, 1_000);
    await at.pass(1_001);
    const { queue, body, kind } = await found(at, id);
    assert.equal(queue, "notification");
    const longer = { ...body, expiresAt: at.kernel.now() + 60_000 };
    await at.ledger.of("mina", "mina").edit({ kind, id, body: longer });
    await delivering.start();
    await at.pass(100);
    const back = await found(at, id);
    assert.deepEqual([back.queue, back.state, back.attempt], [socketQueue, "pending", 0]);
    await at.pass(59_899);
    assert.equal((await found(at, id)).state, "pending");
    await at.pass(2);
    assert.equal((await found(at, id)).state, "expired");
  });
});
