import { messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import type { Work } from "./ledger.ts";

/**
 * Moves lanes in the ledger, beside the work. One move at a time per lane, and the newest order counts:
 * two that went to different times at once would undo each other for ever.
 */
export interface LaneMover {
  /** All that waits in the lane, until then. */
  park(lane: string, to: number): void;
  /** So many of the parked; tells when there were fewer. */
  free(lane: string, count: number, fewer: () => void): void;
  /** The lanes that are being parked: what still waits in them is not to be claimed. */
  parking(): readonly string[];
  /** Gives up what was ordered, and resolves when nothing moves any more. */
  stop(): Promise<void>;
  /** Resolves when all that was ordered is done. */
  done(): Promise<void>;
}

interface Order {
  parkTo: number | undefined;
  free: number;
  fewer(): void;
}

/** Rows moved in one commit: a lane of 100,000 must not hold up everybody else's commits. */
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
    const { parkTo, free, fewer } = order;
    if (parkTo !== undefined) {
      const moved = await work.move({ queue, lane, to: parkTo, limit: sliceMax });
      // Another order may have come meanwhile: then that one is carried out.
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
      // The rows stay where they are: a parked lane comes back by itself when its time is up.
      events.emit("store failed", { doing: "move a lane", reason: messageOf(error) });
    }
    orders.delete(lane);
    moving.delete(lane);
  };
  const orderFor = (lane: string): Order => {
    const known = orders.get(lane);
    if (known !== undefined) return known;
    const order: Order = { parkTo: undefined, free: 0, fewer: () => undefined };
    orders.set(lane, order);
    // Later in this turn: the order is not written yet.
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
    free(lane, count, fewer) {
      const order = orderFor(lane);
      order.free += count;
      order.fewer = fewer;
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
