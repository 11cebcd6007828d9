import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import type { Service } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Channel, Message } from "../notifications/channel.ts";
import { deliverer } from "../notifications/controller.ts";
import { makeNotification, notificationKind } from "../notifications/kind.ts";
import type { Sent } from "../notifications/receipt.ts";
import { subscriber } from "./subscription-controller.ts";
import { replayFrom, resumeUnit } from "./subscription-delivery.ts";
import { makeSubscription, type SubscriptionKind, subscriptionKind } from "./subscription.ts";

const minuteMs = 60_000;
const owner = "mina";

interface Hearing {
  readonly at: NodeFixture;
  /** What arrived: `#1 event evt-1: pending`. */
  readonly heard: string[];
  /** What becomes of a message; nothing: it arrives. */
  fate: (message: Message) => Sent | undefined;
  start(holder?: string): Promise<Service>;
  subscribe(body?: Partial<SubscriptionKind["body"]>): Promise<string>;
  get(id: string): Promise<LedgerRecord<SubscriptionKind>>;
}

function hearing(): Hearing {
  const at = nodeFixture();
  const heard: string[] = [];
  const book = at.ledger.of(owner, owner);
  const webhook: Channel = {
    name: "webhook",
    async send(message) {
      const fate = made.fate(message);
      if (fate !== undefined) return fate;
      const { seq, kind, id, state } = message.change ?? assert.fail("no change");
      heard.push(`#${seq} ${kind} ${id}: ${state}`);
      return { result: "delivered", receipt: null };
    },
  };
  const made: Hearing = {
    at,
    heard,
    fate: () => undefined,
    async start(holder = "n1") {
      const { ledger, clock, ports, options } = at;
      const quiet = { from: "00:00", to: "23:59" };
      const profile = () => Promise.resolve({ ...plainProfile, quiet });
      const tells = runController(subscriber({ ledger, clock, profile }), ports, {
        ...options,
        holder,
      });
      const says = deliverer({ ledger, clock, profile, channels: [webhook] });
      await tells.start();
      await runController(says, ports, { ...options, holder }).start();
      return tells;
    },
    async subscribe(body = {}) {
      const asked = { webhook: "w1", kinds: ["event"], states: [], ...body } as const;
      return (await book.append(makeSubscription(asked))).id;
    },
    async get(id) {
      const record = await book.get(id);
      return is(subscriptionKind, record) ? record : assert.fail("no subscription");
    },
  };
  return made;
}

async function happens({ at }: Hearing, id: string, by = owner): Promise<void> {
  const rest = { source: "github", repo: null, payload: {}, at: 0, origin: null, hops: 0 };
  const body = { name: id, type: "a.b", ...rest };
  await at.ledger.of(by, by).append({ kind: "event", id, body, state: "pending" });
}

async function edits({ at }: Hearing, id: string, state: "pending" | "dispatched"): Promise<void> {
  await at.ledger.of(owner, owner).edit({ kind: "event", id, state });
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return `#${number} event evt-${number}: pending`;
  });

describe("a subscription", () => {
  test("sends each new change of state once, of its own book only", async () => {
    const here = hearing();
    await happens(here, "evt-before");
    await here.subscribe();
    await here.start();
    await happens(here, "evt-1");
    await happens(here, "evt-other", "jun");
    await edits(here, "evt-1", "pending");
    await edits(here, "evt-1", "dispatched");
    await here.at.pass(minuteMs);
    await edits(here, "evt-1", "dispatched");
    await edits(here, "evt-before", "dispatched");
    await here.at.ledger.of(owner, owner).cancel({ id: "evt-1" });
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard, [
      "#1 event evt-1: pending",
      "#2 event evt-1: dispatched",
      "#3 event evt-before: dispatched",
      "#4 event evt-1: cancelled",
    ]);
  });

  test("sends only the states that it names", async () => {
    const here = hearing();
    await here.subscribe({ states: ["cancelled"] });
    await here.start();
    await happens(here, "evt-1");
    await here.at.ledger.of(owner, owner).cancel({ id: "evt-1" });
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard, ["#1 event evt-1: cancelled"]);
  });

  test("to notifications leaves out its own messages", async () => {
    const here = hearing();
    await here.subscribe({ kinds: ["notification"] });
    await here.start();
    const said = { message: "m", at: 0, atText: "", target: "inbox:mina", origin: null };
    const draft = makeNotification(said);
    const { id } = await here.at.ledger.of(owner, owner).append(draft);
    await here.at.pass(10 * minuteMs);
    assert.deepEqual(here.heard, [`#1 notification ${id}: pending`]);
  });

  test("writes nothing while nothing happens", async () => {
    const here = hearing();
    const id = await here.subscribe();
    await here.start();
    await here.at.pass(60 * minuteMs);
    assert.ok((await here.get(id)).revision <= 7, "it is written more than every ten minutes");
  });

  test("sends many changes in batches, by two nodes of which one dies", async () => {
    const here = hearing();
    await here.subscribe();
    const first = await here.start("n1");
    await here.start("n2");
    for (let number = 1; number <= 120; number += 1) await happens(here, `evt-${number}`);
    await here.at.pass(1_500);
    void first.stop();
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard.toSorted(inNumbers), numbered(1, 120));
  });

  test("sends an undelivered change again, under its number", async () => {
    const here = hearing();
    const id = await here.subscribe();
    await here.start();
    let refusals = 0;
    here.fate = ({ change }) => {
      if (change?.seq !== 2 || refusals === 2) return undefined;
      refusals += 1;
      return { result: "rejected", reason: "403" };
    };
    for (const number of [1, 2, 3]) await happens(here, `evt-${number}`);
    await here.at.pass(60 * minuteMs);
    assert.deepEqual(here.heard.toSorted(inNumbers), numbered(1, 3));
    assert.deepEqual([refusals, (await here.get(id)).outcome?.failures], [2, 0]);
  });
});

