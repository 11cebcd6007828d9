import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";

/** The ports that every part of the program uses. */
export interface PlatformPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
