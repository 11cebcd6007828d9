import { defineKind } from "./kind.ts";
import type { Work } from "./ledger.ts";

const nothing = defineKind({ name: "nothing", states: {} });

/** The store's clock, which is the one that decides. A claim of nothing answers it, and writes nothing. */
export async function storeNow(work: Work): Promise<number> {
  return (await work.claim({ kind: nothing, holder: "nobody", leaseMs: 1, limit: 0 })).now;
}
