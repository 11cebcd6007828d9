import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import type { VirtualTime } from "../../platform/virtual-time.ts";
import { directly, memoryEngine } from "../../stores/memory/memory.ts";

export interface SharedStore {
  /** The ledger of the test. */
  readonly ledger: Ledger;
  /** The ledger of a node: a dead one gets no hints and writes nothing. */
  ledgerFor(isAlive: () => boolean): Ledger;
}

/** One book in memory for all nodes of a test. */
export function sharedStore({ now }: VirtualTime): SharedStore {
  const engine = memoryEngine({ now, ids: ids({ wall: now }, seededRandom(1)) });
  const { perform, onHint } = directly(engine);
  const ledgerFor = (isAlive: () => boolean): Ledger =>
    ledgerOver({
      perform: (verb, input) =>
        isAlive() ? perform(verb, input) : new Promise<never>(() => undefined),
      onHint: (queue, hint) => onHint(queue, () => void (isAlive() && hint())),
      close: () => Promise.resolve(),
    });
  return { ledger: ledgerFor(() => true), ledgerFor };
}
