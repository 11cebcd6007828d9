import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";

/** What the whole stands on. */
export interface PlatformPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
