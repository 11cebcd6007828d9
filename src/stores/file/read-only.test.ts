import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { file } from "./file.ts";

const mount = (...args: string[]): { status: number | null; stderr: string } =>
  spawnSync("mount", args, { encoding: "utf8" });

/** Mounts a small disk. Undefined, with a reason, where that is not possible. */
function smallDisk(t: TestContext): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), "daybook-"));
  const { status, stderr } = mount("-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", disk);
  t.after(() => {
    if (status === 0) spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true });
  });
  if (status === 0) return disk;
  const why = `A small disk cannot be mounted here: ${stderr}`;
  assert.notEqual(process.env["DAYBOOK_REQUIRE_PARTS"], "1", why);
  t.skip(why);
  return undefined;
}

test("a read-only disk is an error that changes nothing, and a writable one works again", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const body = { name: "sweep", everyMs: 1 };
  const folder = join(disk, "book");
  const first = await file({ layouts: [], folder });
  const { id } = await first.of("ann", "x").append({ kind: "chore", state: "waiting", body });
  await first.close();
  const names = readdirSync(folder);
  assert.equal(mount("-o", "remount,ro", disk).status, 0);
  for (const path of [folder, join(disk, "new")]) {
    await assert.rejects(file({ layouts: [], folder: path }), (error: Error) => {
      assert.ok(hasCode(error, "unavailable"), String(error));
      assert.match(error.message, /read-only file system|check its disk/);
      return true;
    });
  }
  assert.deepEqual(readdirSync(folder), names);
  assert.equal(mount("-o", "remount,rw", disk).status, 0);
  const again = await file({ layouts: [], folder });
  assert.equal((await again.of("ann", "x").get(id))?.state, "waiting");
  await again.close();
});
