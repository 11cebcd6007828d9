import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Profile } from "../../kernel/profile.ts";
import { runController } from "../../kernel/runtime.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Service } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Channel, Message } from "./channel.ts";
import { deliverer } from "./controller.ts";
import { makeNotification, notificationKind } from "./kind.ts";
import type { Sent } from "./receipt.ts";

/** A channel that returns the results of the test and records its messages. */
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

async function ask(at: NodeFixture, address: string, message = "hi"): Promise<string> {
  const body = {
    message,
    at: at.kernel.now(),
    atText: "now",
    target: `fake:${address}`,
    origin: "fake:me",
  };
  return (await at.ledger.of("mina", "mina").append(makeNotification(body))).id;
}
async function stateOf(at: NodeFixture, id: string): Promise<unknown[]> {
  const record = await at.ledger.of("mina", "mina").get(id);
  return [record?.state, record?.outcome];
}
function delivering(at: NodeFixture, to: Channel, profile: Partial<Profile> = {}): Service {
  const { clock, ledger } = at;
  const reader = { ...plainProfile, ...profile };
  const options = { channels: [to], clock, ledger, profile: () => Promise.resolve(reader) };
  return runController(deliverer(options), at.ports, at.options);
}
async function deliver(
  at: NodeFixture,
  to: Channel,
  profile: Partial<Profile> = {},
): Promise<void> {
  await delivering(at, to, profile).start();
  await at.pass(0);
}

