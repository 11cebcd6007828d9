import type { NagKind } from "../../features/nags/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import type { Watch } from "./calls.ts";
import type { ProcessWork } from "./facts.ts";
import type { NagPlan } from "./nags.ts";
import { quietLeftMs, settingsFor, type Settings } from "./quiet-hours.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nothingSet: Settings = { since: 0, quiet: null, zone: "UTC" };

/** The settings it may have been decided by. */
function settingsOf({ model }: Watch, { owner }: NagPlan, work: ProcessWork): readonly Settings[] {
  const found = settingsFor(model, owner, work);
  return found.length === 0 ? [nothingSet] : found;
}

/** Whether its reader was awake when it was claimed. */
export function isAwake(watch: Watch, plan: NagPlan, work: ProcessWork): boolean {
  return checkHours(watch, plan, work.claimedStoreAt, work);
}

/** Whether a moment is outside the curve's sleep, the quiet hours and, if the curve says so, the weekend. */
export function checkHours(watch: Watch, plan: NagPlan, at: number, work: ProcessWork): boolean {
  const { curve, zone: own } = plan.body;
  return settingsOf(watch, plan, work).some(({ quiet, zone: owners }) => {
    const zone = own ?? owners;
    const isAsleep = curve.sleep !== undefined && quietLeftMs(at, curve.sleep, zone) > 0;
    const isQuiet = quiet !== null && !plan.isUrgent && quietLeftMs(at, quiet, zone) > 0;
    const { dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    return !isAsleep && !isQuiet && (curve.weekdays !== true || dayOfWeek <= 5);
  });
}

const lengths = { minutes: 60_000, hours: hourMs, days: dayMs } as const;

/**
 * How far a time is from what it was counted from: no nearer than the curve says (less the jitter, the hour that
 * it lies in, and one that a clock was put forward by), and not further than a closed day, a weekend and the
 * minutes that others had may move it.
 */
export function checkDistance(
  plan: NagPlan,
  outcome: Outcome<NagKind>,
  work: ProcessWork,
): boolean {
  const { counted, nextAt } = outcome;
  if (counted === null || nextAt === null) return true;
  const { base, factor, cap, jitter = 0, wholeHours, sleep, weekdays } = plan.body.curve;
  const capMs = cap.count * lengths[cap.unit];
  let lengthMs = base.count * lengths[base.unit];
  for (let number = 1; number < counted.number && lengthMs < capMs; number += 1) lengthMs *= factor;
  lengthMs = Math.min(lengthMs, capMs);
  const from = Math.max(counted.from, Math.min(work.claimedStoreAt, counted.from + hourMs));
  const slackMs = (wholeHours === true ? hourMs : 0) + (base.unit === "days" ? hourMs : 0);
  const soonest = counted.from + lengthMs * (1 - jitter) - slackMs;
  const closedMs = (sleep === undefined ? 0 : dayMs) + (weekdays === true ? 3 * dayMs : 0);
  const latest = Math.max(from, work.claimedStoreAt) + lengthMs + slackMs + closedMs + 2 * dayMs;
  return nextAt >= soonest && nextAt <= latest;
}
