import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { NotificationKind } from "../notifications/kind.ts";
import { replanned } from "./change.ts";
import { type NagKind, seenOf } from "./kind.ts";
import { receiptId, sayingId, sayings, wordsOf } from "./notification.ts";
import { opening } from "./open-hours.ts";
import {
  always,
  counts,
  dayOf,
  fails,
  isComputed,
  type Look,
  type NagSeen,
  plans,
  recounts,
  waits,
} from "./plan.ts";

type Nag = Claimed<NagKind>;
type Outcome = NagKind["outcome"];
type Said = LedgerRecord<NotificationKind>;

/** The net under what the end of its notification wakes. */
const lookMs = 3_600_000;
const lookMsMax = 86_400_000;

interface NagNeeds {
  readonly page?: string;
  readonly said?: string;
  /** It was woken before its time: its owner's day may be another since a moment ago. */
  readonly isEarly: boolean;
}

/** What has to be read before it can be decided. */
export function nagNeeds(record: Nag): NagNeeds {
  const { body, state, lease } = record;
  const { saying, takenBack, nextAt } = seenOf(record);
  const said = saying ?? takenBack;
  const isDue = state === "active" && (nextAt ?? body.at) <= lease.claimedAt;
  const isSaid = isDue && saying === null;
  return {
    isEarly: nextAt !== null && nextAt > lease.claimedAt,
    ...(said === undefined ? {} : { said }),
    ...(isSaid && "page" in body.about ? { page: body.about.page } : {}),
  };
}

/**
 * Where what was seen leaves it. All times are the store's: `claimedAt` is now, so that no node's own clock
 * says anything early.
 */
export function decideNag(record: Nag, seen: NagSeen, facts: Facts): Verdict<NagKind> {
  const { body, state } = record;
  const outcome = countedUp(seenOf(record), seen);
  if (record.cancelling || body.isDone === true) {
    const ends = record.cancelling ? "cancelled" : "done";
    return { ends, outcome, consequences: takesBack(record, seen) };
  }
  if (state !== "active") return { ...rests(record, outcome), ...looksFor(record, outcome) };
  if (outcome.asked !== body.asked) {
    const plan = replanned(record, body);
    return {
      ...waits(record, plan, record.lease.claimedAt),
      consequences: takesBack(record, seen),
    };
  }
  const look: Look = { record, outcome, seen, chance: facts.jitter, ...dayOf(record, seen) };
  return outcome.saying === null ? unlessLater(look) : afterSaying(look);
}

/** Its time has come, unless it has not, or nobody may be spoken to now. */
function unlessLater(look: Look): Verdict<NagKind> {
  const { record, outcome, hours, now } = look;
  const { counted, failures } = outcome;
  if (counted !== null && failures === 0 && counted.zone !== hours.zone) {
    return recounts(look, counted);
  }
  const at = outcome.nextAt ?? record.body.at;
  if (now < at) {
    const { wakeAt = at } = looksFor(record, outcome);
    return { state: "active", outcome, wakeAt: Math.min(at, wakeAt), freshStart: true };
  }
  const opens = isComputed(outcome) ? opening(now, hours) : now;
  if (opens === undefined) {
    const reason = "its curve's sleep and the quiet hours leave no time of day";
    return waits(record, { ...outcome, nextAt: at, reason }, now + lookMs);
  }
  if (opens > now) return plans(look, outcome, opens);
  return says(look, at);
}

function says({ record, outcome, seen, now }: Look, at: number): Verdict<NagKind> {
  const { body, id } = record;
  if ("page" in body.about) {
    if (seen.page === undefined) return { state: "active", wakeAt: now }; // it was not due when somebody looked
    if (seen.page?.state !== "kept") return { ends: "cancelled", note: "its page is gone" };
  }
  const round = outcome.round + 1;
  const message = wordsOf(body, seen.page);
  const isAsked = !isComputed(outcome);
  const append = sayings(record, { round, count: outcome.count, at, message, isAsked });
  const { takenBack: _, ...before } = outcome;
  const plan = { ...before, nextAt: null, saying: sayingId(id, round), round };
  return { ...waits(record, plan, now + lookMs), consequences: { append } };
}

/** What says it has ended, or not yet. */
function afterSaying(look: Look): Verdict<NagKind> {
  const { record, outcome, seen, now } = look;
  const { said } = seen;
  if (said === undefined) return { state: "active", wakeAt: now };
  if (said === null) return fails(look, "what said it is forgotten");
  if (said.endedAt === null) return { state: "active", wakeAt: now + lookAgainMs(record) };
  const { count } = outcome;
  const from = Math.max(said.body.at, said.endedAt);
  const ended = { ...outcome, saying: null, failures: 0, reason: null };
  if (said.state === "cancelled") return counts(look, ended, { from, number: count });
  if (said.state !== "delivered") return fails(look, said.outcome?.reason ?? said.state);
  const plan = { ...ended, ...arrived(count, said) };
  const { countMax = Infinity } = record.body.curve;
  if (count < countMax) return counts(look, plan, { from, number: count });
  const reason = `it was said as often as its curve allows, ${countMax} times`;
  return rests(record, { ...plan, nextAt: null, counted: null, reason }, reason);
}

function arrived(count: number, said: Said): Pick<Outcome, "count" | "lastSaid" | "lastReceiptId"> {
  return {
    count: Math.min(count + 1, Number.MAX_SAFE_INTEGER),
    lastSaid: said.id,
    lastReceiptId: receiptId(said),
  };
}

/** With what arrived though it had been taken back. */
function countedUp(outcome: Outcome, { said }: NagSeen): Outcome {
  const { takenBack, ...rest } = outcome;
  if (takenBack === undefined || said === undefined || said?.endedAt === null) return outcome;
  return said?.state === "delivered" ? { ...rest, ...arrived(rest.count, said) } : rest;
}

/** What was taken back may still arrive: its end wakes this, and if not, somebody looks. */
function looksFor(record: Nag, { takenBack }: Outcome): { wakeAt?: number } {
  return takenBack === undefined ? {} : { wakeAt: record.lease.claimedAt + lookMs };
}

/** What waits for somebody to listen may wait for months. */
function lookAgainMs({ attempt }: Nag): number {
  return Math.min(lookMs * 2 ** (attempt - 1), lookMsMax);
}

function rests(record: Nag, outcome: Outcome, note?: string): Verdict<NagKind> {
  const said = note === undefined ? {} : { note };
  return { state: "paused", outcome, holds: always(record), freshStart: true, ...said };
}

/** Only what lives can be taken back. */
function takesBack(record: Nag, { said }: NagSeen): Consequences {
  const { saying } = seenOf(record);
  if (saying === null || said?.id !== saying || said.endedAt !== null) return {};
  return { cancel: [{ id: saying, reason: "it is not said any more" }] };
}
