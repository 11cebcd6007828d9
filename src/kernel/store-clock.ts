import type { Clock } from "../platform/clock.ts";
import { defineKind } from "./kind.ts";
import type { Work } from "./ledger.ts";

const nothing = defineKind({ name: "nothing", states: {} });

/** The store's clock, which is the one that decides. A claim of nothing answers it, and writes nothing. */
export async function storeNow(work: Work): Promise<number> {
  return (await work.claim({ kind: nothing, holder: "nobody", leaseMs: 1, limit: 0 })).now;
}

/** The store's clock between two answers of the store, by what the monotonic clock says has passed. */
export function estimatedClock(clock: Clock): { now(): number; learn(storeNow: number): void } {
  let known = clock.wall();
  let at = clock.mono();
  return {
    now: () => Math.floor(known + (clock.mono() - at)),
    learn(storeNow) {
      known = storeNow;
      at = clock.mono();
    },
  };
}
