import { messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { CommitBatcher } from "./commit-batcher.ts";
import type { Events } from "./events.ts";
import { lanes, type Parked } from "./lanes.ts";
import type { Work } from "./ledger.ts";
import type { Claimed } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { Facts } from "./verdict.ts";

/**
 * Moves lanes in the ledger while attempts run. One move at a time per lane, and the newest order counts: two moves to
 * different times at once would undo each other for ever.
 */
export interface LaneMover {
  /** Parks every waiting record of the lane until then. */
  park(lane: string, to: number): void;
  /** Frees that many parked records, and calls `onFewer` when there were fewer. */
  free(lane: string, count: number, onFewer: () => void): void;
  /** The lanes that are being parked: their waiting records must not be claimed. */
  parking(): readonly string[];
  /** Drops all orders, and resolves when nothing moves any more. */
  stop(): Promise<void>;
  /** Resolves when all orders are complete. */
  done(): Promise<void>;
}

interface Order {
  parkTo: number | undefined;
  free: number;
  onFewer(): void;
}

/** Rows moved in one commit: a lane of 100,000 must not delay all other commits. */
const sliceMax = 5_000;

export function laneMover(options: {
  work: Work;
  events: Bus<Events>;
  queue: string;
  now(): number;
}): LaneMover {
  const { work, events, queue, now } = options;
  const orders = new Map<string, Order>();
  const moving = new Map<string, Promise<void>>();

  const step = async (lane: string, order: Order): Promise<void> => {
    const { parkTo, free, onFewer: fewer } = order;
    if (parkTo !== undefined) {
      const moved = await work.move({ queue, lane, to: parkTo, limit: sliceMax });
      // A newer order may have arrived meanwhile: then the loop goes on with that.
      if (moved < sliceMax && order.parkTo === parkTo) order.parkTo = undefined;
      return;
    }
    order.free -= free;
    if ((await work.move({ queue, lane, to: now(), limit: free })) < free) fewer();
  };
  const carryOut = async (lane: string, order: Order): Promise<void> => {
    try {
      while (order.parkTo !== undefined || order.free > 0) await step(lane, order);
    } catch (error) {
      // The rows keep their wake times: a parked lane becomes due by itself.
      events.emit("store failed", { doing: "move a lane", reason: messageOf(error) });
    }
    orders.delete(lane);
    moving.delete(lane);
  };
  const orderFor = (lane: string): Order => {
    const existing = orders.get(lane);
    if (existing !== undefined) return existing;
    const order: Order = { parkTo: undefined, free: 0, onFewer: () => undefined };
    orders.set(lane, order);
    // In a microtask: the caller fills the order first.
    moving.set(
      lane,
      Promise.resolve().then(() => carryOut(lane, order)),
    );
    return order;
  };
  const done = async (): Promise<void> => {
    while (moving.size > 0) await Promise.all(moving.values());
  };
  return {
    park(lane, to) {
      Object.assign(orderFor(lane), { parkTo: to, free: 0 });
    },
    free(lane, count, onFewer) {
      const order = orderFor(lane);
      order.free += count;
      order.onFewer = onFewer;
    },
    parking: () =>
      [...orders].flatMap(([lane, { parkTo }]) => (parkTo === undefined ? [] : [lane])),
    done,
    async stop() {
      for (const order of orders.values()) Object.assign(order, { parkTo: undefined, free: 0 });
      await done();
    },
  };
}

/** Applies the decisions of `lanes` to the ledger: parks a lane's waiting records, and frees them. */
interface LaneScheduler {
  admit(record: Claimed): boolean;
  /** Gives back claimed records that were not admitted, and parks the rest of their lanes. */
  giveBack(records: readonly Claimed[]): Promise<void>;
  leave(record: Claimed, pauseMs: number | undefined): void;
  /** Lanes whose records must not be claimed now. */
  parking(): readonly string[];
  /** Frees the lanes that were over their share, so that other nodes can claim them. */
  close(): Promise<void>;
}

export function laneScheduler<K extends Shape>(options: {
  work: Work;
  batcher: CommitBatcher<K>;
  events: Bus<Events>;
  queue: string;
  laneShare: number;
  leaseMs: number;
  facts(): Facts;
}): LaneScheduler {
  const { events, queue } = options;
  const now = (): number => options.facts().now;
  const jitter = (): number => options.facts().jitter;
  const backoff = { firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };
  // If this node dies, its lanes are due again when its leases end.
  const state = lanes({
    share: options.laneShare,
    parkMs: options.leaseMs,
    backoff: backoff,
    jitter,
  });
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
        options.batcher.settle({
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
    leave(record, pauseMs) {
      const { lane } = record;
      if (lane === null) return;
      const order = state.leave(lane, now(), pauseMs);
      if (order === undefined) return;
      if ("park" in order) park(lane, order.park);
      else mover.free(lane, order.free, () => state.markEmpty(lane));
    },
    async close() {
      await mover.stop();
      for (const lane of state.overShare()) mover.park(lane, now());
      await mover.done();
    },
  };
}
