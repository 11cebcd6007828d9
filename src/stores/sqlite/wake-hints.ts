import { type FSWatcher, utimesSync, watch, writeFileSync } from "node:fs";
import { hints } from "../../kernel/hints.ts";
import type { Work } from "../../kernel/ledger.ts";

function wakeFile(path: string): string {
  return `${path}-wake`;
}

/** Wakes other processes. It is only a hint: they poll once a second anyway. */
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
    // Without the file, other processes wait for their next poll.
  }
}

/** A watcher of the wake file. `refresh` watches again if the file was deleted. */
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
      if (event === "rename") close(); // the watched file has lost its name
      onTouch();
    });
  };
  refresh();
  return { refresh, close };
}

const pollMs = 1000;

export interface WakeHints {
  onHint: Work["onHint"];
  /** Publishes the hints of this store's commits. */
  notify(queues: readonly string[]): void;
  close(): void;
}

/**
 * Hints of this process and of others. On a touch of the wake file, and once a second, the store is polled for commits
 * of other processes. Their queues are unknown, so all queues are hinted. Nothing is watched without listeners.
 */
export function wakeHints(path: string, dataVersion: () => Promise<number>): WakeHints {
  const local = hints();
  const listeners = new Map<symbol, string>();
  const poll = poller(dataVersion, () => local.notify([...new Set(listeners.values())]));
  let stopWatching: (() => void) | undefined;

  const close = (): void => {
    stopWatching?.();
    stopWatching = undefined;
  };
  return {
    notify: local.notify,
    close,
    onHint(queue, hint) {
      const listener = Symbol(queue);
      listeners.set(listener, queue);
      const stop = local.onHint(queue, hint);
      stopWatching ??= watchOthers(path, poll);
      return () => {
        stop();
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
  };
}

function watchOthers(path: string, poll: () => void): () => void {
  const file = watchWakeFile(path, poll);
  const timer = setInterval(() => {
    file.refresh();
    poll();
  }, pollMs).unref();
  poll(); // reads the first version: a later commit of another process changes it
  return () => {
    clearInterval(timer);
    file.close();
  };
}

/** One poll at a time; a touch during a poll starts one more, so that none is lost. */
function poller(dataVersion: () => Promise<number>, changed: () => void): () => void {
  let last: number | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      const version = await dataVersion();
      if (last !== undefined && version !== last) changed();
      last = version;
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    // A closed store has no hints: its callers get their own errors.
    if (!running) void run().catch(() => (running = false));
  };
}
