import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../test/hand-clock.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { isNodeAlive } from "./alive.ts";
import { type NodeKind, silenceMs, systemOwner } from "./node.ts";

test("a node is alive until it stops, falls silent, or its process is gone", async () => {
  const clock = handClock();
  const ledger = memory({ now: clock.wall, ids: ids(clock, seededRandom(1)) });
  const book = ledger.of(systemOwner, "one");
  const isAlive = (gone: readonly number[] = []): Promise<boolean> =>
    isNodeAlive(ledger, { now: clock.wall(), isGone: (pid) => gone.includes(pid) });
  const start = async (pid: number): Promise<string> => {
    const process = { space: "boot", startedAt: "1" };
    const body = { name: `n${pid}`, version: "1", host: "h", pid, process };
    const wakeAt = clock.wall() + silenceMs;
    return (await book.append<NodeKind>({ kind: "node", body, state: "running", wakeAt })).id;
  };
  assert.equal(await isAlive(), false);
  const first = await start(1);
  assert.equal(await isAlive(), true);
  assert.equal(await isAlive([1]), false, "its process is gone");
  await start(2);
  assert.equal(await isAlive([1]), true, "the other runs");
  await book.edit<NodeKind>({ kind: "node", id: first, ends: "stopped" });
  assert.equal(await isAlive([2]), false);
  assert.equal(await isAlive(), true);
  clock.advance(silenceMs);
  assert.equal(await isAlive(), false, "it fell silent");
  await ledger.close();
});
