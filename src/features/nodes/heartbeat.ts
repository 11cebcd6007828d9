import type { Events } from "../../kernel/events.ts";
import type { Work } from "../../kernel/ledger.ts";
import { storeNow } from "../../kernel/store-clock.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { loop, type Loop } from "../../platform/loop.ts";

export interface Beat {
  everyMs: number;
  /** Pings the external monitor. Throws when the monitor cannot be reached. */
  ping(): Promise<void>;
}

interface HeartbeatOptions {
  /** The current setting; undefined without a monitor. A wake reads it again. */
  beat(): Beat | undefined;
  work: Work;
  clock: Clock;
  events: Bus<Events>;
}

/** Reports to an external monitor that this node runs and that its store responds. */
export function heartbeat({ beat, work, clock, events }: HeartbeatOptions): Loop {
  return loop({
    clock,
    async pass() {
      const now = beat();
      if (now === undefined) return Infinity;
      await storeNow(work);
      await now.ping();
      return now.everyMs;
    },
    failed(error) {
      events.emit("heartbeat failed", { reason: messageOf(error) });
      return beat()?.everyMs ?? Infinity;
    },
  });
}
