import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { makeDigest } from "./digest.ts";
import { isOver } from "./expiry.ts";
import type { NotificationKind } from "./kind.ts";

type Notification = Claimed<NotificationKind>;

type Waits = Extract<Verdict<NotificationKind>, { state: "pending" }> & {
  outcome: NonNullable<Notification["outcome"]>;
};

/** How often a member reads its digest again, in case it failed. */
export const digestCheckMs = 60_000;

/** It came due in quiet hours. */
export function waitForQuietEnd(record: Notification, until: number): Verdict<NotificationKind> {
  if (isOver(record, until)) return expire(record, "quiet hours last longer than it is good for");
  const note = "quiet hours: it waits for their end";
  // A digest may be sent twice, so "at most once" waits alone; so does a digest.
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

/** Does not wait for a digest that could not be written; what is known of deliveries stays. */
export function withoutDigest(verdict: Verdict<NotificationKind>): Verdict<NotificationKind> {
  if (verdict.outcome === undefined) return verdict;
  const { digest: _, ...outcome } = verdict.outcome;
  return { ...verdict, outcome };
}

/** It was moved to later, or the clock went back; its digest may have sent it all the same. */
export function waitForDueTime(record: Notification): Verdict<NotificationKind> {
  const { outcome, ...waits } = waitUntil(record, record.body.at);
  const digest = record.outcome?.digest;
  return { ...waits, outcome: digest === undefined ? outcome : { ...outcome, digest } };
}

/** A fresh start that keeps what is known of deliveries, whole or in part. */
export function waitUntil(record: Notification, wakeAt: number, maybe = false): Waits {
  const progress = record.outcome?.progress;
  const outcome = {
    receipt: null,
    reason: null,
    maybeDelivered: maybeDelivered(record) || maybe,
    ...(progress === undefined ? {} : { progress }),
  };
  return { state: "pending", wakeAt, freshStart: true, outcome };
}

export function expire(record: Notification, reason: string): Verdict<NotificationKind> {
  return {
    ends: "expired",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) },
  };
}

/** Another attempt may have been delivered: its answer was unknown, or its lease lapsed. */
export function maybeDelivered(record: Pick<Notification, "lapses" | "outcome">): boolean {
  return record.lapses > 0 || (record.outcome?.maybeDelivered ?? false);
}