test("a delivered notification keeps its receipt", async () => {
  const at = nodeFixture();
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

test("a channel receives the owner's language and the cause of the message", async () => {
  const at = nodeFixture();
  const to = channel(() => yes);
  const first = await ask(at, "a");
  const body = { message: "again", at: at.kernel.now(), atText: "now", origin: null };
  const draft = { ...makeNotification({ ...body, target: "fake:a" }), parent: first };
  await at.ledger.of("mina", "mina").append(draft);
  await deliver(at, to, { language: "ko" });
  assert.deepEqual(
    to.sent.map(({ text, language, follows }) => [text, language, follows]),
    [
      ["hi", "ko", undefined],
      ["again", "ko", first],
    ],
  );
});

test("a retry has the same id, and is a possible repeat after an unknown result", async () => {
  const at = nodeFixture();
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

test("a rejected notification fails at once, with the reason", async () => {
  const at = nodeFixture();
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

test("a target without a channel fails with a reason", async () => {
  const at = nodeFixture();
  const body = { message: "hi", at: 0, atText: "now", target: "nowhere:x", origin: "fake:me" };
  const { id } = await at.ledger.of("mina", "mina").append(makeNotification(body));
  await deliver(
    at,
    channel(() => yes),
  );
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.equal(record?.state, "failed");
});

test("1,000 messages to a dead target do not delay a message to a live one", async () => {
  const at = nodeFixture();
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

test("each waiting message arrives once after a dead target recovers", async () => {
  const at = nodeFixture();
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

test("a healthy target gets all its messages within its share of the capacity", async () => {
  const at = nodeFixture();
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

test("the attempt after a channel error is marked as a possible repeat", async () => {
  const at = nodeFixture();
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

test("a channel that never answers is timed out and retried", async () => {
  const at = nodeFixture();
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

test("a node leaves nothing parked for lack of capacity when it stops", async () => {
  const at = nodeFixture();
  const to = channel(async () => {
    await new Promise<void>((resolve) => void at.clock.after(20, resolve));
    return yes;
  });
  for (let n = 0; n < 200; n += 1) await ask(at, "one");
  const first = delivering(at, to);
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

test("an unreadable answer of a channel is an unknown result", async () => {
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
    const at = nodeFixture();
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

test("a receipt or a reason that is too long is cut", async () => {
  const at = nodeFixture();
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

test("a short outage of a target is one failure for all sends in progress", async () => {
  const at = nodeFixture();
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

test("a send whose settle fails is marked as a possible repeat when it is retried", async () => {
  const at = nodeFixture();
  const to = channel(() => yes);
  const id = await ask(at, "a");
  const first = delivering(at, to);
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

test("a node that loses its lease while it reads settings sends nothing", async () => {
  const at = nodeFixture();
  const id = await ask(at, "a");
  const to = channel(() => yes);
  const { clock, ledger } = at;
  const slow = { channels: [to], clock, ledger };
  const profile = async (): Promise<Profile> => {
    clock.step(60_000); // the machine slept, so the lease was not renewed
    return Promise.resolve(plainProfile);
  };
  await runController(deliverer({ ...slow, profile }), at.ports, at.options).start();
  await at.pass(0);
  assert.deepEqual(to.sent, []);
  assert.deepEqual(await stateOf(at, id), [
    "pending",
    {
      receipt: null,
      reason: "told to stop before anything was sent",
      maybeDelivered: false,
    },
  ]);
});

describe("after a refused consequence of a send", () => {
  /** Another record has the key of the failure notice. */
  const takeNotice = async (at: NodeFixture, address: string): Promise<void> => {
    const hour = Math.floor(at.kernel.now() / 3_600_000);
    const name = `undeliverable:fake:${address}:${hour}`;
    const body = { message: "x", at: 0, atText: "", target: "inbox:mina", origin: null };
    const draft = { ...makeNotification(body), key: { name, asked: "another" } };
    await at.ledger.of("mina", "mina").append(draft);
  };
  const refusals = (at: NodeFixture): number =>
    at.heard.filter(({ name }) => name === "consequence refused").length;

  test("an unknown result still marks the next attempt as a possible repeat", async () => {
    const at = nodeFixture();
    const no: Sent = { result: "retry", reason: "busy" };
    const answers: Sent[] = [no, no, no, { result: "unknown", reason: "no answer" }, yes];
    const to = channel(() => answers.shift() ?? yes);
    await takeNotice(at, "a");
    const id = await ask(at, "a");
    await deliver(at, to);
    await at.pass(10 * 60_000);
    assert.equal(refusals(at), 1);
    assert.deepEqual(
      to.sent.map(({ maybeRepeat }) => maybeRepeat),
      [false, false, false, false, true],
    );
    const outcome = { receipt: { n: 1 }, reason: null, maybeDelivered: true };
    assert.deepEqual(await stateOf(at, id), ["delivered", outcome]);
  });

  test("a rejected notification fails and is not sent again", async () => {
    const at = nodeFixture();
    const to = channel(() => ({ result: "rejected", reason: "blocked" }));
    await takeNotice(at, "a");
    const id = await ask(at, "a");
    await deliver(at, to);
    await at.pass(10 * 60_000);
    assert.equal(refusals(at), 1);
    assert.equal(to.sent.length, 1);
    assert.equal((await stateOf(at, id))[0], "failed");
  });
});

describe("quiet hours", () => {
  const night = { quiet: { from: "22:00", to: "07:00" } };
  /** The next 23:00 UTC. The kernel's first day may begin at another time than midnight. */
  const atNight = async (at: NodeFixture): Promise<number> => {
    const now = at.kernel.now();
    const night = Math.ceil(now / 86_400_000) * 86_400_000 + 23 * 3_600_000;
    await at.pass(night - now);
    return night + 8 * 3_600_000;
  };
  const texts = (to: { sent: Message[] }): readonly string[] => to.sent.map(({ text }) => text);

  test("deliver normal messages in one digest at their end, with one receipt", async () => {
    const at = nodeFixture();
    const to = channel(() => yes);
    await deliver(at, to, night);
    const morning = await atNight(at);
    const first = await ask(at, "a", "one");
    await at.pass(60_000);
    const second = await ask(at, "a", "two");
    const other = await ask(at, "b", "alone");
    const gone = await ask(at, "a", "gone");
    await at.pass(60_000);
    await at.ledger.of("mina", "mina").cancel({ id: gone });
    assert.deepEqual(texts(to), []);
    await at.pass(morning - at.kernel.now() - 1);
    assert.deepEqual(texts(to), []);
    await at.pass(1_000);
    assert.deepEqual(texts(to).toSorted(), [
      "2 messages came in quiet hours\n23:00  one\n23:01  two",
      "alone",
    ]);
    const [one, two, alone] = await Promise.all(
      [first, second, other].map((id) => stateOf(at, id)),
    );
    assert.equal(one?.[0], "delivered");
    assert.equal(alone?.[0], "delivered");
    assert.deepEqual(one, two);
    await at.pass(3_600_000);
    assert.equal(to.sent.length, 2);
  });

  test("do not delay an urgent message, and a retried digest has the same members", async () => {
    const at = nodeFixture();
    const answers: Sent[] = [{ result: "retry", reason: "busy" }, yes];
    const to = channel(({ text }) => (text === "fire" ? yes : (answers.shift() ?? yes)));
    await deliver(at, to, night);
    const morning = await atNight(at);
    const body = {
      message: "fire",
      at: at.kernel.now(),
      atText: "now",
      target: "fake:a",
      origin: null,
    };
    await at.ledger.of("mina", "mina").append(makeNotification(body, { priority: "high" }));
    await ask(at, "a", "one");
    await ask(at, "a", "two");
    await at.pass(1_000);
    assert.deepEqual(texts(to), ["fire"]);
    await at.pass(morning - at.kernel.now());
    await at.pass(60_000);
    const [, tried, again] = to.sent;
    assert.equal(tried?.id, again?.id);
    assert.equal(tried?.text, again?.text);
    assert.equal(to.sent.length, 3);
  });

  test("leave expired messages out of the digest, and send no empty digest", async () => {
    const at = nodeFixture();
    const to = channel(() => ({ result: "retry", reason: "down", afterMs: 7_200_000 }));
    await deliver(at, to, night);
    const morning = await atNight(at);
    const target = "fake:a";
    const expiresAt = morning + 3_600_000;
    const body = { message: "one", at: at.kernel.now(), atText: "now", target, origin: null };
    const book = at.ledger.of("mina", "mina");
    const { id } = await book.append(makeNotification({ ...body, expiresAt }));
    await at.pass(morning - at.kernel.now() + 1_000);
    assert.deepEqual(texts(to), ["one"]);
    await at.pass(2 * 7_200_000);
    assert.deepEqual(texts(to), ["one"]);
    assert.equal((await stateOf(at, id))[0], "expired");
    const { records } = await book.list({ kind: notificationKind, live: true });
    assert.deepEqual(records, []);
  });

  test("do not mark members as possible repeats if reading the digest failed", async () => {
    const at = nodeFixture();
    const to = channel(() => yes);
    await deliver(at, to, night);
    const morning = await atNight(at);
    const id = await ask(at, "a", "one");
    await at.pass(morning - at.kernel.now() - 1);
    let left = 2;
    at.fault = (verb) => {
      if (verb !== "list" || left === 0) return;
      left -= 1;
      throw new DaybookError("busy", "Locked. Try again.");
    };
    await at.pass(120_000);
    assert.deepEqual(
      to.sent.map(({ text, maybeRepeat }) => [text, maybeRepeat]),
      [["one", false]],
    );
    assert.equal((await stateOf(at, id))[0], "delivered");
  });

  test("send the digest once although a member has been removed", async () => {
    const at = nodeFixture();
    const book = at.ledger.of("mina", "mina");
    let gone = "";
    const to = channel(async () => {
      await book.cancel({ id: gone });
      await at.ledger.work.prune({ endedBefore: at.kernel.now() + 1, limit: 1 });
      return yes;
    });
    await deliver(at, to, night);
    const morning = await atNight(at);
    const id = await ask(at, "a", "one");
    gone = await ask(at, "a", "two");
    await at.pass(morning - at.kernel.now() + 10 * 60_000);
    assert.equal(await book.get(gone), undefined);
    assert.equal(to.sent.length, 1);
    assert.equal((await stateOf(at, id))[0], "delivered");
    assert.ok(at.heard.some(({ name }) => name === "consequence refused"));
  });

  test("leave a snoozed member out of the digest, to be sent at its own time", async () => {
    const at = nodeFixture();
    const to = channel(() => yes);
    await deliver(at, to, night);
    const morning = await atNight(at);
    await ask(at, "a", "one");
    const id = await ask(at, "a", "moved");
    await at.pass(1_000);
    const book = at.ledger.of("mina", "mina");
    const record = await book.get(id);
    assert.ok(is(notificationKind, record));
    const later = morning + 3_600_000;
    await book.edit({
      kind: "notification",
      id,
      body: { ...record.body, at: later },
      wakeAt: later,
    });
    await at.pass(morning - at.kernel.now() + 120_000);
    assert.deepEqual(texts(to), ["one"]);
    await at.pass(later - at.kernel.now());
    assert.deepEqual(texts(to), ["one", "moved"]);
  });
});

test("an owner gets one notice an hour, without content, of undeliverable messages", async () => {
  const at = nodeFixture();
  const to = channel(() => ({ result: "rejected", reason: "blocked" }));
  await deliver(at, to);
  await ask(at, "a", "secret");
  await ask(at, "a", "secret");
  await at.pass(1_000);
  const book = at.ledger.of("mina", "mina");
  const { records } = await book.list({ kind: notificationKind, live: true });
  assert.deepEqual(
    records.map((record) => is(notificationKind, record) && record.body.target),
    ["inbox:mina"],
  );
  const text = JSON.stringify(records);
  assert.match(text, /fake:a/);
  assert.match(text, /blocked/);
  assert.doesNotMatch(text, /secret/);
});

test("the progress of a channel is kept for the next attempt", async () => {
  const at = nodeFixture();
  const seen: unknown[] = [];
  const parts: Channel = {
    name: "fake",
    async send(_message, { progress, save }) {
      seen.push(progress);
      if (progress !== null) return yes;
      await save({ sent: 2 });
      return { result: "retry", reason: "busy" };
    },
  };
  await deliver(at, parts);
  const id = await ask(at, "a");
  await at.pass(60_000);
  assert.deepEqual(seen, [null, { sent: 2 }]);
  assert.equal((await stateOf(at, id))[0], "delivered");
});

test("a notification whose attempts are all interrupted fails with a notice", async () => {
  const at = nodeFixture();
  const id = await ask(at, "a");
  const { clock, ledger } = at;
  const profile = (): Promise<Profile> => Promise.reject(new Error("not to be read"));
  const options = { channels: [channel(() => yes)], clock, ledger, profile };
  await runController(deliverer(options), at.ports, at.options).start();
  await at.pass(86_400_000);
  assert.equal((await stateOf(at, id))[0], "failed");
  const { records } = await ledger.of("mina", "mina").list({ kind: notificationKind, parent: id });
  const [notice] = records;
  assert.ok(is(notificationKind, notice));
  assert.equal(notice.body.target, "inbox:mina");
  assert.match(notice.body.message, /gave up after 12 attempts/);
});
