import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { seededRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import type { Config } from "../config/config.ts";
import { channelsFrom } from "./channels-from.ts";

const message: Message = {
  id: "m1",
  owner: "me",
  address: "lamp",
  text: "hi",
  type: "reminder",
  priority: "normal",
  at: 0,
  maybeRepeat: false,
  language: "en",
};

/** A program that answers with this receipt. */
function program(receipt: string): Config["channels"]["exec"][string] {
  const answer = JSON.stringify({ result: "delivered", receipt });
  const code = `process.stdin.resume().on("end", () => console.log(${JSON.stringify(answer)}))`;
  return { command: [process.execPath, "-e", code], env: [], timeoutMs: 20_000 };
}

test("a message is said by the settings of its moment", async () => {
  const clock = systemClock();
  const write = (): void => undefined;
  const platform = {
    clock,
    random: seededRandom(1),
    log: log({ write, clock, level: "error", format: "json", color: false }),
  };
  const ledger = memory({ now: clock.wall, ids: ids(clock, platform.random) });
  const plain: Config["channels"] = { webhook: { allow: [] }, exec: {}, defaultTarget: null };
  let config = plain;
  const channels = channelsFrom(() => config, ledger, platform, {});
  const attempt = {
    signal: new AbortController().signal,
    progress: null,
    save: () => Promise.resolve(),
  };
  const send = (name: string): unknown =>
    channels.find((channel) => channel.name === name)?.send(message, attempt);
  const none = { result: "rejected", reason: 'no channel "exec" is configured here' };
  assert.deepEqual(await send("exec"), none);
  for (const receipt of ["first", "second"]) {
    config = { ...plain, exec: { lamp: program(receipt) } };
    assert.deepEqual(await send("exec"), { result: "delivered", receipt });
  }
  config = { ...plain, exec: { other: program("other") } };
  const gone = { result: "rejected", reason: 'no program "lamp" is configured here' };
  assert.deepEqual(await send("exec"), gone);
  config = plain;
  assert.deepEqual(await send("exec"), none);
  await ledger.close();
});
