import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { storeUnit } from "../../features/workspaces/archive-unit.ts";
import { systemClock } from "../../platform/clock.ts";
import { archivesSuite } from "../../testing/archives/conformance.ts";
import {
  all,
  fileEntry,
  from,
  keysOf,
  incompressible,
  tarWith,
} from "../../testing/archives/rig.ts";
import { assertThrows } from "../../testing/machines/rig.ts";
import { directory } from "./directory.ts";

const clock = systemClock();
const { signal } = new AbortController();
const key = "archives/w-1/op-1/home.tar.zst";

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "daybook-archives-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

archivesSuite("a folder", async (t) => {
  const folder = await folderFor(t);
  const file = join(await folderFor(t), "file");
  await writeFile(file, "");
  return {
    archives: directory({ folder, clock }),
    other: directory({ folder, clock }),
    largeBytes: 3_000_000,
    unfinished: async () => (await readdir(join(folder, ".parts"))).length,
    unreachable: () => {
      const nowhere = join(file, "archives");
      return { archives: directory({ folder: nowhere, clock }), endpoint: `dir:${nowhere}` };
    },
  };
});

test("a put creates the folder, and every read before it throws", async (t) => {
  const folder = join(await folderFor(t), "not", "yet");
  const archives = directory({ folder, clock });
  for (const call of [
    () => archives.get(key, signal),
    () => archives.head(key, signal),
    () => Array.fromAsync(archives.list("", signal)),
    () => archives.remove([key], signal),
  ]) {
    await assertThrows(call(), "unavailable");
  }
  await archives.put(key, from("x"), signal);
  assert.deepEqual(await keysOf(archives, ""), [key]);
});

test("a missing disk is an error, not an empty archive folder", async (t) => {
  const folder = await folderFor(t);
  const archives = directory({ folder, clock });
  await archives.put(key, from("x"), signal);
  await rename(folder, `${folder}-away`);
  t.after(() => rm(`${folder}-away`, { recursive: true, force: true }));
  await assertThrows(archives.get(key, signal), "unavailable");
  await assertThrows(archives.head(key, signal), "unavailable");
  await rename(`${folder}-away`, folder);
  assert.deepEqual(await archives.head(key, signal), { size: 1 });
});

test("a killed put leaves no key, and its part file is swept after a day", async (t) => {
  const folder = await folderFor(t);
  const script = `
    import { directory } from ${JSON.stringify(import.meta.resolve("./directory.ts"))};
    const archives = directory({ folder: ${JSON.stringify(folder)}, clock: { wall: () => Date.now() } });
    async function* endless() {
      yield Buffer.alloc(1_000_000);
      console.log("half");
      for (;;) await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await archives.put(${JSON.stringify(key)}, endless(), new AbortController().signal);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const archives = directory({ folder, clock });
  assert.deepEqual(await keysOf(archives, ""), []);
  assert.equal(await archives.head(key, signal), null);
  const [part = ""] = await readdir(join(folder, ".parts"));
  assert.notEqual(part, "");
  await archives.put("other", from("x"), signal);
  assert.deepEqual(await readdir(join(folder, ".parts")), [part]);
  const old = clock.wall() / 1_000 - 25 * 3_600;
  await utimes(join(folder, ".parts", part), old, old);
  await archives.put("other", from("x"), signal);
  assert.deepEqual(await readdir(join(folder, ".parts")), []);
});

test("a symlink at an archive's path is not followed", async (t) => {
  const folder = await folderFor(t);
  const archives = directory({ folder, clock });
  const secret = join(await folderFor(t), "secret");
  await writeFile(secret, "secret");
  await mkdir(join(folder, "archives"));
  await symlink(secret, join(folder, "archives", "link"));
  assert.equal(await archives.head("archives/link", signal), null);
  assert.deepEqual(await keysOf(archives, ""), []);
  await assertThrows(archives.get("archives/link", signal).then(all));
});

test("a full disk is an error with advice, and leaves no part file", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "daybook-full-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  if (mounted.status !== 0) return t.skip("only root can mount a small disk here");
  t.after(() => spawnSync("umount", [folder]));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const archives = directory({ folder, clock });
  const tar = tarWith(fileEntry("incompressible", incompressible(3_000_000)));
  const error = await assertThrows(storeUnit(archives, key, tar, signal), "refused");
  assert.deepEqual([error.details["fault"], error.details["code"]], ["ActionFailed", "DISK_FULL"]);
  assert.match(error.message, /make room/);
  assert.deepEqual(await keysOf(archives, ""), []);
  await storeUnit(archives, key, tarWith(fileEntry("note", "small")), signal);
});
