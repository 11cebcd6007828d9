import { features } from "../features/index.ts";
import { hostOf } from "../kernel/compose.ts";
import type { Events } from "../kernel/events.ts";
import type { Host } from "../kernel/host.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Provision } from "../kernel/port.ts";
import type { Clock } from "../platform/clock.ts";
import { bus } from "../platform/event-bus.ts";
import { log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";

/** What all features run on in a test, without settings. */
export function testHost(
  ledger: Ledger,
  { clock, random }: { clock: Clock; random: Random },
  ...provisions: readonly Provision[]
): Host {
  const write = (): void => undefined;
  return hostOf(features, {
    ledger,
    clock,
    random,
    log: log({ write, clock, level: "error", format: "json", color: false }),
    events: bus<Events>(),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
    provisions,
  });
}
