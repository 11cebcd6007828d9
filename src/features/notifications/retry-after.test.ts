import assert from "node:assert/strict";
import { test } from "node:test";
import { httpRunner } from "../../adapters/runners/http.ts";
import { node } from "../../app/compose.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { ids } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { systemRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { receiver } from "../../testing/channels/receiver.ts";
import { plainProfile } from "../accounts/profile.ts";
import { makeTask } from "../tasks/kind.ts";

test("a receiver that asks to be left alone is, however soon the task would try again", async (t) => {
  const peer = await receiver();
  t.after(() => peer.close());
  peer.next({ status: 429, headers: { "retry-after": "1" } });
  const [clock, random] = [systemClock(), systemRandom()];
  const ledger = memory({ now: clock.wall, ids: ids(clock, random) });
  const silent = log({
    write: () => undefined,
    clock,
    level: "error",
    format: "json",
    color: false,
  });
  const fetch = safeFetch({ clock, timeoutMs: 30_000, bytesMax: 10_000, allowHosts: [peer.host] });
  const running = node(
    ledger,
    { clock, random, log: silent },
    {
      leaseMs: 30_000,
      channels: [],
      runners: [httpRunner({ fetch, now: () => clock.wall() })],
      keepMs: () => 86_400_000,
      defaults: () => plainProfile,
    },
  );
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
