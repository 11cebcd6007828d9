import type { Service } from "../../platform/service.ts";
import type { Message, SendAttempt, Channel } from "./channel.ts";
import type { Sent } from "./receipt.ts";

/** A terminal, a browser or an agent that is attached to this node. */
export interface Listener {
  /** Its name in receipts. */
  readonly name: string;
  /** Shows a message. The listener confirms it by `acked`. */
  show(message: Message): void;
}

/** The listeners of this node, by target. */
export interface NodeListeners {
  /** Returns a function that detaches the listener. */
  add(target: string, listener: Listener): () => void;
  /** Confirms that a listener has shown a message. */
  acked(target: string, listener: Listener, id: string): void;
  has(target: string): boolean;
}

/** The channels to attached listeners. A message is delivered when one of them confirms it. */
export function listenerChannels(now: () => number): {
  readonly sockets: NodeListeners;
  /** One per kind of target: inbox, session, sessions. */
  readonly channels: readonly Channel[];
} {
  const attached = new Map<string, Set<Listener>>();
  const waiting = new Map<string, (sent: Sent) => void>();

  const remove = (target: string, listener: Listener): void => {
    const others = attached.get(target);
    others?.delete(listener);
    if (others?.size !== 0) return;
    attached.delete(target);
    const absent: Sent = { result: "absent", reason: "the listener detached", maybe: true };
    for (const [key, settle] of waiting) if (key.startsWith(`${target} `)) settle(absent);
  };
  const send = (target: string, message: Message, { signal }: SendAttempt): Promise<Sent> =>
    new Promise((resolve) => {
      const key = `${target} ${message.id}`;
      const settle = (sent: Sent): void => {
        waiting.delete(key);
        signal.removeEventListener("abort", stop);
        resolve(sent);
      };
      const stop = (): void =>
        settle({ result: "absent", reason: "no listener confirmed it", maybe: true });
      const listeners = attached.get(target);
      if (listeners === undefined || signal.aborted) {
        return resolve({ result: "absent", reason: "no listener is attached", maybe: false });
      }
      waiting.set(key, settle);
      signal.addEventListener("abort", stop, { once: true });
      for (const listener of listeners) listener.show(message);
    });
  return {
    sockets: {
      add(target, listener) {
        const others = attached.get(target) ?? new Set();
        attached.set(target, others.add(listener));
        return () => remove(target, listener);
      },
      acked(target, listener, id) {
        const time = Temporal.Instant.fromEpochMilliseconds(now());
        const ackedAt = time.toString({ fractionalSecondDigits: 3 });
        const receipt = { session: listener.name, acked_at: ackedAt };
        waiting.get(`${target} ${id}`)?.({ result: "delivered", receipt });
      },
      has: (target) => attached.has(target),
    },
    channels: ["inbox", "session", "sessions"].map((name) => ({
      name,
      send: (message, attempt) => send(`${name}:${message.address}`, message, attempt),
    })),
  };
}

/** Attaches listeners to targets. While one is attached, this node delivers what waits for the target. */
export interface Listeners {
  attach(target: string, listener: Listener): Attachment;
  /** Whether anybody receives what is sent to the target. */
  has(target: string): boolean;
  /** Detaches all listeners. */
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

/** `deliveryTo` is the loop that claims one lane; it runs while the lane has a listener. */
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
    lanes.delete(target); // a listener that attaches meanwhile gets a new loop
    const stopped = lane.delivery.stop().finally(() => closing.delete(stopped));
    closing.add(stopped);
    await stopped;
  };
  return {
    attach(target, listener) {
      const remove = sockets.add(target, listener);
      const lane = open(target);
      let detached: Promise<void> | undefined;
      return {
        acked: (id) => sockets.acked(target, listener, id),
        detach() {
          if (detached === undefined) {
            remove();
            detached = close(target, lane);
          }
          return detached;
        },
      };
    },
    has: (target) => lanes.has(target),
    async stop() {
      const open = [...lanes.values()].map(({ delivery }) => delivery.stop());
      lanes.clear();
      await Promise.all([...open, ...closing]);
    },
  };
}
