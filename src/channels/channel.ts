import type { Sent } from "../rules/delivery.ts";

/** Says one message to one kind of place. */
export interface Channel {
  /** The part of a target before the colon. */
  readonly name: string;
  /**
   * Tries once. Answers what is known of the attempt, and `unknown` when the message may have gone
   * out but the answer did not come back. May be called again for the same message after a crash:
   * `message.id` is the same each time, so that a peer that can tell repeats apart does.
   */
  send(message: Message, signal: AbortSignal): Promise<Sent>;
}

export interface Message {
  /** The same on every attempt. */
  readonly id: string;
  readonly owner: string;
  /** The part of the target after the colon. */
  readonly address: string;
  readonly text: string;
  /** An earlier attempt may have arrived. */
  readonly maybeRepeat: boolean;
}
