import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { present } from "../../platform/json.ts";
import { makeDigest } from "./digest.ts";
import { hasExpired } from "./expiry.ts";
import type { NotificationKind } from "./kind.ts";

type Notification = Claimed<NotificationKind>;

type Waits = Extract<Verdict<NotificationKind>, { state: "pending" }> & {
  outcome: NonNullable<Notification["outcome"]>;
};

/** How often a member reads its digest again, in case it failed. */
export const digestCheckMs = 60_000;

/** The verdict for a notification that came due in quiet hours. */
export function waitForQuietEnd(record: Notification, until: number): Verdict<NotificationKind> {
  if (hasExpired(record, until)) return expire(record, "it expires before quiet hours end");
  const note = "it waits for the end of quiet hours";
  // A digest may be sent twice, so an "at most once" notification waits alone; so does a digest.
  if (record.body.atMostOnce === true || record.body.type === "digest") {
    return { ...waitUntil(record, until), note };
  }
  const digest = makeDigest(record, until);
  const { outcome, ...waits } = waitUntil(record, until + digestCheckMs);
  return {
    ...waits,
    note,
    outcome: { ...outcome, digest: digest.id },
    consequences: { append: [digest] },
  };
}

/** The verdict for a notification that came due in a meeting of its owner. */
export function waitForMeetingEnd(record: Notification, until: number): Verdict<NotificationKind> {
  if (hasExpired(record, until)) return expire(record, "it expires before the meeting ends");
  return { ...waitUntil(record, until), note: "it waits for the end of a meeting" };
}

/** The verdict without the digest, for when the digest could not be written. */
export function withoutDigest(verdict: Verdict<NotificationKind>): Verdict<NotificationKind> {
  if (verdict.outcome === undefined) return verdict;
  const { digest: _, ...outcome } = verdict.outcome;
  return { ...verdict, outcome };
}

/** It was postponed, or the clock was set back; its digest may have sent it all the same. */
export function waitForDueTime(record: Notification): Verdict<NotificationKind> {
  const { outcome, ...waits } = waitUntil(record, record.body.at);
  return { ...waits, outcome: present({ ...outcome, digest: record.outcome?.digest }) };
}

/** A fresh start that keeps what is known of earlier attempts. */
export function waitUntil(record: Notification, wakeAt: number, maybe = false): Waits {
  const outcome = present({
    receipt: null,
    reason: null,
    maybeDelivered: maybeDelivered(record) || maybe,
    progress: record.outcome?.progress,
  });
  return { state: "pending", wakeAt, freshStart: true, outcome };
}

export function expire(record: Notification, reason: string): Verdict<NotificationKind> {
  return {
    ends: "expired",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) },
  };
}

/** Whether an earlier attempt may have delivered it: its result is unknown, or its lease lapsed. */
export function maybeDelivered(record: Pick<Notification, "lapses" | "outcome">): boolean {
  return record.lapses > 0 || (record.outcome?.maybeDelivered ?? false);
}
