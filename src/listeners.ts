import type { Clock } from "./base/clock.ts";
import type { Node } from "./compose.ts";
import { self } from "./desk.ts";
import type { SessionPort } from "./http/attach.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { inboxOf } from "./rules/routing.ts";
import { harmless } from "./rules/text.ts";

type Attaching = Pick<Node, "attaching">;

/** Listeners at the socket hear the caller's inbox, or the session they name. */
export function sessionPort({ attaching }: Attaching, ledger: Ledger, clock: Clock): SessionPort {
  let listeners = 0;
  return {
    async attach(caller, socket, session) {
      listeners += 1;
      const target =
        session === undefined ? inboxOf(caller.owner) : `session:${caller.owner}/${session}`;
      const query = { kind: "notification", live: true, limit: 500 } as const;
      const { records } = await ledger.of(caller.owner, caller.by).list(query);
      const waiting = records.filter(
        ({ lane, wakeAt }) => lane === target && wakeAt !== null && wakeAt <= clock.wall(),
      );
      const attached = attaching.attach(target, {
        name: `${caller.by}-${listeners}`,
        show({ id, text, at, type, priority, maybeRepeat }) {
          const frame = { type: "message", id, message: text, at, notification_type: type };
          // A socket that is gone closes, and what was not confirmed is said again.
          void socket
            .send({ ...frame, priority, maybe_repeat: maybeRepeat })
            .catch(() => undefined);
        },
      });
      return { lane: target, waiting: waiting.length, ...attached };
    },
  };
}

/** Somebody sits at this terminal: what is for their inbox is shown there. */
export function showInbox({ attaching }: Attaching, show: (text: string) => Promise<void>): void {
  const { acked } = attaching.attach(inboxOf(self.owner), {
    name: "terminal",
    show({ id, text }) {
      // Not shown is not confirmed, and is said again.
      void show(`🔔 ${harmless(text)}\n`).then(
        () => acked(id),
        () => undefined,
      );
    },
  });
}
