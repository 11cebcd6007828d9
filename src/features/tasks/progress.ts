import type { Clock } from "../../platform/clock.ts";

const everyMs = 1_000;

/** Saves the newest reported progress, at once and then once per second. A failed save is dropped. */
export function progressOf(
  clock: Clock,
  save: (text: string) => Promise<void>,
): { report(text: string): void; end(): Promise<void> } {
  let newest: string | undefined;
  let cancelTimer: (() => void) | undefined;
  let saving = Promise.resolve();
  let isOver = false;

  const saveNewest = (): void => {
    cancelTimer = undefined;
    if (newest === undefined || isOver) return;
    const text = newest;
    newest = undefined;
    cancelTimer = clock.after(everyMs, saveNewest);
    saving = saving.then(() => save(text)).catch(() => undefined);
  };
  return {
    report(text) {
      newest = text;
      if (cancelTimer === undefined) saveNewest();
    },
    async end() {
      isOver = true;
      cancelTimer?.();
      await saving;
    },
  };
}
