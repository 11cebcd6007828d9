import { clampMs, type Clock } from "./clock.ts";
import { service, type Service } from "./service.ts";

export interface LoopOptions {
  clock: Clock;
  /** Runs once, and answers the milliseconds until the next pass (Infinity: until a wake). */
  pass(signal: AbortSignal): Promise<number>;
  /** Called when a pass throws; answers the milliseconds until the next pass. */
  failed(error: unknown): number;
}

/** Runs one pass after another, never two at once. A wake during a pass is never lost. */
export interface Loop extends Service {
  wake(): void;
}

export function loop(options: LoopOptions): Loop {
  const { clock } = options;
  let stopping = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  let woken = false;
  let interrupt: (() => void) | undefined;

  const wake = (): void => {
    woken = true;
    interrupt?.();
  };
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel =
        ms === Infinity ? () => undefined : clock.after(clampMs(ms), () => interrupt?.());
      interrupt = () => {
        interrupt = undefined;
        cancel();
        resolve();
      };
    });
  const look = async (signal: AbortSignal): Promise<number> => {
    try {
      return await options.pass(signal);
    } catch (error) {
      return options.failed(error);
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      woken = false;
      const ms = await look(signal);
      if (!woken && ms > 0 && !signal.aborted) await rest(ms);
    }
  };
  const parts = service({
    start() {
      stopping = new AbortController();
      ended = run(stopping.signal);
      return Promise.resolve();
    },
    async stop() {
      stopping.abort();
      wake();
      await ended;
    },
  });
  return { ...parts, wake };
}
