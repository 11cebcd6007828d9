import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import { partialMsMax } from "./external-file.ts";
import type { FolderContext } from "./folder-context.ts";
import { isUnknown, showMissing, handleFile, unknownFiles } from "./scan.ts";
import { checkLease } from "./worker-results.ts";

interface WatchOptions {
  readonly clock: Clock;
  /** How often the folders are scanned. */
  readonly scanMs: number;
  /** Files to read first. */
  readonly unknown: readonly string[];
}

/** Every so many scans, all folders are scanned. */
const fullScanEvery = 12;
/** Scans take at most one twentieth of the time, however many files there are. */
const scanShare = 20;
/** Files that are handled together and share commits. */
const filesAtOnce = 100;

/**
 * Handles the files that other programs drop, move and write. The operating system's watcher names them; it may miss
 * some, which a scan of the folders finds. `start` resolves after the first scan.
 */
export function folderWatcher(context: FolderContext, options: WatchOptions): Service {
  const { clock, scanMs } = options;
  const hinted = new Set<string>(options.unknown);
  let scans = 0;
  let scanAt = -Infinity;
  let watchers: readonly FSWatcher[] = [];
  const folders = [...context.layouts.folders, ...context.layouts.resultFolders];
  const faults = faultsOf((error) => context.external.failed?.(error));
  let stopping = false; // the next start finds the remaining files

  const handleAll = async (paths: readonly string[]): Promise<void> => {
    for (let from = 0; from < paths.length; from += filesAtOnce) {
      if (stopping) return;
      const handled = paths.slice(from, from + filesAtOnce).map(async (path) => {
        try {
          if ((await handleFile(context, path)) === "retry") hinted.add(path);
          faults.end(path);
        } catch (error) {
          faults.report(path, error);
          hinted.add(path);
        }
      });
      await Promise.all(handled);
    }
  };
  const pass = async (): Promise<number> => {
    const paths = new Set(hinted);
    hinted.clear();
    let seen: Set<string> | undefined;
    if (clock.mono() >= scanAt) {
      if (scans % fullScanEvery === 0) seen = new Set();
      const startedAt = clock.mono();
      for (const path of await unknownFiles(context, seen)) paths.add(path);
      scans += 1;
      const endedAt = clock.mono();
      scanAt = endedAt + Math.max(scanMs, (endedAt - startedAt) * scanShare);
    }
    await handleAll([...paths]);
    if (seen !== undefined) await showMissing(context, seen);
    const nextAt = await Promise.all([...context.held].map((id) => checkLease(context, id)));
    const waits = nextAt.flatMap((at) => (at === null ? [] : Math.max(at - context.now(), 1)));
    const partialMs = hinted.size > 0 ? partialMsMax / 4 : Infinity;
    faults.end("");
    return Math.min(...waits, partialMs, Math.max(scanAt - clock.mono(), 1));
  };
  const failed = (error: unknown): number => {
    faults.report("", error);
    return scanMs;
  };
  const passes = loop({ clock, pass, failed });
  const onFile = (folder: string, name: string | null): void => {
    if (name !== null && !isUnknown(context, folder, name)) return;
    if (name === null) scanAt = -Infinity;
    else hinted.add(`${folder}/${name}`);
    passes.wake();
  };
  return service({
    async start() {
      stopping = false;
      watchers = folders.flatMap((folder) => watchFolder(context, folder, onFile));
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

/** Reports a fault of a file once, until the file is handled or its fault is another. */
function faultsOf(failed: (error: unknown) => void): {
  report(path: string, error: unknown): void;
  end(path: string): void;
} {
  const reported = new Map<string, string>();
  return {
    report(path, error) {
      if (reported.get(path) === messageOf(error)) return;
      reported.set(path, messageOf(error));
      failed(error);
    },
    end: (path) => void reported.delete(path),
  };
}

type OnFile = (folder: string, name: string | null) => void;

/** Empty where the system cannot watch: the scans still run. */
function watchFolder(
  { root }: FolderContext,
  folder: string,
  onFile: OnFile,
): readonly FSWatcher[] {
  try {
    const watcher = watch(join(root, folder), { persistent: false }, (_what, name) =>
      onFile(folder, name),
    );
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
