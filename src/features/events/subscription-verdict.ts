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
import { changeMessage, withCheckpoint, messageId } from "./subscription-delivery.ts";
import { nothingSent, type SubscriptionOutcome, type SubscriptionKind } from "./subscription.ts";
import { textsOf } from "./texts.ts";

type Subscription = Claimed<SubscriptionKind>;

/** What was seen of the feed, or of what was told. */
export type FeedSeen =
  | {
      readonly saw: "changes";
      /** Of the subscription when it was read. */
      readonly generation: number;
      /** Read after this place, and up to that one. */
      readonly from: string;
      readonly to: string;
      readonly changes: readonly Omit<RecordChange, "seq">[];
    }
  | {
      readonly saw: "arrivals";
      readonly generation: number;
      /** Messages that have ended and did not arrive. */
      readonly missing: readonly string[];
      readonly reason: string;
      /** Where they should have arrived, and how the owner reads of it. */
      readonly url: string;
      readonly language: Language;
    }
  /** Not all has come to an end. */
  | { readonly saw: "on its way" }
  | { readonly saw: "stopped" };

/** After so many rounds in which something did not arrive, nobody is there. */
const failuresMax = 3;
const failureBackoff: Backoff = { firstMs: 60_000, factor: 4, maxMs: 60 * 60_000 };
/** The end of what is told wakes the subscription; this is the net under that. */
const lookMs = 10 * 60_000;
const reasonCharsMax = 500;

/** What was told and how far that is are one unit. */
export function decideFeed(
  record: Subscription,
  seen: FeedSeen,
  facts: Facts,
): Verdict<SubscriptionKind> {
  const before = record.outcome ?? nothingSent;
  if (record.state === "paused") return { state: "paused", freshStart: true };
  if (seen.saw === "on its way") {
    return { state: "active", wakeAt: facts.now + lookMs, freshStart: true };
  }
  // Somebody asked for something else meanwhile: it is read anew.
  const isOld = seen.saw === "stopped" || seen.generation !== before.generation;
  if (isOld) return { state: "active", wakeAt: facts.now, freshStart: true };
  if (seen.saw === "changes") return sends(record, before, seen, facts);
  if (seen.missing.length > 0) return fails(record, before, seen, facts);
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

function sends(
  { id, body }: Subscription,
  before: SubscriptionOutcome,
  { from, to, changes }: FeedSeen & { saw: "changes" },
  { now }: Facts,
): Verdict<SubscriptionKind> {
  const numbered = changes.map((change, index) => ({ ...change, seq: before.seq + 1 + index }));
  const seq = before.seq + changes.length;
  const wanted = numbered.filter((change) => change.seq >= (before.skipTo ?? 0));
  const messages = wanted.map((change) => ({ id: messageId(id, before, change.seq), change }));
  const checkpoints = withCheckpoint(before.checkpoints, { seq: before.seq + 1, cursor: from });
  if (messages.length === 0) {
    const outcome = { ...before, checkpoints, cursor: to, seq };
    return { state: "active", wakeAt: now, freshStart: true, outcome };
  }
  return {
    state: "active",
    wakeAt: now + lookMs,
    freshStart: true,
    outcome: { ...before, checkpoints, cursor: from, inFlight: { to, seq, messages } },
    consequences: { append: messages.map((each) => changeMessage(body.webhook, each, now)) },
  };
}

/** What did not arrive is told anew after a while, until nobody seems to be there. */
function fails(
  record: Subscription,
  before: SubscriptionOutcome,
  seen: FeedSeen & { saw: "arrivals" },
  { now, jitter }: Facts,
): Verdict<SubscriptionKind> {
  const failures = before.failures + 1;
  const reason = oneLine(seen.reason, reasonCharsMax);
  const left = before.inFlight?.messages.filter(({ id }) => seen.missing.includes(id)) ?? [];
  const failed = { ...before, failures, reason };
  if (failures >= failuresMax) {
    const inFlight = before.inFlight && { ...before.inFlight, messages: left };
    return {
      state: "paused",
      freshStart: true,
      note: reason,
      outcome: { ...failed, inFlight },
      consequences: { append: [pauseNotice(record, seen, now)] },
    };
  }
  const messages = left.map(({ change }) => ({
    id: messageId(record.id, failed, change.seq),
    change,
  }));
  const at = Math.ceil(now + backoffMs(failureBackoff, failures, jitter));
  return {
    state: "active",
    wakeAt: at + lookMs,
    freshStart: true,
    note: reason,
    outcome: { ...failed, inFlight: before.inFlight && { ...before.inFlight, messages } },
    consequences: { append: messages.map((each) => changeMessage(record.body.webhook, each, at)) },
  };
}

function pauseNotice(
  { id, owner }: Subscription,
  { url, language, reason }: FeedSeen & { saw: "arrivals" },
  now: number,
): DraftOf<NotificationKind> {
  const shown = oneLine(reason, reasonCharsMax);
  const message = textsOf(language).notices.paused({ id, url, reason: shown });
  const said = { message, at: now, atText: "now", target: inboxOf(owner), origin: null } as const;
  return makeNotification({ ...said, type: "notice" });
}
