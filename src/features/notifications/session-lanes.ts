import type { Service } from "../../platform/service.ts";
import type { Socket, Sockets } from "./listeners.ts";

/** Attaches listeners to targets: while one listens here, this node says what waits for the target. */
export interface Attaching {
  attach(target: string, socket: Socket): Attached;
  /** Detaches everybody. */
  stop(): Promise<void>;
}

export interface Attached {
  acked(id: string): void;
  /** Resolves when nothing more is said to it. */
  detach(): Promise<void>;
}

interface Lane {
  readonly delivery: Service;
  listeners: number;
}

/** `deliveryTo` is the loop that claims one lane; it runs while somebody listens. */
export function sessionLanes(sockets: Sockets, deliveryTo: (target: string) => Service): Attaching {
  const lanes = new Map<string, Lane>();
  const closing = new Set<Promise<void>>();

  const open = (target: string): Lane => {
    const lane = lanes.get(target) ?? { delivery: deliveryTo(target), listeners: 0 };
    lanes.set(target, lane);
    lane.listeners += 1;
    void lane.delivery.start();
    return lane;
  };
  const close = async (target: string, lane: Lane): Promise<void> => {
    lane.listeners -= 1;
    if (lane.listeners > 0) return;
    lanes.delete(target); // whoever comes meanwhile gets a loop of their own
    const stopped = lane.delivery.stop().finally(() => closing.delete(stopped));
    closing.add(stopped);
    await stopped;
  };
  return {
    attach(target, socket) {
      const leave = sockets.add(target, socket);
      const lane = open(target);
      let left: Promise<void> | undefined;
      return {
        acked: (id) => sockets.acked(target, socket, id),
        detach() {
          if (left === undefined) {
            leave();
            left = close(target, lane);
          }
          return left;
        },
      };
    },
    async stop() {
      const open = [...lanes.values()].map(({ delivery }) => delivery.stop());
      lanes.clear();
      await Promise.all([...open, ...closing]);
    },
  };
}
