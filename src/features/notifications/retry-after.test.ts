import assert from "node:assert/strict";
import { test } from "node:test";
import { httpRunner } from "../../adapters/runners/http.ts";
import { node } from "../../app/compose.ts";
import { provide } from "../../kernel/port.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { receiver } from "../../testing/channels/receiver.ts";
import { testHost } from "../../testing/host.ts";
import { makeTask } from "../tasks/kind.ts";
import { nodeRunners } from "../tasks/ports.ts";

test("a receiver's Retry-After delays the next attempt", async (t) => {
  const peer = await receiver();
  t.after(() => peer.close());
  peer.next({ status: 429, headers: { "retry-after": "1" } });
  const [clock, random] = [systemClock(), systemRandom()];
  const ledger = memory({ now: clock.wall, ids: ids(clock, random) });
  const fetch = safeFetch({ clock, timeoutMs: 30_000, bytesMax: 10_000, allowHosts: [peer.host] });
  const runner = httpRunner({ fetch, now: () => clock.wall() });
  const host = testHost(
    ledger,
    { clock, random },
    provide(nodeRunners, () => [runner]),
  );
  const running = node(host, { leaseMs: 30_000 });
  await running.start();
  t.after(() => running.stop());
  const draft = makeTask({
    name: "http",
    input: { http: peer.url, secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX" },
    at: clock.wall(),
    target: "inbox:mina",
    origin: null,
    timeoutMs: 60_000,
    retry: { attempts: 2, firstMs: 1, factor: 1, maxMs: 1 },
  });
  await ledger.of("mina", "mina").append(draft);
  await peer.request(0);
  const askedAt = clock.mono();
  await peer.request(1);
  const waitedMs = clock.mono() - askedAt;
  assert.ok(waitedMs >= 990, `${waitedMs} ms`);
});
