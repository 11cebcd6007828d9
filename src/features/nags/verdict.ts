import type { LedgerRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { NotificationKind } from "../notifications/index.ts";
import { replanned } from "./change.ts";
import { timeAfter } from "./curve.ts";
import { type ClaimedNag, lastingHolds, type NagKind, nagOutcome } from "./kind.ts";
import { receiptId, notificationId, nagNotifications, nagMessage } from "./notification.ts";
import { nextOpenTime } from "./open-hours.ts";
import { pageRecordId } from "./page.ts";
import {
  planNext,
  openHoursOf,
  planRetry,
  isComputed,
  type Situation,
  type NagObservation,
  planAt,
  waitUntil,
} from "./plan.ts";

type Outcome = NagKind["outcome"];
type Notification = LedgerRecord<NotificationKind>;

/** How soon a nag is read again when the end of its notification does not wake it. */
const recheckMs = 3_600_000;
const recheckMsMax = 86_400_000;

/** The records to read before the nag can be decided. */
export function nagNeeds(record: ClaimedNag) {
  const { owner, body, state, lease } = record;
  const { saying, recalled, nextAt } = nagOutcome(record);
  const isDue = state === "active" && (nextAt ?? body.at) <= lease.claimedAt;
  const isSent = isDue && saying === null;
  return {
    /** Woken before its time: its owner's profile may have changed a moment ago. */
    isEarly: nextAt !== null && nextAt > lease.claimedAt,
    notification: saying ?? recalled,
    page: isSent && "page" in body.about ? pageRecordId(owner, body.about.page) : undefined,
  };
}

/**
 * Where an observation leaves the nag. `claimedAt` is the store's time and stands for now, so that a node whose clock
 * is fast sends nothing early.
 */
export function decideNag(
  record: ClaimedNag,
  observed: NagObservation,
  facts: Facts,
): Verdict<NagKind> {
  const { body, state, lease } = record;
  const outcome = withLateDelivery(nagOutcome(record), observed);
  if (record.cancelling || body.isDone === true) {
    const ends = record.cancelling ? "cancelled" : "done";
    return { ends, outcome, consequences: cancelNotification(record, observed) };
  }
  if (state !== "active") return { ...pause(record, outcome), wakeAt: recheckAt(record, outcome) };
  if (outcome.asked !== body.asked) {
    const verdict = waitUntil(record, replanned(record, body), lease.claimedAt);
    return { ...verdict, consequences: cancelNotification(record, observed) };
  }
  const situation: Situation = {
    record,
    outcome,
    observed,
    now: lease.claimedAt,
    hours: openHoursOf(record, observed),
    chance: facts.jitter,
  };
  return outcome.saying === null ? sendIfDue(situation) : afterSend(situation);
}

/** Sends the next message, unless it is not due yet or the reader's hours are closed. */
function sendIfDue(situation: Situation): Verdict<NagKind> {
  const { record, outcome, hours, now } = situation;
  const { counted, failures } = outcome;
  if (counted !== null && failures === 0 && counted.zone !== hours.zone) {
    return planNext(situation, outcome, counted, timeAfter);
  }
  const at = outcome.nextAt ?? record.body.at;
  if (now < at) {
    const wakeAt = recheckAt(record, outcome) ?? at;
    return { state: "active", outcome, wakeAt: Math.min(at, wakeAt), freshStart: true };
  }
  const opens = isComputed(outcome) ? nextOpenTime(now, hours) : now;
  if (opens === undefined) {
    const reason = "the curve's sleep and the quiet hours leave no time of day";
    return waitUntil(record, { ...outcome, nextAt: at, reason }, now + recheckMs);
  }
  if (opens > now) return planAt(situation, outcome, opens);
  return send(situation, at);
}

function send({ record, outcome, observed, now }: Situation, at: number): Verdict<NagKind> {
  const { body, id } = record;
  const { page } = observed;
  if ("page" in body.about) {
    if (page === undefined) return { state: "active", wakeAt: now }; // it was not due when it was read
    if (page === null) return waitForPage(record, outcome, now);
    if (page.state !== "kept") return { ends: "cancelled", note: "its page was deleted" };
  }
  const round = outcome.round + 1;
  const message = nagMessage(body, page);
  const isRequested = !isComputed(outcome);
  const append = nagNotifications(record, {
    round,
    count: outcome.count,
    at,
    message,
    isRequested,
  });
  const { recalled: _, ...before } = outcome;
  const reason = outcome.failures === 0 ? null : outcome.reason;
  const plan = { ...before, reason, nextAt: null, saying: notificationId(id, round), round };
  return { ...waitUntil(record, plan, now + recheckMs), consequences: { append } };
}

/** Why a nag waits whose page is not known yet. */
export const pageUnknown = "its page has not been synchronized yet";

/** It was registered before its page: the sync that brings the page wakes it. */
function waitForPage(record: ClaimedNag, outcome: Outcome, now: number): Verdict<NagKind> {
  return waitUntil(record, { ...outcome, reason: pageUnknown }, now + recheckMs);
}

/** Counts a message that was delivered, and plans the next. */
function afterSend(situation: Situation): Verdict<NagKind> {
  const { record, outcome, observed, now } = situation;
  const { notification } = observed;
  if (notification === undefined) return { state: "active", wakeAt: now };
  if (notification === null) return planRetry(situation, "its notification was pruned");
  const { state, endedAt } = notification;
  if (endedAt === null) return { state: "active", wakeAt: now + recheckMsOf(record) };
  const { count } = outcome;
  const from = Math.max(notification.body.at, endedAt);
  const ended = { ...outcome, saying: null, failures: 0, reason: null };
  if (state === "cancelled" || state === "done")
    return planNext(situation, ended, { from, number: count });
  if (state !== "delivered") return planRetry(situation, notification.outcome?.reason ?? state);
  const plan = { ...ended, ...delivered(count, notification) };
  const { countMax = Infinity } = record.body.curve;
  if (count < countMax) return planNext(situation, plan, { from, number: count });
  const reason = `the curve allows ${countMax} messages, and all were sent`;
  return { ...pause(record, { ...plan, nextAt: null, counted: null, reason }), note: reason };
}

function delivered(count: number, notification: Notification) {
  return {
    count: Math.min(count + 1, Number.MAX_SAFE_INTEGER),
    lastDelivered: notification.id,
    lastReceiptId: receiptId(notification),
  };
}

/** Counts a recalled notification that was delivered nevertheless. */
function withLateDelivery(outcome: Outcome, { notification }: NagObservation): Outcome {
  const { recalled, ...rest } = outcome;
  if (recalled === undefined || notification === undefined || notification?.endedAt === null) {
    return outcome;
  }
  if (notification?.state !== "delivered") return rest;
  return { ...rest, ...delivered(rest.count, notification) };
}

/** A recalled notification may still be delivered: its end wakes the nag, and a recheck is the fallback. */
function recheckAt(record: ClaimedNag, { recalled }: Outcome): number | undefined {
  return recalled === undefined ? undefined : record.lease.claimedAt + recheckMs;
}

/** A notification that waits for a listener may wait for months. */
function recheckMsOf({ attempt }: ClaimedNag): number {
  return Math.min(recheckMs * 2 ** (attempt - 1), recheckMsMax);
}

function pause({ owner, body }: ClaimedNag, outcome: Outcome): Verdict<NagKind> {
  return { state: "paused", outcome, holds: lastingHolds(owner, body), freshStart: true };
}

/** Only a live notification can be cancelled. */
function cancelNotification(record: ClaimedNag, { notification }: NagObservation): Consequences {
  const { saying } = nagOutcome(record);
  if (saying === null || notification?.id !== saying || notification.endedAt !== null) return {};
  return { cancel: [{ id: saying, reason: "its nag no longer needs it" }] };
}
