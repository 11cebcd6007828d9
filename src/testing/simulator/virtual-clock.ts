import type { Clock } from "../../platform/clock.ts";
import type { Kernel } from "./kernel.ts";

/** A machine's clock in virtual time: the wall may be stepped, the mono only rises. */
export interface VirtualClock extends Clock {
  /** Moves the wall, as NTP or a careless person does. */
  step(ms: number): void;
  offset(): number;
}

export function virtualClock(kernel: Kernel): VirtualClock {
  const startedAt = kernel.now();
  let offset = 0;
  return {
    wall: () => kernel.now() + offset,
    mono: () => kernel.now() - startedAt,
    after: (ms, run) => kernel.after(Math.max(0, Math.ceil(ms)), "timer", run),
    step(ms) {
      offset += ms;
    },
    offset: () => offset,
  };
}
