import assert from "node:assert/strict";
import { test } from "node:test";
import { DaybookError } from "../base/errors.ts";
import type { Channel, Message } from "../channels/channel.ts";
import type { Sent } from "../rules/delivery.ts";
import { makeNotification } from "../rules/notification.ts";
import { stage, type Stage } from "../testing/stage.ts";
import { deliverer } from "./deliverer.ts";
import { runController } from "./runtime.ts";

/** A channel that answers what the test says, and remembers what it was given. */
function channel(
  answer: (message: Message) => Sent | Promise<Sent>,
): Channel & { sent: Message[] } {
  const sent: Message[] = [];
  return {
    name: "fake",
    sent,
    async send(message) {
      sent.push(message);
      return answer(message);
    },
  };
}
const yes: Sent = { result: "delivered", receipt: { n: 1 } };

async function ask(at: Stage, address: string, message = "hi"): Promise<string> {
  const body = {
    message,
    at: at.kernel.now(),
    atText: "now",
    target: `fake:${address}`,
    origin: "fake:me",
  };
  return (await at.ledger.of("mina", "mina").append(makeNotification(body))).id;
}
async function stateOf(at: Stage, id: string): Promise<unknown[]> {
  const record = await at.ledger.of("mina", "mina").get(id);
  return [record?.state, record?.outcome];
}
async function deliver(at: Stage, to: Channel): Promise<void> {
  await runController(deliverer({ channels: [to], clock: at.clock }), at.ports, at.options).start();
  await at.pass(0);
}

test("delivered needs a receipt, and keeps it", async () => {
  const at = stage();
  const id = await ask(at, "a");
  await deliver(
    at,
    channel(() => yes),
  );
  assert.deepEqual(await stateOf(at, id), [
    "delivered",
    { receipt: { n: 1 }, reason: null, maybeDelivered: false },
  ]);
});

test("a retry carries the same id, and after an unknown fate says that it may be a repeat", async () => {
  const at = stage();
  const answers: Sent[] = [{ result: "unknown", reason: "no answer" }, yes];
  const to = channel(() => answers.shift() ?? yes);
  const id = await ask(at, "a");
  await deliver(at, to);
  await at.pass(60_000);
  assert.deepEqual(
    to.sent.map(({ id: key, maybeRepeat }) => [key, maybeRepeat]),
    [
      [id, false],
      [id, true],
    ],
  );
  assert.deepEqual(await stateOf(at, id), [
    "delivered",
    { receipt: { n: 1 }, reason: null, maybeDelivered: true },
  ]);
});

test("a rejected one fails at once, with the reason", async () => {
  const at = stage();
  const id = await ask(at, "a");
  await deliver(
    at,
    channel(() => ({ result: "rejected", reason: "blocked" })),
  );
  assert.deepEqual(await stateOf(at, id), [
    "failed",
    { receipt: null, reason: "blocked", maybeDelivered: false },
  ]);
});

test("a target without a channel fails visibly", async () => {
  const at = stage();
  const body = { message: "hi", at: 0, atText: "now", target: "nowhere:x", origin: "fake:me" };
  const { id } = await at.ledger.of("mina", "mina").append(makeNotification(body));
  await deliver(
    at,
    channel(() => yes),
  );
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.equal(record?.state, "failed");
});

test("1,000 due for a dead destination do not delay one for a live one, and the dead one is left in peace", async () => {
  const at = stage();
  const to = channel(({ address }) =>
    address === "dead" ? { result: "retry", reason: "refused", destinationDown: true } : yes,
  );
  for (let n = 0; n < 1_000; n += 1) await ask(at, "dead");
  const live = await ask(at, "live");
  await deliver(at, to);
  assert.equal((await stateOf(at, live))[0], "delivered");
  await at.pass(60_000);
  assert.ok(to.sent.length < 40, `${to.sent.length} sends to a destination that is down`);
});

test("when a dead destination comes back, everything that waited arrives once", async () => {
  const at = stage();
  let up = false;
  const to = channel(({ address }) =>
    up || address !== "dead" ? yes : { result: "retry", reason: "refused", destinationDown: true },
  );
  for (let n = 0; n < 200; n += 1) await ask(at, "dead");
  await deliver(at, to);
  await at.pass(20_000);
  up = true;
  const before = to.sent.length;
  await at.pass(10 * 60_000);
  const arrived = to.sent.slice(before).map(({ id }) => id);
  assert.equal(new Set(arrived).size, 200);
  assert.equal(arrived.length, 200);
});

