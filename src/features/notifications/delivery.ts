import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import type { Json } from "../../platform/json.ts";
import { expiryOf, isOver, timeIsOver } from "./expiry.ts";
import { socketQueue, type NotificationKind } from "./kind.ts";
import type { Sent } from "./receipt.ts";
import { isForListeners } from "./unread.ts";
import {
  digestCheckMs,
  expires,
  maybeDelivered,
  waitsForItsTime,
  waitsForQuiet,
  waitsUntil,
} from "./wait-reason.ts";

const attemptsMax = 12;
const retryBackoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 15 * 60_000 };
const askedMsMax = 366 * 86_400_000;

type Notification = Claimed<NotificationKind>;

/** What an attempt saw: what the channel said, or why nothing was said at all. */
export type Seen =
  | Sent
  /** Quiet hours: a digest says it when they end. */
  | { readonly result: "quiet"; readonly until: number }
  /** Its digest, or what begins its thread, is on its way. */
  | { readonly result: "waits"; readonly afterMs?: number }
  /** Its digest came to nothing, and may have been heard all the same. */
  | { readonly result: "perhaps said" }
  /** It is too late to say it, or nothing is left to say. */
  | { readonly result: "over"; readonly reason: string }
  /** Its digest was said, and these were in it. */
  | { readonly result: "said together"; readonly sent: Sent; readonly members: readonly string[] };

/** What can be said without sending. */
export function beforeSending(
  record: Notification,
  facts: Facts,
): Verdict<NotificationKind> | undefined {
  if (isPostponed(record, facts)) {
    return waitsForItsTime(record);
  }
  if (record.body.atMostOnce === true && maybeDelivered(record)) return unconfirmed(record);
  // One that waits for a digest may have been said by it: that is looked up first.
  const isAlone = record.outcome?.digest === undefined;
  if (isAlone && isOver(record, facts.now)) return expires(record, timeIsOver);
  if (record.attempt > attemptsMax) {
    return fails(record, `gave up after ${attemptsMax} attempts`);
  }
  return undefined;
}

/** Where an attempt leaves the notification. */
export function afterSending(
  record: Notification,
  seen: Seen,
  facts: Facts,
): Verdict<NotificationKind> {
  switch (seen.result) {
    case "delivered":
      return {
        ends: "delivered",
        outcome: { receipt: seen.receipt, reason: null, maybeDelivered: maybeDelivered(record) },
      };
    case "said together": {
      const verdict = afterSending(record, seen.sent, facts);
      if (!("ends" in verdict)) return keepsProgress(record, verdict);
      // Each of them looks for itself what became of it.
      const wake = seen.members.map((id) => ({ id }));
      return { ...keepsProgress(record, verdict), consequences: { ...verdict.consequences, wake } };
    }
    case "quiet":
      return waitsForQuiet(record, seen.until);
    case "waits":
      return {
        state: "pending",
        wakeAt: facts.now + (seen.afterMs ?? digestCheckMs),
        freshStart: true,
      };
    case "perhaps said":
      return waitsUntil(record, Math.max(facts.now, record.body.at), true);
    case "over":
      return expires(record, seen.reason);
    case "absent":
      return waitsForReader(record, seen.maybe, facts);
    case "rejected":
      return fails(record, seen.reason);
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
    ? givesUp(record, seen)
    : later(record, seen, facts);
}

function later(record: Notification, sent: Undelivered, facts: Facts): Verdict<NotificationKind> {
  const wait = Math.max(backoffMs(retryBackoff, record.attempt, facts.jitter), askedMs(sent));
  const at = Math.max(Math.ceil(facts.now + wait), record.body.at);
  return {
    state: "pending",
    wakeAt: Math.min(at, record.body.expiresAt ?? Infinity), // then it is written that it expired
    ...(isPostponed(record, facts) ? { freshStart: true } : {}),
    note: sent.result === "unknown" ? `fate unknown: ${sent.reason}` : sent.reason,
    outcome: {
      ...record.outcome,
      receipt: null,
      reason: sent.reason,
      maybeDelivered: maybeDelivered(record) || sent.result === "unknown",
    },
  };
}

/** Due at once: whoever comes to listen gets it, and until then nobody claims it but for its end. */
function waitsForReader(
  record: Notification,
  maybe: boolean,
  facts: Facts,
): Verdict<NotificationKind> {
  if (maybe && record.body.atMostOnce === true) return unconfirmed(record, "nobody confirmed it");
  const waits = waitsUntil(record, Math.max(facts.now, record.body.at), maybe);
  if (isForListeners(record.queue)) return waits;
  const place = { body: record.body, queue: socketQueue };
  return { ...waits, queue: socketQueue, consequences: { append: expiryOf(place) } };
}

/** The record as it stands since an attempt saved how far it came. */
export function withProgress(record: Notification, progress: Json | undefined): Notification {
  if (progress === undefined) return record;
  const before = { receipt: null, reason: null, maybeDelivered: maybeDelivered(record) };
  return { ...record, outcome: { ...before, ...record.outcome, progress } };
}

/** The members of a digest are in its progress, and must stay. */
function keepsProgress(
  { outcome }: Notification,
  verdict: Verdict<NotificationKind>,
): Verdict<NotificationKind> {
  if (verdict.outcome === undefined || outcome?.progress === undefined) return verdict;
  return { ...verdict, outcome: { ...verdict.outcome, progress: outcome.progress } };
}

/** How long everything else for the destination should wait; undefined: the destination is there. */
export function destinationRestMs(seen: Seen): number | undefined {
  if (seen.result === "said together") return destinationRestMs(seen.sent);
  return seen.result === "retry" && seen.destinationDown === true ? askedMs(seen) : undefined;
}

/** How long the destination asks to be left alone. It is a stranger: it may ask for anything. */
function askedMs(sent: Undelivered): number {
  const request = sent.result === "retry" ? (sent.afterMs ?? 0) : 0;
  return Number.isNaN(request) ? 0 : Math.min(request, askedMsMax);
}

/** The time was moved ahead while an attempt held the lease. */
function isPostponed(record: Notification, facts: Facts): boolean {
  return record.body.at > facts.now;
}

function givesUp(record: Notification, sent: Undelivered): Verdict<NotificationKind> {
  const reason = `${sent.reason}; gave up after ${attemptsMax} attempts`;
  return fails(record, reason, sent.result === "unknown");
}

function fails(record: Notification, reason: string, unknown = false): Verdict<NotificationKind> {
  return {
    ends: "failed",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) || unknown },
  };
}

function unconfirmed(
  record: Notification,
  reason: string = record.outcome?.reason ?? "an attempt was cut off",
): Verdict<NotificationKind> {
  return {
    ends: "unconfirmed",
    note: `said at most once, and nobody knows whether it was: ${reason}`,
    outcome: { receipt: null, reason, maybeDelivered: true },
  };
}
