import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Quiet } from "../accounts/profile.ts";
import type { NotificationKind } from "../notifications/kind.ts";
import { distanceMs, nextTime, timeAfter } from "./curve.ts";
import { freeTime, minuteOf } from "./free-minute.ts";
import { minuteHold } from "./holds.ts";
import { lastingHolds, type NagKind } from "./kind.ts";
import { type Hours, opening } from "./open-hours.ts";
import type { PageKind } from "./page.ts";

type Nag = Claimed<NagKind>;
type Outcome = NagKind["outcome"];

const retryMsFirst = 15 * 60_000;
const retryMsMax = 86_400_000;

/** What must be known beside the nag to decide it. */
export interface NagSeen {
  /** Its owner's. */
  readonly zone: string;
  readonly quiet: Quiet | null;
  /** The page it is about; null: there is none; absent: nobody looked. */
  readonly page?: LedgerRecord<PageKind> | null;
  /** The notification it waits for; null: it is forgotten; absent: nobody looked. */
  readonly said?: LedgerRecord<NotificationKind> | null;
  /** Names that another has, and minutes that are in a name of the owner's other nags. */
  readonly held: readonly string[];
  readonly taken: ReadonlySet<number>;
}

/** A nag with all that is known when it is decided. */
export interface Look extends Day {
  readonly record: Nag;
  readonly outcome: Outcome;
  readonly seen: NagSeen;
  readonly chance: number;
}

/** The reader's day, and where in it this is. */
interface Day {
  readonly now: number;
  readonly hours: Hours;
}

export function dayOf({ body, priority, lease }: Nag, seen: NagSeen): Day {
  const { curve, zone = seen.zone } = body;
  const quiet = priority === "high" ? null : seen.quiet;
  return { now: lease.claimedAt, hours: { ...curve, quiet, zone } };
}

/** The next time by the curve. */
export function counts(
  look: Look,
  plan: Outcome,
  counted: { from: number; number: number },
): Verdict<NagKind> {
  const at = nextTime({ ...counting(look), count: counted.number, from: counted.from });
  return plans(look, { ...plan, counted: { ...counted, zone: look.hours.zone } }, at);
}

/** The same in another zone, from what was counted from. */
export function recounts(look: Look, counted: NonNullable<Outcome["counted"]>): Verdict<NagKind> {
  const { zone } = look.hours;
  const at = timeAfter({ ...counting(look), count: counted.number, from: counted.from });
  return plans(look, { ...look.outcome, counted: { ...counted, zone } }, at);
}

function counting({
  record,
  hours,
  now,
  chance,
}: Look): Omit<Parameters<typeof nextTime>[0], "count" | "from"> {
  return { curve: record.body.curve, now, zone: hours.zone, quiet: hours.quiet, chance };
}

/** It came to nothing: the same is tried again after a while, and nothing is counted. */
export function fails(look: Look, reason: string): Verdict<NagKind> {
  const { outcome, hours, now } = look;
  const failures = outcome.failures + 1;
  const at = now + retryMs(failures);
  const plan = { ...outcome, saying: null, failures, reason };
  return { ...plans(look, plan, opening(at, hours) ?? at), note: reason };
}

function retryMs(failures: number): number {
  return Math.min(retryMsFirst * 2 ** (failures - 1), retryMsMax);
}

/** No person asked for this time: it is in a minute of its own, and not said when nobody may be spoken to. */
export function isComputed({ counted, failures }: Outcome): boolean {
  return counted !== null || failures > 0;
}

/** Said at a time that was computed, or soon after it in a minute that no other has. */
export function plans({ record, seen, hours }: Look, plan: Outcome, at: number): Verdict<NagKind> {
  const { owner, id, body } = record;
  const spanMs =
    plan.failures > 0 ? retryMs(plan.failures) : distanceMs(body.curve, plan.count - 1);
  const { held, taken } = seen;
  const seed = `${id}:${plan.round}`;
  const time = freeTime(at, { owner, seed, spanMs, hours, held, taken });
  const holds = [...always(record), minuteHold(owner, minuteOf(time))];
  return { ...waits(record, { ...plan, nextAt: time }, time), holds };
}

export function waits(record: Nag, outcome: Outcome, wakeAt: number): Verdict<NagKind> {
  return { state: "active", outcome, holds: always(record), wakeAt, freshStart: true };
}

/** Names that it has whatever its time is. */
export function always({ owner, body }: Nag): ReturnType<typeof lastingHolds> {
  return lastingHolds(owner, body);
}
