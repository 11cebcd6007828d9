import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Clock } from "../../platform/clock.ts";
import { ids, type Ids } from "../../platform/ids.ts";
import type { Random } from "../../platform/random.ts";
import { virtualClock } from "./virtual-clock.ts";
import type { World } from "./world.ts";

/** Somebody who asks and reads, beside the nodes. */
export interface ClientPorts {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  ids: Ids;
}

/** Lets one in. They do not crash, but what they ask may be lost. */
export function startProcess(
  { kernel, store }: World,
  { name, salt }: { name: string; salt: number },
  run: (ports: ClientPorts) => Promise<void>,
): void {
  const random = kernel.randomFor(salt);
  const clock = virtualClock(kernel);
  kernel.spawn(name, (process) => {
    const ledger = ledgerOver(store.transport(process));
    void run({ ledger, clock, random, ids: ids(clock, random) });
  });
}
