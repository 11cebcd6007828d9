import type { LedgerRecord } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Quiet } from "../accounts/index.ts";
import type { NotificationKind } from "../notifications/index.ts";
import { distanceMs, nextTime } from "./curve.ts";
import { freeTime, minuteOf } from "./free-minute.ts";
import { minuteHold } from "./holds.ts";
import { type ClaimedNag, lastingHolds, type NagKind } from "./kind.ts";
import { type OpenHours, nextOpenTime } from "./open-hours.ts";
import type { Page } from "./page.ts";

type Outcome = NagKind["outcome"];

const retryMsFirst = 15 * 60_000;
const retryMsMax = 86_400_000;

/** The facts that decide a nag, beside its own record. */
export interface NagObservation {
  /** The owner's zone. */
  readonly zone: string;
  readonly quiet: Quiet | null;
  /** The page that it is about; null: it does not exist; absent: it was not read. */
  readonly page?: Page | null | undefined;
  /** The notification that it waits for; null: it was pruned; absent: it was not read. */
  readonly notification?: LedgerRecord<NotificationKind> | null | undefined;
  /** Names that other nags hold, and minutes that the owner's other nags hold. */
  readonly held: readonly string[];
  readonly takenMinutes: ReadonlySet<number>;
}

/** A nag with all the facts that decide it. */
export interface Situation {
  readonly record: ClaimedNag;
  readonly outcome: Outcome;
  readonly observed: NagObservation;
  readonly now: number;
  readonly hours: OpenHours;
  /** In [0, 1). */
  readonly chance: number;
}

/** The hours in which the nag may be sent. High priority ignores quiet hours. */
export function openHoursOf(
  { body, priority }: ClaimedNag,
  { zone, quiet }: NagObservation,
): OpenHours {
  return { ...body.curve, quiet: priority === "high" ? null : quiet, zone: body.zone ?? zone };
}

/** The next time by the curve, counted from the message with this number. */
export function planNext(
  situation: Situation,
  plan: Outcome,
  { from, number }: { from: number; number: number },
  timeOf = nextTime,
): Verdict<NagKind> {
  const { record, hours, now, chance } = situation;
  const { zone, quiet } = hours;
  const { curve } = record.body;
  const at = timeOf({ curve, count: number, from, now, zone, quiet, chance });
  return planAt(situation, { ...plan, counted: { from, number, zone } }, at);
}

/** Tries the same message again after a backoff; a failure does not count as sent. */
export function planRetry(situation: Situation, reason: string): Verdict<NagKind> {
  const { outcome, hours, now } = situation;
  const failures = outcome.failures + 1;
  const at = now + retryMs(failures);
  const plan = { ...outcome, saying: null, failures, reason };
  return { ...planAt(situation, plan, nextOpenTime(at, hours) ?? at), note: reason };
}

function retryMs(failures: number): number {
  return Math.min(retryMsFirst * 2 ** (failures - 1), retryMsMax);
}

/** The curve planned this time, not a person: it has a minute of its own and respects closed hours. */
export function isComputed({ counted, failures }: Outcome): boolean {
  return counted !== null || failures > 0;
}

/** Waits until a computed time, or until soon after it in a minute that no other nag holds. */
export function planAt(situation: Situation, plan: Outcome, at: number): Verdict<NagKind> {
  const { record, observed, hours } = situation;
  const { owner, id, body } = record;
  const spanMs =
    plan.failures > 0 ? retryMs(plan.failures) : distanceMs(body.curve, plan.count - 1);
  const { held, takenMinutes } = observed;
  const seed = `${id}:${plan.round}`;
  const time = freeTime(at, { owner, seed, spanMs, hours, held, takenMinutes });
  const holds = [...lastingHolds(owner, body), minuteHold(owner, minuteOf(time))];
  return { ...waitUntil(record, { ...plan, nextAt: time }, time), holds };
}

export function waitUntil(record: ClaimedNag, outcome: Outcome, wakeAt: number): Verdict<NagKind> {
  const holds = lastingHolds(record.owner, record.body);
  return { state: "active", outcome, holds, wakeAt, freshStart: true };
}
