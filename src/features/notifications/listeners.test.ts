import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { DaybookError } from "../../platform/errors.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Message } from "./channel.ts";
import { deliverer } from "./controller.ts";
import { makeNotification, socketQueue } from "./kind.ts";
import { listenerChannels, type Listener, listenerLanes, type Listeners } from "./listeners.ts";

/** A node to which listeners may attach. */
function hub(at: NodeFixture, holder = "n1"): Listeners {
  const { clock, ledger } = at;
  const { sockets, channels } = listenerChannels(at.kernel.now);
  const profile = (): Promise<typeof plainProfile> => Promise.resolve(plainProfile);
  const delivery = { ...deliverer({ channels, clock, ledger, profile }), queue: socketQueue };
  return listenerLanes(sockets, (lane) =>
    runController(delivery, at.ports, { ...at.options, holder, lane, concurrency: 16 }),
  );
}

interface FakeListener extends Listener {
  readonly received: Message[];
}

function listener(
  name: string,
  onShow: (message: Message) => void = () => undefined,
): FakeListener {
  const received: Message[] = [];
  return {
    name,
    received,
    show(message) {
      received.push(message);
      onShow(message);
    },
  };
}

async function ask(at: NodeFixture, message: string, owner = "mina"): Promise<string> {
  const target = `inbox:${owner}`;
  const body = { message, at: at.kernel.now(), atText: "now", target, origin: null };
  return (await at.ledger.of(owner, owner).append(makeNotification(body))).id;
}

async function stateOf(at: NodeFixture, id: string): Promise<unknown> {
  return (await at.ledger.of("mina", "mina").get(id))?.state;
}

describe("the inbox", () => {
  test("keeps messages until a listener attaches, whose ack is the receipt", async () => {
    const at = nodeFixture();
    const id = await ask(at, "hello");
    await at.pass(86_400_000);
    assert.equal(await stateOf(at, id), "pending");
    const ear = listener("terminal", (message) => attached.acked(message.id));
    const attached = hub(at).attach("inbox:mina", ear);
    await at.pass(100);
    assert.deepEqual(
      ear.received.map(({ text }) => text),
      ["hello"],
    );
    const record = await at.ledger.of("mina", "mina").get(id);
    assert.equal(record?.state, "delivered");
    assert.match(JSON.stringify(record?.outcome), /"session":"terminal","acked_at":"/);
    await ask(at, "another");
    await at.pass(100);
    assert.equal(ear.received.length, 2);
    const left = attached.detach();
    await at.pass(100);
    await left;
  });

  test("hides the messages of other owners", async () => {
    const at = nodeFixture();
    await ask(at, "for jun", "jun");
    const ear = listener("terminal");
    hub(at).attach("inbox:mina", ear);
    await at.pass(60_000);
    assert.deepEqual(ear.received, []);
  });

  test("sends unconfirmed messages again, marked as possible repeats", async () => {
    const at = nodeFixture();
    const id = await ask(at, "hello");
    const place = hub(at);
    const deaf = listener("deaf");
    const first = place.attach("inbox:mina", deaf);
    await at.pass(100);
    assert.deepEqual(
      deaf.received.map(({ maybeRepeat }) => maybeRepeat),
      [false],
    );
    const left = first.detach();
    await at.pass(1_000);
    await left;
    assert.equal(await stateOf(at, id), "pending");
    const ear = listener("terminal", (message) => second.acked(message.id));
    const second = place.attach("inbox:mina", ear);
    await at.pass(1_000);
    assert.deepEqual(
      ear.received.map(({ maybeRepeat }) => maybeRepeat),
      [true],
    );
    assert.equal(await stateOf(at, id), "delivered");
  });

  test("is delivered by the node of the listener, whatever other nodes do", async () => {
    const at = nodeFixture();
    const elsewhere = hub(at, "n2");
    const stranger = listener("stranger", () => assert.fail("not for you"));
    elsewhere.attach("inbox:jun", stranger);
    const ear = listener("terminal", (message) => attached.acked(message.id));
    const attached = hub(at, "n1").attach("inbox:mina", ear);
    await at.pass(100);
    const id = await ask(at, "hello");
    await at.pass(100);
    assert.equal(await stateOf(at, id), "delivered");
    assert.equal(ear.received.length, 1);
  });

  test("does not fail because of a listener that never confirms", async () => {
    const at = nodeFixture();
    const id = await ask(at, "hello");
    hub(at).attach("inbox:mina", listener("deaf"));
    await at.pass(3_600_000);
    assert.equal(await stateOf(at, id), "pending");
  });

  test("stops only after the lane of a listener that has just left", async () => {
    const at = nodeFixture();
    await ask(at, "hello");
    const place = hub(at);
    const attached = place.attach("inbox:mina", listener("deaf"));
    await at.pass(100);
    const settles = (): number => at.calls.filter(({ verb }) => verb === "settle").length;
    let slow = true;
    at.fault = (verb) => {
      if (slow && verb === "settle") throw new DaybookError("busy", "Locked. Try again.");
    };
    void attached.detach();
    let stopped = false;
    void place.stop().then(() => (stopped = true));
    await at.pass(100);
    assert.equal(stopped, false);
    slow = false;
    await at.pass(10_000);
    assert.equal(stopped, true);
    const before = settles();
    await at.pass(60_000);
    assert.equal(settles(), before);
  });
});
