import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import type { Json } from "../../platform/json.ts";
import { expiredReason, expiryOf, hasExpired } from "./expiry.ts";
import { socketQueue, type NotificationKind } from "./kind.ts";
import { isForListeners } from "./pop-up.ts";
import type { Sent } from "./receipt.ts";
import {
  digestCheckMs,
  expire,
  maybeDelivered,
  waitForDueTime,
  waitForMeetingEnd,
  waitForQuietEnd,
  waitUntil,
} from "./wait-verdict.ts";

const attemptsMax = 12;
const retryBackoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 15 * 60_000 };
const requestedMsMax = 366 * 86_400_000;

type Notification = Claimed<NotificationKind>;

/** The result of an attempt: the channel's answer, or why nothing was sent. */
export type SendResult =
  | Sent
  /** Quiet hours: a digest sends it when they end. */
  | { readonly result: "quiet"; readonly until: number }
  /** A meeting of its owner: it is sent when that is over. */
  | { readonly result: "meeting"; readonly until: number }
  /** Its digest, or the first message of its thread, is in flight. */
  | { readonly result: "waits"; readonly afterMs?: number }
  /** Its digest failed, and may have been delivered all the same. */
  | { readonly result: "maybe delivered" }
  /** It expired, or the digest has no members left. */
  | { readonly result: "expired"; readonly reason: string }
  /** The digest was sent, with these members. */
  | { readonly result: "digest sent"; readonly sent: Sent; readonly members: readonly string[] };

/** The verdict that needs no send; undefined: send. */
export function beforeSending(
  record: Notification,
  facts: Facts,
): Verdict<NotificationKind> | undefined {
  if (isPostponed(record, facts)) {
    return waitForDueTime(record);
  }
  if (record.body.atMostOnce === true && maybeDelivered(record)) return unconfirmed(record);
  // A digest may have sent it already, which the attempt reads first.
  const isAlone = record.outcome?.digest === undefined;
  if (isAlone && hasExpired(record, facts.now)) return expire(record, expiredReason);
  if (record.attempt > attemptsMax) {
    return fail(record, `gave up after ${attemptsMax} attempts`);
  }
  return undefined;
}

/** The verdict of an attempt. */
export function afterSending(
  record: Notification,
  seen: SendResult,
  facts: Facts,
): Verdict<NotificationKind> {
  switch (seen.result) {
    case "delivered":
      return {
        ends: "delivered",
        outcome: { receipt: seen.receipt, reason: null, maybeDelivered: maybeDelivered(record) },
      };
    case "digest sent": {
      const verdict = afterSending(record, seen.sent, facts);
      if (!("ends" in verdict)) return keepProgress(record, verdict);
      // Each member reads the result for itself.
      const wake = seen.members.map((id) => ({ id }));
      return { ...keepProgress(record, verdict), consequences: { ...verdict.consequences, wake } };
    }
    case "quiet":
      return waitForQuietEnd(record, seen.until);
    case "meeting":
      return waitForMeetingEnd(record, seen.until);
    case "waits":
      return {
        state: "pending",
        wakeAt: facts.now + (seen.afterMs ?? digestCheckMs),
        freshStart: true,
      };
    case "maybe delivered":
      return waitUntil(record, Math.max(facts.now, record.body.at), true);
    case "expired":
      return expire(record, seen.reason);
    case "absent":
      return waitForListener(record, seen.maybe, facts);
    case "rejected":
      return fail(record, seen.reason);
    case "unknown":
    case "retry":
      return notDelivered(record, seen, facts);
  }
}

type Undelivered = Sent & { result: "retry" | "unknown" };

function notDelivered(
  record: Notification,
  seen: Undelivered,
  facts: Facts,
): Verdict<NotificationKind> {
  if (seen.result === "unknown" && record.body.atMostOnce === true) {
    return unconfirmed(record, seen.reason);
  }
  return record.attempt >= attemptsMax && !isPostponed(record, facts)
    ? giveUp(record, seen)
    : retryLater(record, seen, facts);
}

function retryLater(
  record: Notification,
  sent: Undelivered,
  facts: Facts,
): Verdict<NotificationKind> {
  const wait = Math.max(backoffMs(retryBackoff, record.attempt, facts.jitter), requestedMs(sent));
  const at = Math.max(Math.ceil(facts.now + wait), record.body.at);
  return {
    state: "pending",
    wakeAt: Math.min(at, record.body.expiresAt ?? Infinity), // then it expires
    freshStart: isPostponed(record, facts) ? true : undefined,
    note: sent.result === "unknown" ? `fate unknown: ${sent.reason}` : sent.reason,
    outcome: {
      ...record.outcome,
      receipt: null,
      reason: sent.reason,
      maybeDelivered: maybeDelivered(record) || sent.result === "unknown",
    },
  };
}

/** Due at once for the next listener; until one attaches, it is claimed only to expire it. */
function waitForListener(
  record: Notification,
  maybe: boolean,
  facts: Facts,
): Verdict<NotificationKind> {
  if (maybe && record.body.atMostOnce === true)
    return unconfirmed(record, "no listener confirmed it");
  const waits = waitUntil(record, Math.max(facts.now, record.body.at), maybe);
  if (isForListeners(record.queue)) return waits;
  const queued = { body: record.body, queue: socketQueue };
  return { ...waits, queue: socketQueue, consequences: { append: expiryOf(queued) } };
}

/** The record with the progress that the attempt saved. */
export function withProgress(record: Notification, progress: Json | undefined): Notification {
  if (progress === undefined) return record;
  const before = { receipt: null, reason: null, maybeDelivered: maybeDelivered(record) };
  return { ...record, outcome: { ...before, ...record.outcome, progress } };
}

/** Keeps the progress of a digest: it holds the members. */
function keepProgress(
  { outcome }: Notification,
  verdict: Verdict<NotificationKind>,
): Verdict<NotificationKind> {
  if (verdict.outcome === undefined || outcome?.progress === undefined) return verdict;
  return { ...verdict, outcome: { ...verdict.outcome, progress: outcome.progress } };
}

/** How long to pause the lane of the destination; undefined: the destination is up. */
export function lanePauseMs(seen: SendResult): number | undefined {
  if (seen.result === "digest sent") return lanePauseMs(seen.sent);
  return seen.result === "retry" && seen.destinationDown === true ? requestedMs(seen) : undefined;
}

/** The pause that the destination requests, bounded: the value is untrusted. */
function requestedMs(sent: Undelivered): number {
  const request = sent.result === "retry" ? (sent.afterMs ?? 0) : 0;
  return Number.isNaN(request) ? 0 : Math.min(request, requestedMsMax);
}

/** The time was moved later while an attempt held the lease. */
function isPostponed(record: Notification, facts: Facts): boolean {
  return record.body.at > facts.now;
}

function giveUp(record: Notification, sent: Undelivered): Verdict<NotificationKind> {
  const reason = `${sent.reason}; gave up after ${attemptsMax} attempts`;
  return fail(record, reason, sent.result === "unknown");
}

function fail(record: Notification, reason: string, unknown = false): Verdict<NotificationKind> {
  return {
    ends: "failed",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) || unknown },
  };
}

function unconfirmed(
  record: Notification,
  reason: string = record.outcome?.reason ?? "an attempt was interrupted",
): Verdict<NotificationKind> {
  return {
    ends: "unconfirmed",
    note: `sent at most once, and whether it arrived is unknown: ${reason}`,
    outcome: { receipt: null, reason, maybeDelivered: true },
  };
}
