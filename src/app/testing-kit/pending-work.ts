import { systemClock } from "../../platform/clock.ts";

/** Real work that virtual time waits for, up to a point. */
export interface PendingWork {
  on<T>(work: Promise<T>): Promise<T>;
  isBusy(): boolean;
  /** Resolves when nothing is pending, or what is pending is late. */
  settled(): Promise<void>;
  /** Stops waiting for what is pending. */
  forget(): void;
}

const defaultMs = 1_000;

/** `turn` does everything that is due now. */
export function pendingWork(turn: () => Promise<void>, ms = defaultMs): PendingWork {
  const clock = systemClock();
  const pending = new Set<Promise<unknown>>();
  const waitOnce = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(ms, late.resolve);
    const before = [...pending];
    await Promise.race([Promise.allSettled(before), late.promise]);
    cancel();
    // Late work may wait for virtual time, which must go on then.
    for (const work of before) pending.delete(work);
  };
  return {
    on(work) {
      const end = work.finally(() => pending.delete(end));
      pending.add(end);
      return end;
    },
    isBusy: () => pending.size > 0,
    async settled() {
      do {
        if (pending.size > 0) await waitOnce();
        await turn();
      } while (pending.size > 0);
    },
    forget: () => pending.clear(),
  };
}
