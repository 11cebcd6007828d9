import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder } from "../../../test/child.ts";
import { directory } from "../../adapters/archives/directory.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { all, fileEntry, keysOf, tarWith } from "../../testing/archives/rig.ts";
import { storeUnit } from "./archive-unit.ts";
import { archiveKeyOf } from "./archives.ts";
import { makeWorkspace } from "./draft.ts";
import { collectArchives, collector, foreignArchives } from "./garbage-collector.ts";
import { orphanMsMin } from "./garbage.ts";
import { unobservedWorkspace } from "./kind.ts";

const { signal } = new AbortController();

test("the archives belong to the first book that reads them, however often it does", async (t) => {
  const archives = directory({ folder: folder(t), clock: systemClock() });
  await archives.check(signal);
  const isForeign = foreignArchives(archives);
  assert.equal(await isForeign("first", { signal, isDry: true }), false);
  assert.equal(await isForeign("first", { signal }), false);
  assert.equal(await isForeign("first", { signal }), false);
});

test("another book removes nothing there until a person confirms it", async (t) => {
  const archives = directory({ folder: folder(t), clock: systemClock() });
  await archives.check(signal);
  const isForeign = foreignArchives(archives);
  await isForeign("first", { signal });
  assert.equal(await isForeign("second", { signal }), true);
  assert.equal(await isForeign(null, { signal }), true);
  assert.equal(await isForeign("second", { signal, isConfirmed: true }), false);
  assert.equal(await isForeign("second", { signal }), false);
  assert.equal(await isForeign("first", { signal }), true);
});

const clock = systemClock();

/** A collector over real folders, and a workspace whose archive `needed` is. */
async function collecting(root: string) {
  const ledger = memory({ now: clock.wall, ids: ids(clock, systemRandom()) });
  const archives = directory({ folder: root, clock });
  await archives.check(signal);
  const body = {
    owner: "mina",
    name: "dev",
    imageRef: "local",
    machine: { memoryMb: 512, cpus: 1, pids: 64 },
    desired: "PENDING",
    standbyTtlSeconds: 60,
    archiveTtlSeconds: 60,
    wakeAheadSeconds: 0,
    target: "inbox:mina",
    origin: null,
  } as const;
  const limits = { perOwner: 1, inAll: 1 };
  const draft = makeWorkspace(body, "local:here", { now: clock.wall(), limits });
  const needed = archiveKeyOf("w-1", "op-2");
  const outcome = { ...unobservedWorkspace, archiveKey: needed };
  await ledger.of("mina", "mina").append({ ...draft, outcome });
  return { archives, needed, collect: collector({ ledger, archives }) };
}

test("a real removal by GC has a test by use: the archive that nothing has needed for two hours is gone from the disk, and the other can be read", async (t) => {
  const root = folder(t);
  const { archives, needed, collect } = await collecting(root);
  const orphan = archiveKeyOf("w-1", "op-1");
  for (const key of [orphan, needed]) {
    await storeUnit(archives, key, tarWith(fileEntry("a.txt", "가나다")), signal);
  }
  const whole = await all(await archives.get(needed, signal));
  const chore = collectArchives(collect);
  const now = clock.wall();
  const run = async (at: number, kept: Parameters<typeof chore.run>[2]["kept"]) => {
    const ran = await chore.run(at, signal, { id: "book", round: "r", kept });
    return typeof ran === "string" ? assert.fail(ran) : ran;
  };
  const first = await run(now, null);
  const early = await run(now + orphanMsMin - 1, first.kept ?? null);
  assert.deepEqual([first.did, early.did], ["removed 0 of 2 archives", "removed 0 of 2 archives"]);
  assert.equal((await keysOf(archives, "archives/w-1/")).length, 4);
  const last = await run(now + orphanMsMin, early.kept ?? null);
  assert.equal(last.did, "removed 1 of 2 archives");
  assert.deepEqual(await keysOf(archives, "archives/w-1/"), [needed, `${needed}.meta`]);
  assert.deepEqual(readdirSync(join(root, "archives", "w-1")), ["op-2"]);
  assert.deepEqual(await all(await archives.get(needed, signal)), whole);
});

test("a partial archive left by a crash (`.parts/…`) is listed and removed by `workspace gc`", async (t) => {
  const root = folder(t);
  const { collect } = await collecting(root);
  const script = `
    import { directory } from ${JSON.stringify(import.meta.resolve("../../adapters/archives/directory.ts"))};
    const archives = directory({ folder: ${JSON.stringify(root)}, clock: { wall: () => Date.now() } });
    async function* endless() {
      yield Buffer.from("part");
      process.stdout.write("writing");
      await new Promise(() => setInterval(() => {}, 1000));
    }
    await archives.put("archives/w-1/op-3/home.tar.zst", endless(), new AbortController().signal);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  await once(child.stdout, "data");
  t.after(() => child.kill("SIGKILL"));
  child.kill("SIGKILL");
  await once(child, "exit");
  const inDisk = (): readonly string[] => readdirSync(join(root, ".parts"));
  const [left = assert.fail()] = inDisk();
  const memoryOf = { orphans: {}, book: "book" };
  const round = (now: number, isDry: boolean) => collect({ now, memory: memoryOf, signal, isDry });
  const now = clock.wall();
  for (const isDry of [true, false]) {
    const { parts } = await round(now, isDry);
    assert.deepEqual(
      parts.map(({ name, isOld }) => [name, isOld]),
      [[`.parts/${left}`, false]],
      "it may still be written",
    );
  }
  const later = now + orphanMsMin;
  assert.deepEqual(
    (await round(later, true)).parts.map(({ isOld }) => isOld),
    [true],
  );
  assert.deepEqual(inDisk(), [left]);
  await round(later, false);
  assert.deepEqual(inDisk(), []);
  assert.deepEqual((await round(later, true)).parts, []);
});
