import {
  type Listeners,
  type Channel,
  type Message,
  inboxOf,
  sessionsOf,
} from "../../features/notifications/index.ts";
import type { PendingWork } from "./pending-work.ts";

/** Something that was said. */
export interface Said extends Omit<Message, "address" | "language" | "follows"> {
  readonly target: string;
  /** When it was said: UTC epoch milliseconds, in the test's time. */
  readonly at: number;
}

export type Say = (target: string, message: Message) => void;

export interface Outbox {
  readonly said: readonly Said[];
  readonly say: Say;
}

export function outboxOf(now: () => number): Outbox {
  const said: Said[] = [];
  return {
    said,
    say(target, message) {
      const { id, owner, text, type, priority, maybeRepeat } = message;
      said.push({ id, owner, target, text, type, priority, at: now(), maybeRepeat });
    },
  };
}

/** Keeps what is said, by a channel of the test's own or by none. */
export function recording(channel: string | Channel, say: Say, waits: PendingWork): Channel {
  if (typeof channel !== "string") {
    return {
      ...channel,
      async send(message, attempt) {
        const sent = await waits.on(channel.send(message, attempt));
        if (sent.result === "delivered") say(`${channel.name}:${message.address}`, message);
        return sent;
      },
    };
  }
  return {
    name: channel,
    send(message) {
      say(`${channel}:${message.address}`, message);
      return Promise.resolve({ result: "delivered", receipt: message.id });
    },
  };
}

/** Somebody listens to the owner's inbox, and confirms all at once. */
export function hear(nodeListeners: Listeners, owner: string, say: Say): void {
  for (const target of [inboxOf(owner), sessionsOf(owner)]) {
    const attached = nodeListeners.attach(target, {
      name: "test",
      show(message) {
        say(target, message);
        queueMicrotask(() => attached.acked(message.id));
      },
    });
  }
}
