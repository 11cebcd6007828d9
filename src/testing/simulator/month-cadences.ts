import type { Random } from "../../platform/random.ts";
import type { Cadence } from "../../time/cadence.ts";
import { intBelow, pick } from "../chance.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** In some of them clocks are put forward or back in any month but the darkest. */
const zones = [
  "UTC",
  "Asia/Seoul",
  "Australia/Lord_Howe",
  "America/New_York",
  "America/St_Johns",
  "Europe/Berlin",
  "Pacific/Auckland",
] as const;
const lengths = [12 * hourMs, dayMs, 2 * dayMs, 5 * dayMs, 7 * dayMs, 9 * dayMs] as const;
const expressions = [
  "0 9 * * 1-3",
  "30 2 */2 * *",
  "0 0 1 * *",
  "*/30 9 * * 1",
  "0 */8 * * 6",
  "15 10 * * 1,4",
  "0 30 1 * * 0",
  "@weekly",
] as const;
const rules = [
  "FREQ=WEEKLY;BYDAY=MO,TH",
  "FREQ=MONTHLY;BYMONTHDAY=-1",
  "FREQ=DAILY;COUNT=5",
  "FREQ=DAILY;INTERVAL=3",
  "FREQ=WEEKLY;COUNT=2",
] as const;

/** What somebody has in a month: about ten times each. */
export function monthlyCadence(random: Random, now: number): Cadence {
  const zone = pick(random, zones);
  const anchor = now - intBelow(random, dayMs);
  return pick<Cadence>(random, [
    { type: "interval", everyMs: pick(random, lengths), anchor },
    { type: "cron", expression: pick(random, expressions), zone },
    { type: "once", at: now + 1 + intBelow(random, 20 * dayMs) },
    { type: "rrule", rule: pick(random, rules), start: now + intBelow(random, 5 * dayMs), zone },
  ]);
}
