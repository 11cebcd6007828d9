import { messageOf } from "../base/errors.ts";
import type { Bus } from "../base/events.ts";
import type { Work } from "../ledger/ledger.ts";
import type { Events } from "../rules/events.ts";
import type { Kind } from "../rules/kinds.ts";
import type { Claimed } from "../rules/record.ts";
import type { Facts } from "../rules/verdict.ts";
import { lanes, type LaneOrder, type Parked } from "./lanes.ts";
import type { Settler } from "./settler.ts";

/** Carries out in the ledger what `lanes` decides: parks a lane's waiting records, and frees them. */
export interface LaneYard {
  admit(record: Claimed): boolean;
  /** Puts back records that were claimed and not admitted, and parks the rest of their lanes. */
  giveBack(records: readonly Claimed[]): Promise<void>;
  leave(record: Claimed, restMs: number | undefined): Promise<void>;
  /** We are leaving: what we parked for want of room is due for whoever comes. */
  close(): Promise<void>;
}

/** Rows moved in one commit: a lane of 100,000 must not hold up everybody else's commits. */
const sliceMax = 5_000;

export function laneYard<K extends Kind>(options: {
  work: Work;
  settler: Settler<K>;
  events: Bus<Events>;
  queue: string;
  laneShare: number;
  leaseMs: number;
  facts(): Facts;
}): LaneYard {
  const { work, events, queue } = options;
  const now = (): number => options.facts().now;
  const jitter = (): number => options.facts().jitter;
  const rest = { firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };
  // If we die, our lanes come back when our leases do.
  const state = lanes({ share: options.laneShare, parkMs: options.leaseMs, rest, jitter });
  const full = new Map<string, Parked>();

  const moveAll = async (lane: string, to: number): Promise<void> => {
    let moved = sliceMax;
    while (moved === sliceMax) moved = await work.move({ queue, lane, to, limit: sliceMax });
  };
  const park = async (lane: string, parked: Parked): Promise<void> => {
    events.emit("lane parked", { queue, lane, ...parked });
    await moveAll(lane, parked.untilMs);
  };
  const obey = async (lane: string, order: LaneOrder | undefined): Promise<void> => {
    if (order === undefined) return;
    if ("park" in order) await park(lane, order.park);
    else if ((await work.move({ queue, lane, to: now(), limit: order.free })) < order.free) {
      state.emptied(lane);
    }
  };
  // The rows stay where they are: a parked lane comes back by itself when its time is up.
  const failed = (error: unknown): void =>
    events.emit("store failed", { doing: "move a lane", reason: messageOf(error) });
  return {
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
      const lanesToPark = [...full];
      full.clear();
      await Promise.all(back);
      for (const [lane, parked] of lanesToPark) await park(lane, parked);
    },
    async leave(record, restMs) {
      if (record.lane === null) return;
      const order = state.leave(record.lane, now(), restMs);
      await obey(record.lane, order).catch(failed);
    },
    async close() {
      for (const lane of state.waiting()) await moveAll(lane, now()).catch(failed);
    },
  };
}
