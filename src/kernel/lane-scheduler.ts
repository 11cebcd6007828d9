import type { Bus } from "../platform/event-bus.ts";
import type { Settler } from "./commit-batcher.ts";
import type { Events } from "./events.ts";
import { laneMover } from "./lane-mover.ts";
import { lanes, type Parked } from "./lanes.ts";
import type { Work } from "./ledger.ts";
import type { Claimed } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { Facts } from "./verdict.ts";

/** Carries out in the ledger what `lanes` decides: parks a lane's waiting records, and frees them. */
export interface LaneYard {
  admit(record: Claimed): boolean;
  /** Puts back records that were claimed and not admitted, and parks the rest of their lanes. */
  giveBack(records: readonly Claimed[]): Promise<void>;
  leave(record: Claimed, restMs: number | undefined): void;
  /** Lanes whose records are not to be claimed now. */
  parking(): readonly string[];
  /** We are leaving: what we parked for want of room is due for whoever comes. */
  close(): Promise<void>;
}

export function laneYard<K extends Shape>(options: {
  work: Work;
  settler: Settler<K>;
  events: Bus<Events>;
  queue: string;
  laneShare: number;
  leaseMs: number;
  facts(): Facts;
}): LaneYard {
  const { events, queue } = options;
  const now = (): number => options.facts().now;
  const jitter = (): number => options.facts().jitter;
  const rest = { firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };
  // If we die, our lanes come back when our leases do.
  const state = lanes({ share: options.laneShare, parkMs: options.leaseMs, rest, jitter });
  const mover = laneMover({ ...options, now });
  const full = new Map<string, Parked>();

  const park = (lane: string, parked: Parked): void => {
    events.emit("lane parked", { queue, lane, ...parked });
    mover.park(lane, parked.untilMs);
  };
  return {
    parking: mover.parking,
    admit(record) {
      if (record.lane === null) return true;
      const answer = state.admit(record.lane, now());
      if (answer === "start") return true;
      full.set(record.lane, answer);
      return false;
    },
    async giveBack(records) {
      const back = records.map(({ id, lease, lane }) =>
        options.settler.settle({
          id,
          fence: lease.fence,
          unstarted: true,
          wakeAt: (lane === null ? undefined : full.get(lane)?.untilMs) ?? now(),
        }),
      );
      for (const [lane, parked] of full) park(lane, parked);
      full.clear();
      await Promise.all(back);
    },
    leave(record, restMs) {
      const { lane } = record;
      if (lane === null) return;
      const order = state.leave(lane, now(), restMs);
      if (order === undefined) return;
      if ("park" in order) park(lane, order.park);
      else mover.free(lane, order.free, () => state.emptied(lane));
    },
    async close() {
      await mover.stop();
      for (const lane of state.waiting()) mover.park(lane, now());
      await mover.done();
    },
  };
}
