import type { Service } from "../../platform/service.ts";
import type { Message, SendAttempt, Channel } from "./channel.ts";
import type { Sent } from "./receipt.ts";

/** One listener: a terminal, a browser, an agent that is attached right now. */
export interface Listener {
  /** A name of this listener for the receipt. */
  readonly name: string;
  /** Hands a message over. What it says of it comes by `acked`. */
  show(message: Message): void;
}

/** Who listens on this node, by target. */
export interface NodeListeners {
  /** Answers how to detach; the socket hears nothing after that. */
  add(target: string, socket: Listener): () => void;
  /** A listener says that it has shown a message. */
  acked(target: string, socket: Listener, id: string): void;
  has(target: string): boolean;
}

interface Waiting {
  settle(sent: Sent): void;
}

/** Messages for those who are attached. Said when one of them has confirmed it: that is the receipt. */
export function listenerChannels(now: () => number): {
  readonly sockets: NodeListeners;
  /** One for each kind of target that is heard through a socket. */
  readonly channels: readonly Channel[];
} {
  const listening = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Waiting>();

  const leave = (target: string, socket: Listener): void => {
    const others = listening.get(target);
    others?.delete(socket);
    if (others?.size !== 0) return;
    listening.delete(target);
    const gone: Sent = { result: "absent", reason: "the listener left", maybe: true };
    for (const [place, { settle }] of waiting) if (place.startsWith(`${target} `)) settle(gone);
  };
  const say = (target: string, message: Message, { signal }: SendAttempt): Promise<Sent> =>
    new Promise((resolve) => {
      const place = `${target} ${message.id}`;
      const settle = (sent: Sent): void => {
        waiting.delete(place);
        signal.removeEventListener("abort", stop);
        resolve(sent);
      };
      const stop = (): void =>
        settle({ result: "absent", reason: "no listener confirmed it", maybe: true });
      const sockets = listening.get(target);
      if (sockets === undefined || signal.aborted) {
        return resolve({ result: "absent", reason: "nobody listens", maybe: false });
      }
      waiting.set(place, { settle });
      signal.addEventListener("abort", stop, { once: true });
      for (const socket of sockets) socket.show(message);
    });
  return {
    sockets: {
      add(target, socket) {
        const sockets = listening.get(target) ?? new Set();
        listening.set(target, sockets.add(socket));
        return () => leave(target, socket);
      },
      acked(target, socket, id) {
        const time = Temporal.Instant.fromEpochMilliseconds(now());
        const ackedAt = time.toString({ fractionalSecondDigits: 3 });
        const receipt = { session: socket.name, acked_at: ackedAt };
        waiting.get(`${target} ${id}`)?.settle({ result: "delivered", receipt });
      },
      has: (target) => listening.has(target),
    },
    channels: ["inbox", "session", "sessions"].map((name) => ({
      name,
      send: (message, attempt) => say(`${name}:${message.address}`, message, attempt),
    })),
  };
}

/** Attaches listeners to targets: while one listens here, this node says what waits for the target. */
export interface Listeners {
  attach(target: string, socket: Listener): Attachment;
  /** Detaches everybody. */
  stop(): Promise<void>;
}

export interface Attachment {
  acked(id: string): void;
  /** Resolves when nothing more is sent to it. */
  detach(): Promise<void>;
}

interface Lane {
  readonly delivery: Service;
  listeners: number;
}

/** `deliveryTo` is the loop that claims one lane; it runs while somebody listens. */
export function listenerLanes(
  sockets: NodeListeners,
  deliveryTo: (target: string) => Service,
): Listeners {
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
