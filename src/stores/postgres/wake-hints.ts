import { hints, type Hints } from "../../kernel/hints.ts";
import type { Clock } from "../../platform/clock.ts";
import { connect } from "./connections.ts";

const channel = "daybook";
/** A hint waits this long for others: every NOTIFY takes a lock that all of them share. */
const batchMs = 5;

export interface WakeHints extends Hints {
  /** Tells other nodes that a lane was freed: due rows may be below their floors. */
  sendBelow(queue: string): void;
  /** Starts to receive hints of other nodes. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  readonly url: string;
  notify(channel: string, messages: readonly string[]): Promise<unknown>;
  readonly clock: Clock;
  /** This node's name: it receives its own notifications too. */
  readonly self: string;
  /** Resets the floors of a queue. */
  onBelow(queue: string): void;
}

/**
 * Sends hints at once within the process, and to other nodes by NOTIFY: in batches, and never in the transaction that
 * causes them. After a lost hint a node waits for its next poll.
 */
export function wakeHints({ url, notify, clock, self, onBelow }: Parts): WakeHints {
  // The driver reconnects and listens again by itself.
  const sql = connect(url, () => undefined);
  const local = hints();
  const pending = new Set<string>();
  let sending: Promise<unknown> = Promise.resolve();
  let cancel: (() => void) | undefined;

  const send = (): void => {
    cancel = undefined;
    // "below" sorts before "due": a node that wakes must scan from the start.
    const messages = [...pending].toSorted().map((message) => `${self} ${message}`);
    pending.clear();
    sending = notify(channel, messages).catch(() => undefined);
  };
  const post = (message: string): void => {
    pending.add(message);
    cancel ??= clock.after(batchMs, send);
  };
  const receive = (payload: string): void => {
    const [from, type, ...rest] = payload.split(" ");
    const queue = rest.join(" ");
    if (from === self) return;
    if (type === "below") onBelow(queue);
    else local.notify([queue]);
  };
  return {
    onHint: local.onHint,
    notify(queues) {
      local.notify(queues);
      for (const queue of queues) post(`due ${queue}`);
    },
    sendBelow(queue) {
      onBelow(queue);
      post(`below ${queue}`);
    },
    async listen() {
      await sql.listen(channel, receive);
    },
    async close() {
      if (cancel) {
        cancel();
        send();
      }
      await sending;
      await sql.end({ timeout: 1 });
    },
  };
}
