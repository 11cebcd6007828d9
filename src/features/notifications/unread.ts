import type { Controller } from "../../kernel/controller.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { type NotificationKind, socketQueue } from "./kind.ts";
/** What was pointed at waits here for a listener, and is not pointed at again. */
export const unreadQueue = "notification@unread";

/** Whether only those claim it who hold a socket. */
export function isForListeners(queue: string): boolean {
  return queue === socketQueue || queue === unreadQueue;
}

/** Something pointed at it, or will at the digest that says it; what only waits for its time comes again. */
export function pointedAt(
  verdict: Verdict<NotificationKind>,
  facts: Facts,
): Verdict<NotificationKind> {
  if ("ends" in verdict) return verdict;
  const { wakeAt = Infinity, outcome } = verdict;
  const comesAgain = wakeAt > facts.now && outcome?.digest === undefined;
  return comesAgain ? verdict : { note: "it was pointed at", ...verdict, queue: unreadQueue };
}

/** Points once at what arrives for listeners: `says` does it, and it stays unread until one confirms it. */
export function pointer<Seen>(
  says: Controller<NotificationKind, Seen>,
): Controller<NotificationKind, Seen> {
  return {
    ...says,
    name: "pointer",
    decide: (record, seen, facts) => pointedAt(says.decide(record, seen, facts), facts),
  };
}
