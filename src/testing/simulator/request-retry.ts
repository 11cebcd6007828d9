import { isTransient } from "../../kernel/store-retry.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";

interface RetryPorts {
  clock: Clock;
  random: Random;
  oracle: Oracle;
}

const triesMax = 8;

/** Asks again while the store is busy, the answer was lost, or another was quicker. */
export async function retried<T>(
  { clock, random, oracle }: RetryPorts,
  request: () => Promise<T>,
): Promise<T | undefined> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (hasCode(error, "bug", "unsupported", "invalid")) {
        oracle.reportViolation("a valid request does not fail as a bug", String(error));
      }
      if (!isTransient(error) && !hasCode(error, "stale", "leased")) return undefined;
      await sleep(clock, 20 + intBelow(random, 1_000));
    }
  }
  return undefined;
}
