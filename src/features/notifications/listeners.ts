import type { Message, SendAttempt } from "./channel.ts";
import type { Channel } from "./channel.ts";
import type { Sent } from "./receipt.ts";

/** One listener: a terminal, a browser, an agent that is attached right now. */
export interface Socket {
  /** A name of this listener for the receipt. */
  readonly name: string;
  /** Hands a message over. What it says of it comes by `acked`. */
  show(message: Message): void;
}

/** Who listens on this node, by target. */
export interface Sockets {
  /** Answers how to detach; the socket hears nothing after that. */
  add(target: string, socket: Socket): () => void;
  /** A listener says that it has shown a message. */
  acked(target: string, socket: Socket, id: string): void;
  has(target: string): boolean;
}

interface Waiting {
  settle(sent: Sent): void;
}

/** Messages for those who are attached. Said when one of them has confirmed it: that is the receipt. */
export function sessions(now: () => number): {
  readonly sockets: Sockets;
  /** One for each kind of target that is heard through a socket. */
  readonly channels: readonly Channel[];
} {
  const listening = new Map<string, Set<Socket>>();
  const waiting = new Map<string, Waiting>();

  const leave = (target: string, socket: Socket): void => {
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
