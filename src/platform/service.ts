/** A long-lived part. `start` returns when it is ready, `stop` when none of it runs any more. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes start and stop safe to call twice, together, or in the wrong order. */
export function service(parts: Service): Service {
  let turn: Promise<void> = Promise.resolve();
  let running = false;
  const change = (to: boolean, run: () => Promise<void>): Promise<void> => {
    // One change at a time: a stop during a start waits for it.
    turn = turn
      .catch(() => undefined) // the caller of that change has its error already
      .then(async () => {
        if (running === to) return;
        await run();
        running = to;
      });
    return turn;
  };
  return {
    start: () => change(true, () => parts.start()),
    stop: () => change(false, () => parts.stop()),
  };
}

/** Starts in the order given and stops in reverse. A failed start stops the services that had started. */
export function group(services: readonly Service[]): Service {
  const started: Service[] = [];
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = started.pop(); next; next = started.pop()) {
      try {
        await next.stop();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return service({
    async start() {
      try {
        for (const each of services) {
          await each.start();
          started.push(each);
        }
      } catch (error) {
        await stopAll().catch(() => undefined); // the first failure is the one to report
        throw error;
      }
    },
    stop: stopAll,
  });
}
