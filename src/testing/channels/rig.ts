import type { TestContext } from "node:test";
import type { Channel, Mark, Message, SendAttempt } from "../../features/notifications/channel.ts";
import type { Sent } from "../../features/notifications/receipt.ts";

/** The Retry-After of a busy peer. */
export const busyMs = 3_000;

/** A channel under test, and its peer. Each case has its own. */
export interface Rig {
  readonly channel: Channel;
  /** An address that exists at the peer. */
  readonly address: string;
  /** The number of messages, or parts, sent so far. */
  sentCount(): number;
  /** The idempotency key of each. Absent: the medium has none. */
  keys?(): readonly string[];
  /** Makes the peer accept requests without answering. Resolves when one has arrived. */
  hang(): Promise<unknown>;
  /** Failures of the peer by name. After each, a send must not be a delivery. */
  readonly faults: Readonly<Record<string, () => unknown>>;
  /** A secret that no result may repeat; a failing peer should repeat it. */
  readonly secret?: string;
  /** The texts of the received messages or parts, as people see them. Absent: they cannot be read. */
  seen?(): readonly string[];
  /** What the channel shows of a text. Default: the text itself. */
  shows?(text: string): string;
  /** The visible text of the newest message, and its number of buttons. Absent: the channel shows no marks. */
  marked?(): { readonly text: string; readonly buttons: number };
  /** The id of a message that does not exist. */
  readonly missing?: string | number;
  /** Failures of a single message. Absent: the peer has none. */
  readonly fails?: {
    /** Accepts `skip` messages, and rate limits the next one for `busyMs`. */
    busy?(skip: number): unknown;
    /** Accepts `skip` messages and the next one, and loses the answer to that. */
    lost?(skip: number): unknown;
    /** Refuses all messages permanently: the target is deleted or closed. */
    refused?(): unknown;
  };
}

/** Makes a rig, sends a message, and marks it. */
export type Marker = (
  t: TestContext,
  text?: string,
) => Promise<{
  rig: Rig;
  sent: Sent;
  mark(part: Partial<Mark> & Pick<Mark, "mark">, given?: Partial<SendAttempt>): Promise<Sent>;
}>;

export type MakeRig = (t: TestContext) => Rig | Promise<Rig>;

/** Makes a rig, and sends to it. */
export type Sender = (t: TestContext) => Promise<{
  rig: Rig;
  send(part?: Partial<Message>, given?: Partial<SendAttempt>): Promise<Sent>;
}>;
