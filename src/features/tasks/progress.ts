import type { Clock } from "../../platform/clock.ts";

/** The history has a line for each save. */
export const progressEveryMs = 3_000;

/** Progress in words: `40 %: 3 of 5 files`. A number from 0 to 1 is the part that is done; any other is shown as it is. */
export function progressText(progress: number | string, note = ""): string {
  const isPart = typeof progress === "number" && progress >= 0 && progress <= 1;
  const text = isPart ? `${Math.round(progress * 100)} %` : String(progress);
  return note === "" ? text : `${text}: ${note}`;
}

/** Saves the newest reported progress, at once and then every few seconds. A failed save is dropped. */
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
    cancelTimer = clock.after(progressEveryMs, saveNewest);
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
