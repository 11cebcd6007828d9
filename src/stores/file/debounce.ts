/** Steps that wait until calls have ceased. */
export interface Debounced {
  /** There is something to do, and it is not quiet. */
  touch(): void;
  close(): void;
}

const quietMs = 20;
const lagMsMax = 1000;

/**
 * Takes steps until one says that it was the last, when nobody touched for a moment, or after a second
 * all the same. One step in each turn of the event loop, so that nobody waits for more than one.
 */
export function debounced(step: () => "more" | "done"): Debounced {
  let touchedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: NodeJS.Immediate | undefined;

  const run = (): void => {
    running = step() === "more" ? setImmediate(run) : undefined;
  };
  const look = (sinceAt: number): void => {
    const now = performance.now();
    const isTime = now - touchedAt >= quietMs || now - sinceAt >= lagMsMax;
    timer = isTime ? undefined : setTimeout(look, quietMs, sinceAt);
    if (isTime) run();
  };
  return {
    touch() {
      touchedAt = performance.now();
      if (running === undefined) timer ??= setTimeout(look, quietMs, touchedAt);
    },
    close() {
      clearTimeout(timer);
      clearImmediate(running);
    },
  };
}
