import type { Controller } from "../../kernel/controller.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { type NotificationKind, socketQueue } from "./kind.ts";
/** A notification that popped up waits here for a listener, and does not pop up again. */
export const unreadQueue = "notification@unread";

/** Whether only nodes with a listener claim it. */
export function isForListeners(queue: string): boolean {
  return queue === socketQueue || queue === unreadQueue;
}

/** Moves what popped up, itself or in its digest, to the unread queue; what waits for its time stays. */
function markUnread(verdict: Verdict<NotificationKind>, facts: Facts): Verdict<NotificationKind> {
  if ("ends" in verdict) return verdict;
  const { wakeAt = Infinity, outcome } = verdict;
  const comesAgain = wakeAt > facts.now && outcome?.digest === undefined;
  return comesAgain ? verdict : { note: "it was pointed at", ...verdict, queue: unreadQueue };
}

/** Pops up once what is for listeners: `popUp` sends it, and it stays unread until one confirms it. */
export function popUpController<Seen>(
  popUp: Controller<NotificationKind, Seen>,
): Controller<NotificationKind, Seen> {
  return {
    ...popUp,
    name: "pointer",
    decide: (record, seen, facts) => markUnread(popUp.decide(record, seen, facts), facts),
  };
}
