import * as z from "zod";
import { recordOf } from "../../kernel/book.ts";
import type { Controller } from "../../kernel/controller.ts";
import { fileLayout } from "../../kernel/files.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { moment } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { type NotificationKind, notificationKind, socketQueue } from "./kind.ts";

/**
 * Ends its parent, a notification for listeners, at its expiry time. Such a notification is not claimed until a
 * listener attaches, so it needs a record of its own that any node may claim.
 */
export const expiryKind = defineKind({
  name: "expiry",
  body: z.strictObject({ at: moment }),
  outcome: z.null(),
  states: { waiting: ["over"] },
});
export interface ExpiryKind extends KindOf<typeof expiryKind> {}

export const expiryLayout = fileLayout({ kind: expiryKind, folder: "records/expiries" });

/** The expiry to write in the unit of a notification for listeners. */
export function expiryOf({
  body,
  queue,
}: Pick<DraftOf<NotificationKind>, "body" | "queue">): readonly DraftOf<ExpiryKind>[] {
  const { expiresAt: at } = body;
  if (at === undefined || queue !== socketQueue) return [];
  return [{ kind: "expiry", body: { at }, state: "waiting", wakeAt: at }];
}

/** Moves an expired notification to the queue that every node claims: there it ends as any other. */
function afterExpiry(
  notification: LedgerRecord<NotificationKind> | undefined,
  facts: Facts,
): Verdict<ExpiryKind> {
  const end = notification?.body.expiresAt;
  if (notification === undefined || notification.endedAt !== null || end === undefined) {
    return { ends: "over", note: "the notification has ended already" };
  }
  if (!hasExpired(notification, facts.now)) {
    return { state: "waiting", wakeAt: end, freshStart: true };
  }
  const { id, kind } = notification;
  const moved = { kind, id, queue: kind, wakeAt: facts.now, note: expiredReason };
  return { ends: "over", consequences: { edit: [moved] } };
}

/** Expires notifications for listeners, whether or not one is attached. */
export function expirer(
  ledger: Ledger,
): Controller<ExpiryKind, LedgerRecord<NotificationKind> | undefined> {
  return {
    name: "expirer",
    kind: expiryKind,
    act: ({ owner, by, parent }) => recordOf(ledger.of(owner, by), notificationKind, parent),
    decide: (_, notification, facts) => afterExpiry(notification, facts),
  };
}

export const expiredReason = "its expiry time has passed";

export function hasExpired(
  { body }: Pick<LedgerRecord<NotificationKind>, "body">,
  now: number,
): boolean {
  return now >= (body.expiresAt ?? Infinity);
}
