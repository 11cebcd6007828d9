import type { Priority } from "../../kernel/record.ts";
import { isChannelName } from "../../kernel/target.ts";
import type { Json } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import type { AddressReader } from "../accounts/index.ts";
import type { NotificationType, RecordChange } from "./kind.ts";
import type { Sent } from "./receipt.ts";

/** Sends messages to one kind of target. */
export interface Channel {
  /** The part of a target before the colon. */
  readonly name: string;
  /**
   * Throws an error for an address that the channel cannot read, so that a request with it is refused. Absent: any
   * address is good. It looks at nothing but the address.
   */
  readonly readAddress?: AddressReader;
  /** It takes the output of a run of any length, and sends it in several messages or as a file. */
  readonly takesLong?: boolean;
  /**
   * Makes one attempt. Resolves with `unknown` if the message may have been sent but no response arrived.
   * May be called again for the same message after a crash: `message.id` stays the same, so that the service
   * can drop duplicates.
   */
  send(message: Message, attempt: SendAttempt): Promise<Sent>;
  /**
   * Shows a mark on a sent message, in place of its buttons. May be called again with the same mark, which then is
   * shown once. A deleted message is not a failure. Absent: sent messages stay as they are.
   */
  mark?(mark: Mark, attempt: SendAttempt): Promise<Sent>;
  /**
   * The address of the thread that a message started or belongs to, from its target's address and its receipt;
   * undefined: it has none. Absent: the channel has no threads.
   */
  threadOf?(address: string, receipt: Json): string | undefined;
}

/** Whether a value from a plugin is a channel. */
export function isChannel(value: unknown): value is Channel {
  if (typeof value !== "object" || value === null) return false;
  const request = value as Partial<Record<keyof Channel, unknown>>;
  const { name, send, mark = send, threadOf = send, readAddress = send } = request;
  const isNamed = typeof name === "string" && isChannelName(name);
  return isNamed && [send, mark, threadOf, readAddress].every((each) => typeof each === "function");
}

/** The readers that channels bring, by the channels' names. */
export function addressReadersOf(channels: readonly Channel[]): Record<string, AddressReader> {
  const readers = channels.flatMap(({ name, readAddress }) =>
    readAddress === undefined ? [] : [[name, readAddress] as const],
  );
  return Object.fromEntries(readers);
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
  /** The language of the owner. */
  readonly language: Language;
  /** The record that caused it: the snoozed reminder that it copies, or the run that sends it. */
  readonly follows?: string;
  /** The change that a webhook is notified of. */
  readonly change?: RecordChange;
}

/** A sent message, and the mark to show on it. */
export interface Mark extends Message {
  /** Without formatting. */
  readonly mark: string;
  /** The channel's receipt for the message. Its `messages` are not empty. */
  readonly receipt: Json;
}

/** The context of an attempt. */
export interface SendAttempt {
  /** Aborts when the send takes too long, the lease is lost, or the message was cancelled. */
  readonly signal: AbortSignal;
  /** The progress that an earlier attempt saved; null at first. */
  readonly progress: Json;
  /** Saves the progress durably, so that a retry continues from there. */
  save(progress: Json): Promise<void>;
}
