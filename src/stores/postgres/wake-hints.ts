import { hints, type Hints } from "../../kernel/hints.ts";
import type { Clock } from "../../platform/clock.ts";
import { connect } from "./connections.ts";

const channel = "daybook";
/** A hint waits this long for others: a notification takes a lock that all commits with one share. */
const gatherMs = 5;

export interface WakeHints extends Hints {
  /** Work was put before the time at which other nodes look: a lane was freed. */
  tellBelow(queue: string): void;
  /** Starts to hear other nodes. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  readonly url: string;
  notify(channel: string, messages: readonly string[]): Promise<unknown>;
  readonly clock: Clock;
  /** Who we are: our own notifications come back to us. */
  readonly self: string;
  onBelow(queue: string): void;
}

/**
 * Hints within the process at once, and to other nodes by NOTIFY: never in the transaction that causes
 * them, and gathered. One that is lost costs the wait for the next poll.
 */
export function wakeHints({ url, notify, clock, self, onBelow }: Parts): WakeHints {
  // It connects and listens again by itself.
  const sql = connect(url, () => undefined);
  const heard = hints();
  const pending = new Set<string>();
  let sending: Promise<unknown> = Promise.resolve();
  let cancel: (() => void) | undefined;

  const send = (): void => {
    cancel = undefined;
    // "below" before "due": who is woken looks from the start.
    const messages = [...pending].toSorted().map((message) => `${self} ${message}`);
    pending.clear();
    sending = notify(channel, messages).catch(() => undefined);
  };
  const post = (message: string): void => {
    pending.add(message);
    cancel ??= clock.after(gatherMs, send);
  };
  const receive = (payload: string): void => {
    const [from, sort, ...words] = payload.split(" ");
    const queue = words.join(" ");
    if (from === self) return;
    if (sort === "below") onBelow(queue);
    else heard.tell([queue]);
  };
  return {
    onHint: heard.onHint,
    tell(queues) {
      heard.tell(queues);
      for (const queue of queues) post(`due ${queue}`);
    },
    tellBelow(queue) {
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
