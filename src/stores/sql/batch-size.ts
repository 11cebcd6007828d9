/** Limits of one batch: it must not hold the event loop, nor the database, for long. */
export interface BatchLimits {
  readonly callsMax: number;
  readonly charsMax: number;
}

/** How many calls of a queue make the next batch: at least one, however large it is. */
export function batchSize(
  queue: readonly { readonly chars: number }[],
  { callsMax, charsMax }: BatchLimits,
): number {
  let chars = 0;
  const first = queue.slice(0, callsMax);
  const over = first.findIndex((waiting) => (chars += waiting.chars) > charsMax);
  return over === -1 ? first.length : Math.max(over, 1);
}
