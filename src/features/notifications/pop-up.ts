import type { Controller } from "../../kernel/controller.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { type NotificationKind, socketQueue } from "./kind.ts";

/** A notification that popped up waits in this queue for a listener, and does not pop up again. */
export const unreadQueue = "notification@unread";

/** Whether only nodes with a listener claim the queue. */
export function isForListeners(queue: string): boolean {
  return queue === socketQueue || queue === unreadQueue;
}

/** Moves a notification that popped up, alone or in a digest, to the unread queue. */
function markUnread(verdict: Verdict<NotificationKind>, facts: Facts): Verdict<NotificationKind> {
  if ("ends" in verdict) return verdict;
  const { wakeAt = Infinity, outcome } = verdict;
  const isPostponed = wakeAt > facts.now && outcome?.digest === undefined;
  return isPostponed ? verdict : { note: "shown as a pop-up", ...verdict, queue: unreadQueue };
}

/** Shows a notification for listeners once as a pop-up. It stays unread until a listener confirms it. */
export function popUpController<Seen>(
  popUp: Controller<NotificationKind, Seen>,
): Controller<NotificationKind, Seen> {
  return {
    ...popUp,
    name: "pointer",
    decide: (record, seen, facts) => markUnread(popUp.decide(record, seen, facts), facts),
  };
}