test("a healthy destination with many due is served in full, with no more than its share at work", async () => {
  const at = stage();
  let now = 0;
  let most = 0;
  const to = channel(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => void at.clock.after(20, resolve));
    now -= 1;
    return yes;
  });
  for (let n = 0; n < 500; n += 1) await ask(at, "one");
  await deliver(at, to);
  await at.pass(3_000);
  assert.equal(to.sent.length, 500);
  assert.equal(most, 16);
});

test("a channel that throws leaves the fate unknown, and the next attempt says that it may be a repeat", async () => {
  const at = stage();
  let tries = 0;
  const to = channel(() => {
    tries += 1;
    if (tries === 1) throw new Error("connection reset");
    return yes;
  });
  const id = await ask(at, "a");
  await deliver(at, to);
  await at.pass(60_000);
  assert.deepEqual(
    to.sent.map(({ maybeRepeat }) => maybeRepeat),
    [false, true],
  );
  assert.deepEqual((await stateOf(at, id))[1], {
    receipt: { n: 1 },
    reason: null,
    maybeDelivered: true,
  });
});

test("a channel that never answers is given up on, and tried again", async () => {
  const at = stage();
  let tries = 0;
  const to = channel(() => {
    tries += 1;
    return tries === 1 ? new Promise<Sent>(() => undefined) : yes;
  });
  const id = await ask(at, "a");
  await deliver(at, to);
  await at.pass(120_000);
  assert.equal((await stateOf(at, id))[0], "delivered");
  assert.equal(to.sent.length, 2);
});

test("a node that stops leaves nothing parked for want of room: the next one goes on at once", async () => {
  const at = stage();
  const to = channel(async () => {
    await new Promise<void>((resolve) => void at.clock.after(20, resolve));
    return yes;
  });
  for (let n = 0; n < 200; n += 1) await ask(at, "one");
  const first = runController(deliverer({ channels: [to], clock: at.clock }), at.ports, at.options);
  await first.start();
  await at.pass(50);
  const stopped = first.stop();
  await at.pass(50);
  await stopped;
  assert.ok(to.sent.length < 100);
  await deliver(at, to);
  await at.pass(1_000);
  assert.equal(new Set(to.sent.map(({ id }) => id)).size, 200);
});

test("a channel may answer anything: what cannot be read is an unknown fate, never a lie", async () => {
  const odd: readonly unknown[] = [
    undefined,
    null,
    7,
    "ok",
    {},
    { result: "sent" },
    { result: "delivered", receipt: 1n },
  ];
  for (const answer of odd) {
    const at = stage();
    let tries = 0;
    const to = channel(() => {
      tries += 1;
      return (tries === 1 ? answer : yes) as Sent;
    });
    const id = await ask(at, "a");
    await deliver(at, to);
    await at.pass(60_000);
    const [state, outcome] = await stateOf(at, id);
    assert.equal(state, "delivered");
    assert.equal((outcome as { maybeDelivered: boolean }).maybeDelivered, to.sent.length > 1);
  }
});

test("a receipt or a reason that is too long is cut, not refused", async () => {
  const at = stage();
  const long = "x".repeat(300_000);
  const delivered = await ask(at, "yes");
  const rejected = await ask(at, "no");
  const to = channel(({ address }) =>
    address === "yes"
      ? { result: "delivered", receipt: long }
      : { result: "rejected", reason: long },
  );
  await deliver(at, to);
  assert.equal((await stateOf(at, delivered))[0], "delivered");
  assert.equal((await stateOf(at, rejected))[0], "failed");
  assert.equal(to.sent.length, 2);
});

test("a blip of a destination is one failure, however many were under way", async () => {
  const at = stage();
  let up = false;
  const to = channel(() =>
    up ? yes : { result: "retry", reason: "refused", destinationDown: true },
  );
  for (let n = 0; n < 16; n += 1) await ask(at, "one");
  await deliver(at, to);
  up = true;
  const id = await ask(at, "one");
  await at.pass(10_000);
  assert.equal((await stateOf(at, id))[0], "delivered");
});

test("a send whose settle cannot be written is not sent again as if it had not been", async () => {
  const at = stage();
  const to = channel(() => yes);
  const id = await ask(at, "a");
  const first = runController(deliverer({ channels: [to], clock: at.clock }), at.ports, at.options);
  at.fault = (verb) => {
    if (verb === "settle") throw new DaybookError("unavailable", "gone");
  };
  await first.start();
  await at.pass(0);
  const stopped = first.stop();
  await at.pass(10_000);
  await stopped;
  at.fault = () => undefined;
  await deliver(at, to);
  await at.pass(60_000);
  assert.deepEqual(
    to.sent.map(({ maybeRepeat }) => maybeRepeat),
    [false, true],
  );
  assert.deepEqual((await stateOf(at, id))[0], "delivered");
});
