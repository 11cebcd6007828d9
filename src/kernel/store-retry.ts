import { backoffMs, type Backoff } from "../platform/backoff.ts";
import { sleep, type Clock } from "../platform/clock.ts";
import { hasCode } from "../platform/errors.ts";

export const storeBackoff: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };

/** Whether the same call may succeed the next time. */
export function isTransient(error: unknown): boolean {
  return hasCode(error, "busy", "unknown", "unavailable");
}

/** Repeats a call until the store answers or `givesUp` returns true, which is called after every failure. */
export async function retryUntilAnswered<Answer>(
  clock: Clock,
  call: () => Promise<Answer>,
  givesUp: (error: unknown, tries: number) => boolean,
  signal?: AbortSignal,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (givesUp(error, tries)) throw error;
      await sleep(clock, backoffMs(storeBackoff, tries, 1), signal);
    }
  }
}
