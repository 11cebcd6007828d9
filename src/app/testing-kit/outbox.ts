import {
  type Listeners,
  type Channel,
  type Message,
  inboxOf,
  readSent,
  sessionsOf,
} from "../../features/notifications/index.ts";
import type { PendingWork } from "./pending-work.ts";

/** A sent message. */
export interface Said extends Omit<Message, "address" | "language" | "follows"> {
  readonly target: string;
  /** When it was sent: UTC epoch milliseconds in the time of the test. */
  readonly at: number;
}

export type RecordMessage = (target: string, message: Message) => void;

export interface Outbox {
  readonly sent: readonly Said[];
  readonly record: RecordMessage;
}

export function outboxOf(now: () => number): Outbox {
  const sent: Said[] = [];
  return {
    sent,
    record(target, message) {
      const { id, owner, text, type, priority, maybeRepeat } = message;
      sent.push({ id, owner, target, text, type, priority, at: now(), maybeRepeat });
    },
  };
}

/** Records messages, sent by a channel of the test or by none. */
export function recording(
  channel: string | Channel,
  record: RecordMessage,
  work: PendingWork,
): Channel {
  if (typeof channel !== "string") {
    return {
      ...channel,
      async send(message, attempt) {
        const sent = await work.on(Promise.resolve(channel.send(message, attempt)));
        if (readSent(sent).result === "delivered")
          record(`${channel.name}:${message.address}`, message);
        return sent;
      },
    };
  }
  return {
    name: channel,
    send(message) {
      record(`${channel}:${message.address}`, message);
      return Promise.resolve({ result: "delivered", receipt: message.id });
    },
  };
}

/** A listener on the inbox of an owner, which confirms every message at once. */
export function recordInbox(nodeListeners: Listeners, owner: string, record: RecordMessage): void {
  for (const target of [inboxOf(owner), sessionsOf(owner)]) {
    const attached = nodeListeners.attach(target, {
      name: "test",
      show(message) {
        record(target, message);
        queueMicrotask(() => attached.acked(message.id));
      },
    });
  }
}