function inNumbers(one: string, other: string): number {
  const number = (line: string): number => Number(/^#(\d+)/.exec(line)?.[1]);
  return number(one) - number(other);
}

describe("an unreachable endpoint", () => {
  async function dead(): Promise<{ here: Hearing; id: string }> {
    const here = hearing();
    const id = await here.subscribe();
    await here.start();
    here.fate = ({ change }) =>
      change?.seq === 1 ? undefined : { result: "rejected", reason: "410" };
    for (const number of [1, 2, 3]) await happens(here, `evt-${number}`);
    await here.at.pass(2 * 60 * minuteMs);
    return { here, id };
  }

  test("pauses its subscription, and its owner gets one notice", async () => {
    const { here, id } = await dead();
    const { state, outcome } = await here.get(id);
    assert.deepEqual([state, outcome?.reason], ["paused", "410"]);
    await happens(here, "evt-4");
    await here.at.pass(24 * 60 * minuteMs);
    const { records } = await here.at.ledger
      .of(owner, owner)
      .list({ kind: notificationKind, limit: 500 });
    const told = records.filter(({ body }) => body.target === `inbox:${owner}`);
    assert.deepEqual(
      told.map(({ body }) => body.message),
      [
        `⏸️ The subscription to w1 is paused, because changes could not be delivered (410). To resume where it stopped: daybook subscription resume ${id}`,
      ],
    );
  });

  test("gets every missed change after a resume, and no other", async () => {
    const { here, id } = await dead();
    await happens(here, "evt-4");
    here.fate = () => undefined;
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard, numbered(1, 1));
    const { edit, append } = resumeUnit(await here.get(id), here.at.kernel.now());
    await here.at.ledger.of(owner, owner).edit(edit, { append });
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard.toSorted(inNumbers), numbered(1, 4));
  });
});

describe("a replay", () => {
  test("sends changes from a number on again, under the same numbers, and continues", async () => {
    const here = hearing();
    const id = await here.subscribe();
    await here.start();
    for (let number = 1; number <= 230; number += 1) {
      await happens(here, `evt-${number}`);
      if (number % 40 === 0) await here.at.pass(5_000);
    }
    await here.at.pass(minuteMs);
    assert.equal(here.heard.length, 230);
    here.heard.length = 0;
    await here.at.ledger.of(owner, owner).edit(replayFrom(await here.get(id), 137));
    await happens(here, "evt-231");
    await here.at.pass(minuteMs);
    assert.deepEqual(here.heard.toSorted(inNumbers), numbered(137, 231));
  });

  test("from a number that was never sent is refused", async () => {
    const here = hearing();
    const id = await here.subscribe();
    await here.start();
    await happens(here, "evt-1");
    await here.at.pass(minuteMs);
    const subscription = await here.get(id);
    assert.throws(() => replayFrom(subscription, 2), /There is no change 2 yet: the last one is 1/);
  });
});

test("a subscription to impossible states, or to no kind, is refused", () => {
  const of = (body: Partial<SubscriptionKind["body"]>) => () =>
    makeSubscription({ webhook: "w", kinds: ["event"], states: [], ...body });
  assert.throws(of({ kinds: [] }), /"kinds" is empty: choose from event, task/);
  assert.throws(of({ states: ["delivered"] }), /"delivered" is not a state of any event/);
  of({ kinds: ["event", "notification"], states: ["delivered"] })();
});
