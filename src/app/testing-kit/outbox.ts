import {
  type Listeners,
  type Channel,
  type Message,
  inboxOf,
  readSent,
  sessionsOf,
} from "../../features/notifications/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { PendingWork } from "./pending-work.ts";

/** A sent message. */
export interface Said extends Omit<Message, "address" | "language" | "follows"> {
  readonly target: string;
  /** When it was sent: UTC epoch milliseconds in the time of the test. */
  readonly at: number;
}

/** Which sent messages: those to a target such as `mail:a@example.org`, and those whose text has or matches this. */
export interface SaidFilter {
  readonly target?: string;
  readonly text?: string | RegExp;
}

/** The only message that matches. */
export function onlyMessage(sent: readonly Said[], { target, text }: SaidFilter): Said {
  const matches = (each: Said): boolean =>
    (target === undefined || each.target === target) &&
    (text === undefined ||
      (typeof text === "string" ? each.text.includes(text) : text.test(each.text)));
  const [found, ...others] = sent.filter(matches);
  if (found !== undefined && others.length === 0) return found;
  const which = [
    ...(target === undefined ? [] : [` to ${target}`]),
    ...(text === undefined ? [] : [` with ${typeof text === "string" ? quote(text) : text}`]),
  ].join("");
  const all = sent.map((each) => `${each.target} ${quote(each.text)}`).join("; ") || "nothing";
  const problem =
    found === undefined
      ? `No message${which} was sent`
      : `${others.length + 1} messages${which} were sent, not one`;
  throw new DaybookError("not_found", `${problem}. Sent: ${all}.`);
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
