import { access, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileLayout } from "../../kernel/files.ts";
import { hasErrno } from "./faults.ts";

/** Quarantined files stay this much longer, so that people can read them. */
const quarantineMs = 30 * 86_400_000;

interface Sweep {
  readonly folder: string;
  readonly layouts: readonly FileLayout[];
  readonly before: number;
}

/**
 * Removes files of a ledger's folder that belong to no record any more: those of workers beside pruned records, and
 * old ones in quarantine. Answers their number. A ledger may be open on the folder.
 */
export async function sweepFolder({ folder, layouts, before }: Sweep): Promise<number> {
  const old: string[] = [];
  const workers = layouts.flatMap(({ worker }) => worker ?? []);
  for (const resultFolder of new Set(workers.map((each) => each.resultFolder))) {
    const sharing = layouts.filter(({ worker }) => worker?.resultFolder === resultFolder);
    for (const name of await oldIn(join(folder, resultFolder), before)) {
      const isKept = await isOfRecord(folder, sharing, name);
      if (!isKept) old.push(join(resultFolder, name));
    }
  }
  const quarantined = await oldIn(join(folder, "quarantine"), Math.max(before - quarantineMs, 0));
  old.push(...quarantined.map((name) => join("quarantine", name)));
  for (const path of old) await rm(join(folder, path), { force: true });
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
    const stat = await lstat(join(folder, name)).catch(() => undefined); // removed in the meantime
    if (stat?.isFile() === true && Math.max(stat.mtimeMs, stat.ctimeMs) < before) old.push(name);
  }
  return old;
}

/** Whether it is the result of a record that exists, or a file beside it: `{id}.json`, `{id}-raw.json`. */
async function isOfRecord(
  root: string,
  layouts: readonly FileLayout[],
  name: string,
): Promise<boolean> {
  const stem = withoutExtension(name);
  for (const { folder, stateFolders = [], worker } of layouts) {
    const ends = ["", "-heartbeat", ...(worker?.sidecars ?? []).map(withoutExtension)];
    const stems = ends.flatMap((end) =>
      stem.endsWith(end) ? stem.slice(0, stem.length - end.length) : [],
    );
    const paths = stateFolders.flatMap((state) =>
      stems.map((each) => join(root, folder, state, `${each}.json`)),
    );
    for (const path of paths) if (await exists(path)) return true;
  }
  return false;
}

function withoutExtension(name: string): string {
  return name.replace(/\.[a-z]+$/, "");
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !hasErrno(error, "ENOENT"),
  );
}
