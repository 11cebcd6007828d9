import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { socketQueue } from "./kind.ts";
import { isOver, timeIsOver } from "./wait-reason.ts";

/**
 * The end of its parent, a notification for listeners. Nobody claims such a one until a listener comes,
 * so what ends it in time is a record of its own, which any node may claim.
 */
export interface ExpiryKind {
  body: { at: number };
  outcome: null;
  live: "waiting";
  end: "over" | "cancelled";
}

/** What is written in one unit with a notification, so that it ends in time. */
export function expiryOf({
  body,
  queue,
}: Pick<DraftOf<"notification">, "body" | "queue">): readonly DraftOf<"expiry">[] {
  const { expiresAt: at } = body;
  if (at === undefined || queue !== socketQueue) return [];
  return [{ kind: "expiry", body: { at }, state: "waiting", wakeAt: at }];
}

/** Its time over, a notification goes to where every node looks: there it ends as any other does. */
export function afterExpiry(
  notification: LedgerRecord<"notification"> | undefined,
  facts: Facts,
): Verdict<"expiry"> {
  const end = notification?.body.expiresAt;
  if (notification === undefined || notification.endedAt !== null || end === undefined) {
    return { ends: "over", note: "there is nothing to end" };
  }
  if (!isOver(notification, facts.now)) {
    return { state: "waiting", wakeAt: end, freshStart: true };
  }
  const { id, kind } = notification;
  const moved = { kind, id, queue: kind, wakeAt: facts.now, note: timeIsOver };
  return { ends: "over", follows: { edit: [moved] } };
}
