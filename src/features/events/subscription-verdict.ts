import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import type { Language } from "../../platform/language.ts";
import { oneLine } from "../../platform/text.ts";
import {
  makeNotification,
  type NotificationKind,
  type RecordChange,
  inboxOf,
} from "../notifications/index.ts";
import { batchOf, withCheckpoint } from "./subscription-delivery.ts";
import { nothingSent, type SubscriptionOutcome, type SubscriptionKind } from "./subscription.ts";
import { textsOf } from "./texts.ts";

type Subscription = Claimed<SubscriptionKind>;

/** What the controller read of the feed, or of the messages in flight. */
export type FeedStep =
  | {
      readonly step: "changes";
      /** The generation of the subscription when the feed was read. */
      readonly generation: number;
      /** The cursors before and after the changes. */
      readonly from: string;
      readonly to: string;
      readonly changes: readonly Omit<RecordChange, "seq">[];
    }
  | {
      readonly step: "ended";
      readonly generation: number;
      /** Messages that ended without being delivered. */
      readonly missing: readonly string[];
      readonly reason: string;
      /** Where they were posted to, and the language of a notice to the owner. */
      readonly url: string;
      readonly language: Language;
    }
  /** Some messages have not ended. */
  | { readonly step: "in flight" }
  | { readonly step: "stopped" };

/** After this many failed rounds in a row the subscription is paused. */
const failuresMax = 3;
const failureBackoff: Backoff = { firstMs: 60_000, factor: 4, maxMs: 60 * 60_000 };
/** The end of a message wakes the subscription; this check is in case it does not. */
const checkMs = 10 * 60_000;
const reasonCharsMax = 500;

/** Writes messages and the cursor that they reach as one unit. */
export function decideFeed(
  record: Subscription,
  read: FeedStep,
  facts: Facts,
): Verdict<SubscriptionKind> {
  const before = record.outcome ?? nothingSent;
  if (record.state === "paused") return { state: "paused", freshStart: true };
  if (read.step === "in flight") {
    return { state: "active", wakeAt: facts.now + checkMs, freshStart: true };
  }
  // A replay or resume came in between: the feed is read again.
  const isOld = read.step === "stopped" || read.generation !== before.generation;
  if (isOld) return { state: "active", wakeAt: facts.now, freshStart: true };
  if (read.step === "changes") return sendChanges(record, before, read, facts);
  if (read.missing.length > 0) return sendAgain(record, before, read, facts);
  const { inFlight, skipTo: _, ...rest } = before;
  return {
    state: "active",
    wakeAt: facts.now,
    freshStart: true,
    outcome: {
      ...rest,
      cursor: inFlight?.to ?? rest.cursor,
      seq: inFlight?.seq ?? rest.seq,
      inFlight: null,
      failures: 0,
      reason: null,
    },
  };
}

function sendChanges(
  record: Subscription,
  before: SubscriptionOutcome,
  { from, to, changes }: FeedStep & { step: "changes" },
  { now }: Facts,
): Verdict<SubscriptionKind> {
  const numbered = changes.map((change, index) => ({ ...change, seq: before.seq + 1 + index }));
  const seq = before.seq + changes.length;
  const unsent = numbered.filter((change) => change.seq >= (before.skipTo ?? 0));
  const checkpoints = withCheckpoint(before.checkpoints, { seq: before.seq + 1, cursor: from });
  if (unsent.length === 0) {
    const outcome = { ...before, checkpoints, cursor: to, seq };
    return { state: "active", wakeAt: now, freshStart: true, outcome };
  }
  const batch = unsent.map((change) => ({ change }));
  const { messages, append } = batchOf(record, before, batch, now);
  return {
    state: "active",
    wakeAt: now + checkMs,
    freshStart: true,
    outcome: { ...before, checkpoints, cursor: from, inFlight: { to, seq, messages } },
    consequences: { append },
  };
}

/** Sends undelivered changes again after a pause; after too many failures the subscription is paused. */
function sendAgain(
  record: Subscription,
  before: SubscriptionOutcome,
  read: FeedStep & { step: "ended" },
  { now, jitter }: Facts,
): Verdict<SubscriptionKind> {
  const failures = before.failures + 1;
  const reason = oneLine(read.reason, reasonCharsMax);
  const left = before.inFlight?.messages.filter(({ id }) => read.missing.includes(id)) ?? [];
  const failed = { ...before, failures, reason };
  if (failures >= failuresMax) {
    const inFlight = before.inFlight && { ...before.inFlight, messages: left };
    return {
      state: "paused",
      freshStart: true,
      note: reason,
      outcome: { ...failed, inFlight },
      consequences: { append: [pauseNotice(record, read, now)] },
    };
  }
  const at = Math.ceil(now + backoffMs(failureBackoff, failures, jitter));
  const { messages, append } = batchOf(record, failed, left, at);
  return {
    state: "active",
    wakeAt: at + checkMs,
    freshStart: true,
    note: reason,
    outcome: { ...failed, inFlight: before.inFlight && { ...before.inFlight, messages } },
    consequences: { append },
  };
}

function pauseNotice(
  { id, owner }: Subscription,
  { url, language, reason }: FeedStep & { step: "ended" },
  now: number,
): DraftOf<NotificationKind> {
  const short = oneLine(reason, reasonCharsMax);
  return makeNotification({
    message: textsOf(language).notices.paused({ id, url, reason: short }),
    at: now,
    atText: "now",
    target: inboxOf(owner),
    origin: null,
    type: "notice",
  });
}
