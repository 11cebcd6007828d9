import type { Clock } from "../platform/clock.ts";
import { defineKind } from "./kind.ts";
import type { Work } from "./ledger.ts";

const emptyKind = defineKind({ name: "nothing", states: {} });

/** The store's time, which decides what is due. An empty claim answers it, and writes nothing. */
export async function storeNow(work: Work): Promise<number> {
  return (await work.claim({ kind: emptyKind, holder: "nobody", leaseMs: 1, limit: 0 })).now;
}

/** The store's time between two of its answers, counted by the monotonic clock. */
export function estimatedClock(clock: Clock): { now(): number; sync(storeNow: number): void } {
  let syncedTime = clock.wall();
  let syncedAt = clock.mono();
  return {
    now: () => Math.floor(syncedTime + (clock.mono() - syncedAt)),
    sync(storeNow) {
      syncedTime = storeNow;
      syncedAt = clock.mono();
    },
  };
}
