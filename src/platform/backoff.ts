/** The delay before the next try. */
export interface Backoff {
  firstMs: number;
  factor: number;
  maxMs: number;
}

/**
 * The wait after the given attempt (1, 2, 3 …). `jitter` in [0, 1) spreads it over the upper half,
 * so that calls that failed together are not retried together.
 */
export function backoffMs(backoff: Backoff, attempt: number, jitter: number): number {
  const rounds = Math.max(attempt - 1, 0);
  const full = Math.min(backoff.firstMs * backoff.factor ** rounds, backoff.maxMs);
  return Math.round(full * (0.5 + jitter / 2));
}
