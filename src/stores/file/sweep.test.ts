import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { taskLayout } from "../../features/tasks/file.ts";
import { sweepFolder } from "./sweep.ts";

const dayMs = 86_400_000;

const sweep = (folder: string, before: number): Promise<number> =>
  sweepFolder({ folder, layouts: [taskLayout], before });

async function folderWith(t: TestContext, ...paths: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sweep-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), "{}");
  }
  return folder;
}

async function left(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

describe("a sweep of a ledger's folder", () => {
  const tasks = ["queue/tasks/completed/task-1.json", "queue/tasks/in_progress/task-2.json"];
  const results = [
    "state/results/task-1-raw.json",
    "state/results/task-1.json",
    "state/results/task-2-heartbeat",
  ];
  const orphans = [
    "state/results/task-9-checkpoint.json",
    "state/results/task-9-session-id",
    "state/results/task-9.json",
  ];

  test("removes results of pruned tasks, and keeps those of others", async (t) => {
    const folder = await folderWith(t, ...tasks, ...results, ...orphans);
    assert.equal(await sweep(folder, Date.now() + dayMs), 3);
    assert.deepEqual(await left(folder), [...tasks, ...results].toSorted());
  });

  test("keeps new files, and old ones that were just moved there", async (t) => {
    const folder = await folderWith(t, ...orphans, "quarantine/1-x.json");
    const [old = ""] = orphans;
    await utimes(join(folder, old), 1, 1);
    assert.equal(await sweep(folder, Date.now() - dayMs), 0);
  });

  test("removes quarantined files after a month, with their reasons", async (t) => {
    const aside = ["quarantine/1-x.json", "quarantine/1-x.json.reason"];
    const folder = await folderWith(t, ...aside);
    assert.equal(await sweep(folder, Date.now() + 29 * dayMs), 0);
    assert.equal(await sweep(folder, Date.now() + 31 * dayMs), 2);
    assert.deepEqual(await left(folder), []);
  });

  test("does nothing in a folder without such files", async (t) => {
    assert.equal(await sweep(await folderWith(t), Date.now()), 0);
  });
});
