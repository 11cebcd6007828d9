import type { TestContext } from "node:test";
import type { Channel, Mark, Message, SendAttempt } from "../../features/notifications/channel.ts";
import type { Sent } from "../../features/notifications/receipt.ts";

/** How long a busy peer asks to wait. */
export const busyMs = 3_000;

/** A channel under test, and the peer it speaks to. Made anew for every case. */
export interface Rig {
  readonly channel: Channel;
  /** An address that the peer knows. */
  readonly address: string;
  /** How many messages, or parts of one, have left so far. */
  departures(): number;
  /** The key under which each of them can be told from a repeat; absent: the medium has no place for it. */
  keys?(): readonly string[];
  /** From now on the peer takes what comes and does not answer. Resolves when something has come. */
  hang(): Promise<unknown>;
  /** Troubles of the peer by name. After each, a send must not be a delivery. */
  readonly troubles: Readonly<Record<string, () => unknown>>;
  /** What no answer may repeat; a peer in trouble should say it back. */
  readonly secret?: string;
  /** What the peer took, a text for each message or part, as people see it. Absent: nobody can look. */
  seen?(): readonly string[];
  /** What is to be seen of a text: the text itself unless told. */
  shows?(text: string): string;
  /** What the peer shows of the newest message, and how many buttons it has. Absent: it shows no marks. */
  marked?(): { readonly text: string; readonly buttons: number };
  /** A message that the peer does not have. */
  readonly missing?: string | number;
  /** How the peer fails one message. Absent: it has no such way. */
  readonly fails?: {
    /** It takes so many, and says of the next that it is too much: again in `busyMs`. */
    busy?(skip: number): unknown;
    /** It takes so many and the next one too, and the answer to that is lost. */
    lost?(skip: number): unknown;
    /** It refuses what comes, for good: the place is gone, or closed to us. */
    refused?(): unknown;
  };
}

/** Makes a rig, sends a message to it, and shows marks on that. */
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
