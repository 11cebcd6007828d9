import { access, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "./errno.ts";
import { resultFolder } from "./layouts.ts";

/** What could not be read stays this much longer than what was done: somebody may look for it. */
const quarantineMs = 30 * 86_400_000;

/**
 * Removes what lies in a ledger's folder and belongs to nothing in it any more: what workers left beside tasks that
 * are forgotten, and what was put aside long ago. Answers how many files. A ledger may be open on the folder.
 */
export async function sweepFolder(folder: string, before: number): Promise<number> {
  const results = await oldIn(join(folder, resultFolder), before);
  const orphans = await Promise.all(
    results.map(async (name) => ((await hasTask(folder, name)) ? [] : [join(resultFolder, name)])),
  );
  const aside = await oldIn(join(folder, "quarantine"), Math.max(before - quarantineMs, 0));
  const old = [...orphans.flat(), ...aside.map((name) => join("quarantine", name))];
  for (const place of old) await rm(join(folder, place), { force: true });
  return old.length;
}

/** Files that were neither written nor moved since then. */
async function oldIn(folder: string, before: number): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  });
  const old: string[] = [];
  for (const name of names) {
    const stat = await lstat(join(folder, name)).catch(() => undefined); // gone meanwhile
    if (stat?.isFile() === true && Math.max(stat.mtimeMs, stat.ctimeMs) < before) old.push(name);
  }
  return old;
}

/** Whether it is the result of a task that is still there, or lies beside it: `{task}.json`, `{task}-raw.json`. */
async function hasTask(folder: string, name: string): Promise<boolean> {
  const stem = name.replace(/\.[a-z]+$/, "");
  const stems = [stem, stem.replace(/-(?:raw|checkpoint|heartbeat|soldier-id|session-id)$/, "")];
  for (const state of ["pending", "in_progress", "completed"]) {
    for (const each of stems) {
      if (await isThere(join(folder, "queue/tasks", state, `${each}.json`))) return true;
    }
  }
  return false;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !hasErrno(error, "ENOENT"),
  );
}
