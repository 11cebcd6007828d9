import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock, settled } from "../../../test/hand-clock.ts";
import type { Events } from "../../kernel/events.ts";
import { bus } from "../../platform/event-bus.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { heartbeat, type Beat } from "./heartbeat.ts";

test("a heartbeat starts, changes and stops with the settings", async () => {
  const clock = handClock();
  const ledger = memory({ now: clock.wall, ids: ids(clock, seededRandom(1)) });
  const pings: string[] = [];
  const to = (name: string, everyMs: number): Beat => ({
    everyMs,
    ping: async () => void pings.push(name),
  });
  let set: Beat | undefined;
  const beating = heartbeat({ beat: () => set, work: ledger.work, clock, events: bus<Events>() });
  const told = async (beat: Beat | undefined): Promise<string[]> => {
    set = beat;
    beating.wake();
    await settled();
    return pings.splice(0);
  };
  const after = async (ms: number): Promise<string[]> => {
    clock.advance(ms);
    await settled();
    return pings.splice(0);
  };
  await beating.start();
  assert.deepEqual(await after(1_000_000), []);
  assert.deepEqual(await told(to("a", 1_000)), ["a"]);
  assert.deepEqual(await after(1_000), ["a"]);
  assert.deepEqual(await told(to("b", 5_000)), ["b"]);
  assert.deepEqual(await after(4_999), []);
  assert.deepEqual(await after(1), ["b"]);
  assert.deepEqual(await told(undefined), []);
  assert.deepEqual(await after(1_000_000), []);
  assert.deepEqual(clock.waiting(), []);
  await beating.stop();
  await ledger.close();
});
