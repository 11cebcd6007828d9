import type { Events } from "../../kernel/events.ts";
import type { Work } from "../../kernel/ledger.ts";
import { storeNow } from "../../kernel/store-clock.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { loop, type Loop } from "../../platform/loop.ts";

export interface Beat {
  everyMs: number;
  /** Tells whoever watches us. Throws when they cannot be reached. */
  ping(): Promise<void>;
}

interface HeartbeatOptions {
  /** As it is set now; nothing when nobody watches. A wake looks again. */
  beat(): Beat | undefined;
  work: Work;
  clock: Clock;
  events: Bus<Events>;
}

/** Tells the outside that this node is well: that it runs, and that its store answers. */
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
