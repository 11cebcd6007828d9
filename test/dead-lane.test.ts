import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fillFile } from "../bench/sqlite-load.ts";
import { webhook } from "../src/adapters/channels/webhook.ts";
import { open, type Daybook } from "../src/app/library/open.ts";
import { makeNotification } from "../src/features/notifications/kind.ts";
import { makeWebhook, secretFrom, webhookKind } from "../src/features/notifications/webhook.ts";
import { is } from "../src/kernel/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { systemClock } from "../src/platform/clock.ts";
import { safeFetch, type SafeFetch } from "../src/platform/fetch.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { receiver, type Receiver } from "../src/testing/channels/receiver.ts";
import { webhookReceiver } from "../src/testing/channels/webhook-receiver.ts";
import { folder } from "./child.ts";

const crowd = 100_000;
const timeout = 60_000;
/** The timeout of a request. */
const hangsMs = 20_000;
/** The sends of a node to one target in progress. */
const laneShare = 16;
const secret = secretFrom(new Uint8Array(24).fill(7));

async function hookTo(ledger: Ledger, url: string): Promise<string> {
  const { id } = await ledger.of("mina", "mina").append(makeWebhook({ url, secret }));
  return `webhook:${id}`;
}

/** A crowd for the dead target, due for a minute, and behind it one for the live target. */
async function fill(path: string, urls: { dead: string; live: string }): Promise<string> {
  const ledger = await sqlite({ path });
  const lane = await hookTo(ledger, urls.dead);
  await fillFile(path, { rows: crowd, wakeAt: Date.now() - 60_000, lane });
  const target = await hookTo(ledger, urls.live);
  const body = { message: "alive", at: Date.now(), atText: "now", target, origin: null };
  const { id } = await ledger.of("mina", "mina").append(makeNotification(body));
  await ledger.close();
  return id;
}

/** A book that posts to webhooks over real connections; counts the attempts per URL. */
async function openAt(
  path: string,
  hosts: readonly string[],
): Promise<{ book: Daybook; tried: Map<string, number> }> {
  const clock = systemClock();
  const tried = new Map<string, number>();
  const post = safeFetch({ clock, timeoutMs: hangsMs, bytesMax: 65_536, allowHosts: hosts });
  const fetch: SafeFetch = (request) => {
    tried.set(request.url, (tried.get(request.url) ?? 0) + 1);
    return post(request);
  };
  const channel = webhook({
    fetch,
    now: () => clock.wall(),
    async find(_, id) {
      const record = await book.ledger.of("mina", "mina").get(id); // every webhook here is Mina's
      return is(webhookKind, record) ? record.body : undefined;
    },
  });
  const book = await open({ store: `sqlite:${path}`, channels: [channel] });
  return { book, tried };
}

interface Scenario {
  readonly path: string;
  readonly dead: Receiver;
  readonly live: Receiver;
  /** The notification for the live target. */
  readonly id: string;
}

async function livesBesideDead(t: TestContext, { path, dead, live, id }: Scenario): Promise<void> {
  const { book, tried } = await openAt(path, [dead.host, live.host]);
  t.after(() => book.close());
  const before = live.requests.length;
  const came = live.request(before).then(() => ({
    ms: performance.now() - began,
    deadTries: tried.get(dead.url) ?? 0,
  }));
  const began = performance.now();
  await book.start();
  const { ms, deadTries } = await came;
  t.diagnostic(
    `sent ${Math.round(ms)} ms after the start, and ${deadTries} to the dead one before`,
  );
  const [load = 0] = loadavg();
  if (load > 2 * availableParallelism()) {
    t.diagnostic(`a load of ${load.toFixed(1)}: this machine is too busy to hold 2 s against it`);
  } else assert.ok(ms <= 2_000, `it was sent after ${Math.round(ms)} ms`);
  assert.ok(ms < hangsMs, "it waited until the first were given up on");
  assert.ok(deadTries <= 2 * laneShare, `${deadTries} were tried before it`);
  assert.equal(live.requests[before]?.headers["webhook-id"], id);
  const mina = book.ledger.of("mina", "mina");
  while ((await mina.get(id))?.state === "pending"); // until the answer is recorded
  await book.stop();
  assert.equal((await mina.get(id))?.state, "delivered");
  const { queues } = await book.ledger.work.stats();
  const left = queues.find(({ queue }) => queue === "notification");
  assert.equal((left?.due ?? 0) + (left?.later ?? 0), crowd);
  assert.equal(live.accepted.length, before + 1);
}

test(`${crowd} due for a dead webhook do not delay one for a live one`, async (t) => {
  const live = await webhookReceiver({ secret, now: () => Date.now() });
  const dead = await receiver();
  dead.always("hang");
  t.after(() => Promise.all([live.close(), dead.close()]));
  const home = folder(t);
  const [path, copy] = [join(home, "hangs.db"), join(home, "refuses.db")];
  const id = await fill(path, { dead: dead.url, live: live.url });
  copyFileSync(path, copy);
  await t.test("the dead target accepts requests and never answers", { timeout }, (t) =>
    livesBesideDead(t, { path, dead, live, id }),
  );
  assert.ok(dead.requests.length > 0);
  await dead.close();
  await t.test("the dead target refuses connections", { timeout }, (t) =>
    livesBesideDead(t, { path: copy, dead, live, id }),
  );
});
