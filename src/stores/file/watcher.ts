import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import type { FolderContext } from "./context.ts";
import { halfMsMax } from "./external-file.ts";
import { isUnknown, showMissing, takeFile, unknownFiles } from "./scan.ts";
import { checkHeld } from "./worker-results.ts";

interface WatchOptions {
  readonly clock: Clock;
  /** How often the folders are looked through. */
  readonly scanMs: number;
  /** Files to read first. */
  readonly unknown: readonly string[];
}

/** Every so many scans, all of the folders. */
const fullEvery = 12;
/** Scanning takes at most one part in so many of the time, however many files there are. */
const scanShare = 20;
/** So many files are read together, and share commits. */
const together = 100;

/**
 * Takes in what other programs dropped, moved and wrote. The operating system's watcher names files to read; it may
 * miss some, and a scan of the folders finds the same. Started when it has scanned once.
 */
export function folderWatcher(context: FolderContext, options: WatchOptions): Service {
  const { clock, scanMs } = options;
  const hinted = new Set<string>(options.unknown);
  let scans = 0;
  let scanAt = -Infinity;
  let watchers: readonly FSWatcher[] = [];
  const folders = [...context.layouts.folders, ...context.layouts.resultFolders];
  let stopping = false; // what is left is found at the next start

  const takeAll = async (paths: readonly string[]): Promise<void> => {
    for (let from = 0; from < paths.length; from += together) {
      if (stopping) return;
      const taken = paths.slice(from, from + together).map(async (path) => {
        const progress = await takeFile(context, path).catch((error: unknown) => {
          context.external.failed?.(error);
          return "again";
        });
        if (progress === "again") hinted.add(path);
      });
      await Promise.all(taken);
    }
  };
  const pass = async (): Promise<number> => {
    const paths = new Set(hinted);
    hinted.clear();
    let seen: Set<string> | undefined;
    if (clock.mono() >= scanAt) {
      if (scans % fullEvery === 0) seen = new Set();
      const begunAt = clock.mono();
      for (const path of await unknownFiles(context, seen)) paths.add(path);
      scans += 1;
      const endedAt = clock.mono();
      scanAt = endedAt + Math.max(scanMs, (endedAt - begunAt) * scanShare);
    }
    await takeAll([...paths]);
    if (seen !== undefined) await showMissing(context, seen);
    const nextAt = await Promise.all([...context.held].map((id) => checkHeld(context, id)));
    const waits = nextAt.flatMap((at) => (at === null ? [] : Math.max(at - context.now(), 1)));
    const halfMs = hinted.size > 0 ? halfMsMax / 4 : Infinity;
    return Math.min(...waits, halfMs, Math.max(scanAt - clock.mono(), 1));
  };
  const failed = (error: unknown): number => {
    context.external.failed?.(error);
    return scanMs;
  };
  const passes = loop({ clock, pass, failed });
  const hear = (folder: string, name: string | null): void => {
    if (name !== null && !isUnknown(context, folder, name)) return;
    if (name === null) scanAt = -Infinity;
    else hinted.add(`${folder}/${name}`);
    passes.wake();
  };
  return service({
    async start() {
      stopping = false;
      watchers = folders.flatMap((folder) => watchFolder(context, folder, hear));
      await pass().catch(failed);
      await passes.start();
    },
    async stop() {
      stopping = true;
      for (const each of watchers) each.close();
      await passes.stop();
    },
  });
}

type Hear = (folder: string, name: string | null) => void;

/** None where there can be none: the scan goes on without. */
function watchFolder({ root }: FolderContext, folder: string, hear: Hear): readonly FSWatcher[] {
  try {
    const watcher = watch(join(root, folder), { persistent: false }, (_what, name) =>
      hear(folder, name),
    );
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
