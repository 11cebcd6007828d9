import type { Json } from "../base/json.ts";
import { backoffMs, type Backoff } from "./backoff.ts";
import type { Claimed } from "./record.ts";
import { cut } from "./text.ts";
import type { Facts, Verdict } from "./verdict.ts";

/** What a channel says of one attempt. */
export type Sent =
  | { readonly result: "delivered"; readonly receipt: Json }
  /** Not delivered; another attempt may be. */
  | {
      readonly result: "retry";
      readonly reason: string;
      readonly afterMs?: number;
      readonly destinationDown?: boolean;
    }
  /** Not delivered, and never will be. */
  | { readonly result: "rejected"; readonly reason: string }
  /** Perhaps delivered: the answer did not come. */
  | { readonly result: "unknown"; readonly reason: string };

const reasonCharsMax = 1_000;
const receiptCharsMax = 16_000;

/** What a channel answered, made readable: it is a stranger's code, and may answer anything. */
export function readSent(answer: unknown): Sent {
  const sent = (typeof answer === "object" ? (answer ?? {}) : {}) as Partial<
    Sent & { result: "retry" }
  >;
  const reason = cut(
    typeof sent.reason === "string" ? sent.reason : "no reason was given",
    reasonCharsMax,
  );
  switch (sent.result as string) {
    case "delivered":
      return {
        result: "delivered",
        receipt: readReceipt((answer as { receipt?: unknown }).receipt),
      };
    case "rejected":
      return { result: "rejected", reason };
    case "unknown":
      return { result: "unknown", reason };
    case "retry": {
      const { afterMs, destinationDown } = sent;
      return {
        result: "retry",
        reason,
        ...(typeof afterMs === "number" ? { afterMs } : {}),
        ...(destinationDown === true ? { destinationDown } : {}),
      };
    }
    default:
      return { result: "unknown", reason: "the channel's answer could not be read" };
  }
}

function readReceipt(receipt: unknown): Json {
  try {
    const text = JSON.stringify(receipt ?? null);
    if (text.length <= receiptCharsMax) return JSON.parse(text) as Json;
    return { tooLong: text.length, start: cut(text, 200) };
  } catch {
    return { unreadable: true };
  }
}

const attemptsMax = 12;
const retryBackoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 15 * 60_000 };
const askedMsMax = 366 * 86_400_000;

type Notification = Claimed<"notification">;

/** What can be said without sending. */
export function beforeSending(
  record: Notification,
  facts: Facts,
): Verdict<"notification"> | undefined {
  if (isPostponed(record, facts)) {
    const outcome = { receipt: null, reason: null, maybeDelivered: maybeDelivered(record) };
    return { state: "pending", wakeAt: record.body.at, freshStart: true, outcome };
  }
  if (record.attempt > attemptsMax) {
    return fails(record, `gave up after ${attemptsMax} attempts`);
  }
  return undefined;
}

/** Where an attempt leaves the notification. */
export function afterSending(
  record: Notification,
  sent: Sent,
  facts: Facts,
): Verdict<"notification"> {
  switch (sent.result) {
    case "delivered":
      return {
        ends: "delivered",
        outcome: { receipt: sent.receipt, reason: null, maybeDelivered: maybeDelivered(record) },
      };
    case "rejected":
      return fails(record, sent.reason);
    case "unknown":
    case "retry":
      return record.attempt >= attemptsMax && !isPostponed(record, facts)
        ? givesUp(record, sent)
        : later(record, sent, facts);
  }
}

type Undelivered = Sent & { result: "retry" | "unknown" };

function later(record: Notification, sent: Undelivered, facts: Facts): Verdict<"notification"> {
  const wait = Math.max(backoffMs(retryBackoff, record.attempt, facts.jitter), askedMs(sent));
  return {
    state: "pending",
    wakeAt: Math.max(Math.ceil(facts.now + wait), record.body.at),
    ...(isPostponed(record, facts) ? { freshStart: true } : {}),
    note: sent.result === "unknown" ? `fate unknown: ${sent.reason}` : sent.reason,
    outcome: {
      receipt: null,
      reason: sent.reason,
      maybeDelivered: maybeDelivered(record) || sent.result === "unknown",
    },
  };
}

/** How long everything else for the destination should wait; undefined: the destination is there. */
export function destinationRestMs(sent: Sent): number | undefined {
  return sent.result === "retry" && sent.destinationDown === true ? askedMs(sent) : undefined;
}

/** How long the destination asks to be left alone. It is a stranger: it may ask for anything. */
function askedMs(sent: Undelivered): number {
  const asked = sent.result === "retry" ? (sent.afterMs ?? 0) : 0;
  return Number.isNaN(asked) ? 0 : Math.min(asked, askedMsMax);
}

/** The time was moved ahead while an attempt held the lease. */
function isPostponed(record: Notification, facts: Facts): boolean {
  return record.body.at > facts.now;
}

function givesUp(record: Notification, sent: Undelivered): Verdict<"notification"> {
  const reason = `${sent.reason}; gave up after ${attemptsMax} attempts`;
  return fails(record, reason, sent.result === "unknown");
}

function fails(record: Notification, reason: string, unknown = false): Verdict<"notification"> {
  return {
    ends: "failed",
    note: reason,
    outcome: { receipt: null, reason, maybeDelivered: maybeDelivered(record) || unknown },
  };
}

/** Another attempt than this one may have arrived: one said so, or one never came back to say. */
export function maybeDelivered(record: Notification): boolean {
  return record.lapses > 0 || (record.outcome?.maybeDelivered ?? false);
}
