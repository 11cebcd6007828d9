import type { Priority } from "../../kernel/record.ts";
import { isChannelName } from "../../kernel/target.ts";
import type { Json } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import type { NotificationType, RecordChange } from "./kind.ts";
import type { Sent } from "./receipt.ts";

/** Sends messages to one kind of target. */
export interface Channel {
  /** The part of a target before the colon. */
  readonly name: string;
  /**
   * Tries once. Answers what is known of the attempt, and `unknown` when the message may have gone
   * out but the answer did not come back. May be called again for the same message after a crash:
   * `message.id` is the same each time, so that a peer that can tell repeats apart does.
   */
  send(message: Message, attempt: SendAttempt): Promise<Sent>;
  /**
   * Shows a mark on a message that was sent, in place of its buttons. May be called again with the same mark,
   * which then is shown once. A message that is gone is no failure: there is nothing to show it on. Absent: what
   * was sent stays as it is.
   */
  mark?(mark: Mark, attempt: SendAttempt): Promise<Sent>;
  /**
   * The address of the thread that a message began or stands in, by its target's address and its receipt; undefined:
   * it has none. Absent: the channel has no threads, and related messages are sent one after the other.
   */
  threadOf?(address: string, receipt: Json): string | undefined;
}

/** Whether a value from a plugin is a channel. */
export function isChannel(value: unknown): value is Channel {
  if (typeof value !== "object" || value === null) return false;
  const request = value as Partial<Record<keyof Channel, unknown>>;
  const { name, send, mark = send, threadOf = send } = request;
  const isNamed = typeof name === "string" && isChannelName(name);
  return isNamed && [send, mark, threadOf].every((each) => typeof each === "function");
}

/** The result of a mark on a channel that cannot edit its messages. */
export const unmarked: Sent = { result: "delivered", receipt: { unsupported: true } };

export interface Message {
  /** The same on every attempt. */
  readonly id: string;
  readonly owner: string;
  /** The part of the target after the colon. */
  readonly address: string;
  readonly text: string;
  readonly type: NotificationType;
  readonly priority: Priority;
  /** When it was due: UTC epoch milliseconds. */
  readonly at: number;
  /** An earlier attempt may have arrived. */
  readonly maybeRepeat: boolean;
  /** What its owner reads. */
  readonly language: Language;
  /** The record that it follows from: the reminder it is a later copy of, the run that says it. */
  readonly follows?: string;
  /** The change that a webhook is notified of. */
  readonly change?: RecordChange;
}

/** A message as it was sent, and what it shows from now on. */
export interface Mark extends Message {
  /** Without formatting. */
  readonly mark: string;
  /** What the channel gave as proof when it sent the message. Its `messages` are not empty. */
  readonly receipt: Json;
}

/** What an attempt may use beside the message. */
export interface SendAttempt {
  /** Aborts when the send takes too long, the lease is lost, or the message was taken back. */
  readonly signal: AbortSignal;
  /** What an earlier attempt saved; null at first. */
  readonly progress: Json;
  /** Writes down how far it came, durably, so that a retry goes on from there. */
  save(progress: Json): Promise<void>;
}
