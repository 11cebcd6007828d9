import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { makeDigest } from "./digest.ts";
import { isOver } from "./expiry.ts";
import type { NotificationKind } from "./kind.ts";

type Notification = Claimed<NotificationKind>;

type Waits = Extract<Verdict<NotificationKind>, { state: "pending" }> & {
  outcome: NonNullable<Notification["outcome"]>;
};

/** A digest is looked for this often, in case it came to nothing. */
export const digestCheckMs = 60_000;

/** It came due in quiet hours. */
export function waitsForQuiet(record: Notification, until: number): Verdict<NotificationKind> {
  if (isOver(record, until)) return expires(record, "quiet hours last longer than it is good for");
  const note = "quiet hours: it waits for their end";
  // A digest may be said twice, so what may not be waits by itself; and so does a digest.
  if (record.body.atMostOnce === true || record.body.type === "digest") {
    return { ...waitsUntil(record, until), note };
  }
  const digest = makeDigest(record, until);
  const { outcome, ...waits } = waitsUntil(record, until + digestCheckMs);
  return {
    ...waits,
    note,
    outcome: { ...outcome, digest: digest.id },
    consequences: { append: [digest] },
  };
}

/** A digest that could not be made is not waited for; what is known of arrivals stays. */
export function withoutDigest(verdict: Verdict<NotificationKind>): Verdict<NotificationKind> {
  if (verdict.outcome === undefined) return verdict;
  const { digest: _, ...outcome } = verdict.outcome;
  return { ...verdict, outcome };
}

/** It was moved to later, or the clock back: then its digest may still have said it. */
export function waitsForItsTime(record: Notification): Verdict<NotificationKind> {
  const { outcome, ...waits } = waitsUntil(record, record.body.at);
  const digest = record.outcome?.digest;
  return { ...waits, outcome: digest === undefined ? outcome : { ...outcome, digest } };
}

/** As if for the first time, but for what is known of arrivals, in whole or in part. */
export function waitsUntil(record: Notification, wakeAt: number, maybe = false): Waits {
  const progress = record.outcome?.progress;
  const outcome = {
    receipt: null,
    reason: null,
    maybeDelivered: maybeDelivered(record) || maybe,
    ...(progress === undefined ? {} : { progress }),
  };
  return { state: "pending", wakeAt, freshStart: true, outcome };
}

export function expires(record: Notification, reason: string): Verdict<NotificationKind> {
  return {
    ends: "expired",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) },
  };
}

/** Another attempt than this one may have arrived: one said so, or one never came back to say. */
export function maybeDelivered(record: Pick<Notification, "lapses" | "outcome">): boolean {
  return record.lapses > 0 || (record.outcome?.maybeDelivered ?? false);
}
