import { systemClock } from "../../platform/clock.ts";

/** Real work that virtual time waits for, up to a point. */
export interface PendingWork {
  on<T>(work: Promise<T>): Promise<T>;
  isBusy(): boolean;
  /** When nothing is under way any more that is still waited for. */
  settled(): Promise<void>;
  /** Nothing that is under way is waited for any more. */
  forget(): void;
}

const defaultMs = 1_000;

/** `turn`: all that can be done now is done. */
export function pendingWork(turn: () => Promise<void>, ms = defaultMs): PendingWork {
  const clock = systemClock();
  const waited = new Set<Promise<unknown>>();
  const busy = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(ms, late.resolve);
    const before = [...waited];
    await Promise.race([Promise.allSettled(before), late.promise]);
    cancel();
    // What is late now may wait for time itself, which must go on then.
    for (const work of before) waited.delete(work);
  };
  return {
    on(work) {
      const end = work.finally(() => waited.delete(end));
      waited.add(end);
      return end;
    },
    isBusy: () => waited.size > 0,
    async settled() {
      do {
        if (waited.size > 0) await busy();
        await turn();
      } while (waited.size > 0);
    },
    forget: () => waited.clear(),
  };
}
