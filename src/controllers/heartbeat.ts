import type { Clock } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import type { Bus } from "../base/events.ts";
import { loop } from "../base/loop.ts";
import type { Service } from "../base/service.ts";
import type { Work } from "../ledger/ledger.ts";
import type { Events } from "../rules/events.ts";

interface HeartbeatOptions {
  everyMs: number;
  /** Tells whoever watches us. Throws when they cannot be reached. */
  ping(): Promise<void>;
  work: Work;
  clock: Clock;
  events: Bus<Events>;
}

/** Tells the outside that this node is well: that it runs, and that its store answers. */
export function heartbeat({ everyMs, ping, work, clock, events }: HeartbeatOptions): Service {
  return loop({
    clock,
    async pass() {
      await work.claim({ kind: "node", holder: "heartbeat", leaseMs: 1, limit: 0 });
      await ping();
      return everyMs;
    },
    failed(error) {
      events.emit("heartbeat failed", { reason: messageOf(error) });
      return everyMs;
    },
  });
}
