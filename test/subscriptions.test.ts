import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { webhook } from "../src/adapters/channels/webhook.ts";
import { plainProfile } from "../src/features/accounts/profile.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  subscribe,
} from "../src/features/events/operations/subscriptions.ts";
import { subscriber } from "../src/features/events/subscription-controller.ts";
import { subscriptionKind } from "../src/features/events/subscription.ts";
import { deliverer } from "../src/features/notifications/controller.ts";
import { webhookKind } from "../src/features/notifications/webhook.ts";
import type { Events } from "../src/kernel/events.ts";
import { is } from "../src/kernel/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { runController } from "../src/kernel/runtime.ts";
import { systemClock } from "../src/platform/clock.ts";
import { bus, type Bus } from "../src/platform/event-bus.ts";
import { safeFetch } from "../src/platform/fetch.ts";
import { seededRandom } from "../src/platform/random.ts";
import { group, type Service } from "../src/platform/service.ts";
import { postgres } from "../src/stores/postgres/postgres.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import type { Receiver } from "../src/testing/channels/receiver.ts";
import { webhookReceiver } from "../src/testing/channels/webhook-receiver.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { bookFixtureOn } from "./book-fixture.ts";
import { handClock } from "./hand-clock.ts";

const server = await postgresServer();
after(async () => {
  if (!("missing" in server)) await server.stop();
});
const folder = mkdtempSync(join(tmpdir(), "daybook-subscriptions-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the same store each time. */
type Opens = () => Promise<() => Promise<Ledger>>;
const stores: Readonly<Record<string, Opens>> = {
  sqlite: async () => () => sqlite({ path: join(folder, "book.db") }),
  ...("missing" in server
    ? {}
    : {
        async postgres() {
          const url = await server.database();
          return () => postgres({ url });
        },
      }),
};

const owner = "mina";
const hidden = { secret: "", now: (): number => Date.now() };

/** The parts of a node that publish changes. */
function nodeOn(ledger: Ledger, peer: Receiver, events: Bus<Events>): Service {
  const clock = systemClock();
  const limits = { clock, timeoutMs: 5_000, bytesMax: 10_000, allowHosts: [peer.host] };
  const channel = webhook({
    fetch: safeFetch(limits),
    now: clock.wall,
    async find(whose, id) {
      const found = await ledger.of(whose, whose).get(id);
      return is(webhookKind, found) && found.endedAt === null ? found.body : undefined;
    },
  });
  const profile = () => Promise.resolve(plainProfile);
  const ports = { work: ledger.work, clock, random: seededRandom(1), events };
  const options = { holder: "n", leaseMs: 2_000, pollMs: 200 };
  return group([
    runController(subscriber({ ledger, clock, profile, pollMs: 20 }), ports, options),
    runController(deliverer({ ledger, clock, profile, channels: [channel] }), ports, options),
  ]);
}

interface Told {
  readonly seq: number;
  readonly id: string;
  readonly state: string;
}

function told({ accepted }: Receiver): readonly Told[] {
  return accepted.map(({ body }) => (JSON.parse(body.toString()) as { data: Told }).data);
}

/** Waits until every number up to this one has arrived, from that one on. */
async function hears(peer: Receiver, to: number, after = 0): Promise<readonly Told[]> {
  for (;;) {
    const count = peer.requests.length;
    const seen = told(peer).slice(after);
    if (new Set(seen.map(({ seq }) => seq)).size >= to) return seen;
    await peer.request(count);
  }
}

async function happen(ledger: Ledger, from: number, to: number, whose = owner): Promise<void> {
  const rest = { source: "test", repo: null, payload: {}, at: 0, origin: null, hops: 0 };
  for (let number = from; number <= to; number += 1) {
    const id = `${whose}-${number}`;
    const body = { name: id, type: "a.b", ...rest };
    await ledger.of(whose, whose).append({ kind: "event", id, body, state: "pending" });
  }
}

/** Waits until the subscription's cursor is at this number. */
async function untilTold(
  ledger: Ledger,
  events: Bus<Events>,
  { id, seq }: { id: string; seq: number },
): Promise<void> {
  for (;;) {
    const settled = Promise.withResolvers<void>();
    const stop = events.listen((name) => name === "record settled" && settled.resolve());
    const record = await ledger.of(owner, owner).get(id);
    if (is(subscriptionKind, record) && record.outcome?.seq === seq) return stop();
    await settled.promise;
    stop();
  }
}

const inOrder = (seen: readonly Told[]): readonly Told[] => {
  const bySeq = new Map(seen.map((each) => [each.seq, each]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
};

for (const [name, opens] of Object.entries(stores)) {
  test(
    `${name}: a program gets every change over a restart, and again on request`,
    { timeout: 60_000 },
    async (t) => {
      const peer = await webhookReceiver(hidden);
      t.after(peer.close);
      const open = await opens();
      const events = bus<Events>();
      let ledger = await open();
      const asks = (on: Ledger) => bookFixtureOn(on, handClock(Date.now()), seededRandom(2)).mina;
      const input = subscribe.input.parse({ url: peer.url, kinds: "event", states: "pending" });
      const made = await subscribe.run(input, asks(ledger));
      hidden.secret = made.secret;

      let node = nodeOn(ledger, peer, events);
      t.after(async () => {
        await node.stop();
        await ledger.close();
      });
      await node.start();
      await happen(ledger, 1, 10);
      await happen(ledger, 1, 3, "jun");
      await hears(peer, 10);

      peer.always("reset"); // the receiver disconnects, and the node stops
      const before = peer.requests.length;
      await happen(ledger, 11, 90);
      await peer.request(before);
      await node.stop();
      await ledger.close();
      await peer.quiet();
      peer.always("accept");
      ledger = await open();
      node = nodeOn(ledger, peer, events);
      await node.start();
      const seen = inOrder(await hears(peer, 90));
      assert.deepEqual(
        seen.map(({ seq, id, state }) => `${seq} ${id} ${state}`),
        Array.from({ length: 90 }, (_, index) => `${index + 1} ${owner}-${index + 1} pending`),
      );

      const heard = peer.accepted.length;
      const from = 85;
      // All changes have arrived; the cursor may not be written yet.
      await untilTold(ledger, events, { id: made.id, seq: 90 });
      await replaySubscription.run({ id: made.id, from }, asks(ledger));
      const again = inOrder(await hears(peer, 6, heard));
      assert.deepEqual(
        again.map(({ seq, id }) => [seq, id]),
        Array.from({ length: 6 }, (_, index) => [from + index, `${owner}-${from + index}`]),
      );

      await deleteSubscription.run({ id: made.id }, asks(ledger));
      await node.stop();
      const listed = await listSubscriptions.run({ limit: 50 }, asks(ledger));
      assert.deepEqual(listed.subscriptions, []);
    },
  );
}
if ("missing" in server) test("on postgres", { skip: server.missing }, () => undefined);
