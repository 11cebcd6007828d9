import {
  notificationKind,
  type Attachment,
  type Listeners,
  type Listener,
  inboxOf,
  sessionOf,
  sessionsOf,
} from "../features/notifications/index.ts";
import type { SessionPort } from "../interfaces/http/attach.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { recordsIn } from "../kernel/list-all.ts";
import type { Clock } from "../platform/clock.ts";
import { harmless } from "../platform/text.ts";
import { localCaller } from "./local-caller.ts";

/** One listener on several lanes. It confirms a message to all of them, and only its lane takes that. */
function attachTo(
  nodeListeners: Listeners,
  targets: readonly string[],
  socket: Listener,
): Attachment {
  const all = targets.map((target) => nodeListeners.attach(target, socket));
  return {
    acked(id) {
      for (const { acked } of all) acked(id);
    },
    async detach() {
      await Promise.all(all.map(({ detach }) => detach()));
    },
  };
}

/** A socket receives the caller's inbox, or the session that it names. */
export function sessionPort(nodeListeners: Listeners, ledger: Ledger, clock: Clock): SessionPort {
  let listeners = 0;
  return {
    async attach(caller, socket, session) {
      listeners += 1;
      const { owner } = caller;
      const target = session === undefined ? inboxOf(owner) : sessionOf(owner, session);
      const lanes = [target, sessionsOf(owner)];
      const book = ledger.of(owner, caller.by);
      const live = await Array.fromAsync(recordsIn(book, { kind: notificationKind, live: true }));
      const waiting = live.filter(
        ({ lane, wakeAt }) =>
          lanes.includes(lane ?? "") && wakeAt !== null && wakeAt <= clock.wall(),
      );
      const attached = attachTo(nodeListeners, lanes, {
        name: `${caller.by}-${listeners}`,
        show({ id, text, at, type, priority, maybeRepeat }) {
          const frame = { type: "message", id, message: text, at, notification_type: type };
          // A broken socket closes, and unconfirmed messages are sent again.
          void socket
            .send({ ...frame, priority, maybe_repeat: maybeRepeat })
            .catch(() => undefined);
        },
      });
      return { lane: target, waiting: waiting.length, ...attached };
    },
  };
}

/** Shows the messages of the inbox at the terminal of the daemon. */
export function showInbox(nodeListeners: Listeners, show: (text: string) => Promise<void>): void {
  const { acked } = attachTo(
    nodeListeners,
    [inboxOf(localCaller.owner), sessionsOf(localCaller.owner)],
    {
      name: "terminal",
      show({ id, text }) {
        // A message that was not shown is not confirmed, and is sent again.
        void show(`🔔 ${harmless(text)}\n`).then(
          () => acked(id),
          () => undefined,
        );
      },
    },
  );
}
