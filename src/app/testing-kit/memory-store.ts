import type { Ledger } from "../../kernel/ledger.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";

/**
 * The store in memory, with a clock of yours: the readable model, to wrap or to compare a store with. It ends with its
 * process.
 */
export function memoryStore({ now }: { now(): number }): Ledger {
  return memory({ now, ids: ids({ wall: now }, seededRandom(1)) });
}
