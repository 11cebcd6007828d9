import type { Clock } from "../platform/clock.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Random } from "../platform/random.ts";
import type { Events } from "./events.ts";
import type { Work } from "./ledger.ts";

/** What every controller on a node shares. */
export interface RuntimePorts {
  work: Work;
  clock: Clock;
  random: Random;
  events: Bus<Events>;
}
