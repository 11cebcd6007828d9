import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { handClock } from "../../../test/hand-clock.ts";
import { log } from "../../platform/log.ts";
import { seededRandom } from "../../platform/random.ts";
import { receiver } from "../../testing/channels/receiver.ts";
import { jobOf, runContext } from "../../testing/runners/conformance.ts";
import { loadConfig } from "../config/load.ts";
import { runnersFrom } from "./runners-from.ts";

test("a call over HTTP may take as long as its run", async (t) => {
  const peer = await receiver();
  t.after(() => peer.close());
  const clock = handClock();
  const parts = { env: { DAYBOOK_HOME: "/h" }, flags: {}, cwd: "/h", isTerminal: false };
  const readText = (path: string): string | undefined =>
    path === "/h/daybook.yaml" ? `channels: { webhook: { allow: ["${peer.host}"] } }` : undefined;
  const { config } = loadConfig({ ...parts, readText });
  const lines = log({
    write: () => undefined,
    clock,
    level: "error",
    format: "json",
    color: false,
  });
  const platform = { clock, random: seededRandom(1), log: lines };
  const settings = { config, current: () => config, platform, env: {} };
  const runners = runnersFrom({ ...settings, installation: bookFixture().mina });
  const http = runners.find(({ name }) => name === "http");
  assert.ok(http);
  const { promise, resolve } = Promise.withResolvers<void>();
  peer.next({ slowly: promise });
  const input = { http: peer.url, secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX" };
  const running = http.run(jobOf(input, { timeoutMs: 100_000 }), runContext().context);
  await peer.request(0);
  clock.advance(99_000);
  resolve();
  assert.deepEqual(await running, { result: "completed" });
});
