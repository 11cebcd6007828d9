import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import type { OutsideDesk } from "./context.ts";
import { halfMsMax } from "./external-file.ts";
import { knownFolders, resultFolder } from "./layouts.ts";
import { isStrange, lookAt, showMissing, strangeFiles } from "./scan.ts";
import { tend } from "./workers.ts";

interface WatchOptions {
  readonly clock: Clock;
  /** How often the folders are looked through. */
  readonly scanMs: number;
  /** Files to look at first. */
  readonly strange: readonly string[];
}

/** Every so many looks, all of the folders. */
const fullEvery = 12;
/** Looking through takes at most one part in so many of the time, however many files there are. */
const scanShare = 20;
/** So many files are looked at together, and share commits. */
const together = 100;

/**
 * Looks for what others dropped, moved and wrote. A watcher says which file to look at; it may be deaf,
 * and a look through the folders finds the same. Started when it has looked once.
 */
export function outsideWatch(desk: OutsideDesk, options: WatchOptions): Service {
  const { clock, scanMs } = options;
  const hinted = new Set<string>(options.strange);
  let scans = 0;
  let scanAt = -Infinity;
  let watchers: readonly FSWatcher[] = [];
  let stopping = false; // what is left is found at the next start

  const lookAtAll = async (places: readonly string[]): Promise<void> => {
    for (let from = 0; from < places.length; from += together) {
      if (stopping) return;
      const looks = places.slice(from, from + together).map(async (place) => {
        const looked = await lookAt(desk, place).catch((error: unknown) => {
          desk.outside.failed?.(error);
          return "again";
        });
        if (looked === "again") hinted.add(place);
      });
      await Promise.all(looks);
    }
  };
  const pass = async (): Promise<number> => {
    const places = new Set(hinted);
    hinted.clear();
    let seen: Set<string> | undefined;
    if (clock.mono() >= scanAt) {
      if (scans % fullEvery === 0) seen = new Set();
      const begunAt = clock.mono();
      for (const place of await strangeFiles(desk, seen)) places.add(place);
      scans += 1;
      const endedAt = clock.mono();
      scanAt = endedAt + Math.max(scanMs, (endedAt - begunAt) * scanShare);
    }
    await lookAtAll([...places]);
    if (seen !== undefined) await showMissing(desk, seen);
    const nextAt = await Promise.all([...desk.taken].map((id) => tend(desk, id)));
    const waits = nextAt.flatMap((at) => (at === null ? [] : Math.max(at - desk.now(), 1)));
    const halfMs = hinted.size > 0 ? halfMsMax / 4 : Infinity;
    return Math.min(...waits, halfMs, Math.max(scanAt - clock.mono(), 1));
  };
  const failed = (error: unknown): number => {
    desk.outside.failed?.(error);
    return scanMs;
  };
  const looking = loop({ clock, pass, failed });
  const hear = (folder: string, name: string | null): void => {
    const place = `${folder}/${name ?? ""}`;
    if (name !== null && !isStrange(desk, folder, name)) return;
    if (name === null) scanAt = -Infinity;
    else hinted.add(place);
    looking.wake();
  };
  return service({
    async start() {
      stopping = false;
      watchers = [...knownFolders, resultFolder].flatMap((folder) => watching(desk, folder, hear));
      await pass().catch(failed);
      await looking.start();
    },
    async stop() {
      stopping = true;
      for (const each of watchers) each.close();
      await looking.stop();
    },
  });
}

type Hear = (folder: string, name: string | null) => void;

/** None where there can be none: the scan goes on without. */
function watching({ root }: OutsideDesk, folder: string, hear: Hear): readonly FSWatcher[] {
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
