import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import type { VirtualTime } from "../../platform/virtual-time.ts";
import { directly, memoryEngine } from "../../stores/memory/memory.ts";

export interface SharedStore {
  /** As the test reaches it. */
  readonly ledger: Ledger;
  /** As a node reaches it: a dead one hears nothing any more, and writes nothing. */
  seenBy(isAlive: () => boolean): Ledger;
}

/** One book in memory, for as many lives of a node as a test has. */
export function sharedStore({ now }: VirtualTime): SharedStore {
  const engine = memoryEngine({ now, ids: ids({ wall: now }, seededRandom(1)) });
  const { perform, onHint } = directly(engine);
  const seenBy = (isAlive: () => boolean): Ledger =>
    ledgerOver({
      perform: (verb, input) =>
        isAlive() ? perform(verb, input) : new Promise<never>(() => undefined),
      onHint: (queue, hint) => onHint(queue, () => void (isAlive() && hint())),
      close: () => Promise.resolve(),
    });
  return { ledger: seenBy(() => true), seenBy };
}
