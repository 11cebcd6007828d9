import { type FSWatcher, utimesSync, watch, writeFileSync } from "node:fs";
import { hints } from "../../kernel/hints.ts";
import type { Work } from "../../kernel/ledger.ts";

function wakeFile(path: string): string {
  return `${path}-wake`;
}

/** Tells other processes to look. It is only a hint: they look once a second anyway. */
export function touchWakeFile(path: string): void {
  const now = new Date();
  try {
    utimesSync(wakeFile(path), now, now);
  } catch {
    makeWakeFile(path);
  }
}

function makeWakeFile(path: string): void {
  try {
    writeFileSync(wakeFile(path), "", { mode: 0o600, flag: "a" });
  } catch {
    // A folder that lets us write no new file costs others up to a second, and nothing else.
  }
}

/** Calls back whenever the file was touched. `refresh` watches anew if the file was deleted. */
export interface WakeWatch {
  refresh(): void;
  close(): void;
}

export function watchWakeFile(path: string, onTouch: () => void): WakeWatch {
  let watcher: FSWatcher | undefined;
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const refresh = (): void => {
    if (watcher !== undefined) return;
    makeWakeFile(path);
    try {
      watcher = watch(wakeFile(path), { persistent: false });
    } catch {
      return; // the next refresh tries again
    }
    watcher.on("error", close);
    watcher.on("change", (event) => {
      if (event === "rename") close(); // the file we watch is gone from its name
      onTouch();
    });
  };
  refresh();
  return { refresh, close };
}

const netMs = 1000;

export interface WakeHints {
  onHint: Work["onHint"];
  /** Hints that came with our own commits. */
  tell(queues: readonly string[]): void;
  close(): void;
}

/**
 * Hints of this process as they come, and of others: when the wake file is touched, and once a
 * second as a net, the store is asked whether somebody else has committed. Nobody can tell in which
 * queue, so then all are hinted. Nothing is watched while nobody listens.
 */
export function wakeHints(path: string, dataVersion: () => Promise<number>): WakeHints {
  const heard = hints();
  const listeners = new Map<symbol, string>();
  const look = looker(dataVersion, () => heard.tell([...new Set(listeners.values())]));
  let stopWatching: (() => void) | undefined;

  const close = (): void => {
    stopWatching?.();
    stopWatching = undefined;
  };
  return {
    tell: heard.tell,
    close,
    onHint(queue, hint) {
      const listener = Symbol(queue);
      listeners.set(listener, queue);
      const stop = heard.onHint(queue, hint);
      stopWatching ??= watching(path, look);
      return () => {
        stop();
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
  };
}

function watching(path: string, look: () => void): () => void {
  const file = watchWakeFile(path, look);
  const net = setInterval(() => {
    file.refresh();
    look();
  }, netMs).unref();
  look(); // from here on a commit of somebody else is a change
  return () => {
    clearInterval(net);
    file.close();
  };
}

/** One look at a time; a touch during a look asks for one more, so that none is lost. */
function looker(dataVersion: () => Promise<number>, changed: () => void): () => void {
  let seen: number | undefined;
  let looking = false;
  let again = false;
  const run = async (): Promise<void> => {
    looking = true;
    do {
      again = false;
      const version = await dataVersion();
      if (seen !== undefined && version !== seen) changed();
      seen = version;
    } while (again);
    looking = false;
  };
  return () => {
    again = true;
    // A store that is closed or gone has no hints to give: its callers hear of it themselves.
    if (!looking) void run().catch(() => (looking = false));
  };
}
