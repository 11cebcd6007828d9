import { type FSWatcher, utimesSync, watch, writeFileSync } from "node:fs";

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
