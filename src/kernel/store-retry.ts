import { backoffMs, type Backoff } from "../platform/backoff.ts";
import { sleep, type Clock } from "../platform/clock.ts";
import { hasCode } from "../platform/errors.ts";

export const storeBackoff: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };

/** The store did not answer, and may do so the next time. */
export function mayPass(error: unknown): boolean {
  return hasCode(error, "busy", "unknown", "unavailable");
}

/** Asks until the store answers, or whoever asks gives up: after every failure that is decided anew. */
export async function untilAnswered<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  givesUp: (error: unknown, tries: number) => boolean,
  signal?: AbortSignal,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (givesUp(error, tries)) throw error;
      await sleep(clock, backoffMs(storeBackoff, tries, 1), signal);
    }
  }
}
