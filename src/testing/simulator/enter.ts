import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Clock } from "../../platform/clock.ts";
import { ids, type Ids } from "../../platform/ids.ts";
import type { Random } from "../../platform/random.ts";
import type { Cast } from "./cast.ts";
import { virtualClock } from "./virtual-clock.ts";

/** Somebody who asks and reads, beside the nodes. */
export interface Visitor {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  ids: Ids;
}

/** Lets one in. They do not crash, but what they ask may be lost. */
export function enter(
  { kernel, store }: Cast,
  { name, salt }: { name: string; salt: number },
  visit: (parts: Visitor) => Promise<void>,
): void {
  const random = kernel.randomFor(salt);
  const clock = virtualClock(kernel);
  kernel.spawn(name, (life) => {
    const ledger = ledgerOver(store.transport(life));
    void visit({ ledger, clock, random, ids: ids(clock, random) });
  });
}
