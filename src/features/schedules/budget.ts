import type { LedgerRecord } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import type { ScheduleKind } from "./kind.ts";

type Schedule = Pick<LedgerRecord<ScheduleKind>, "body" | "outcome">;
export type Spent = NonNullable<ScheduleKind["outcome"]["spent"]>;

/**
 * What a schedule has used on the day it is in its zone, or in the owner's. A day that has begun is not left again:
 * after an edit of the zone, or by another clock, it may be the day before once more.
 */
export function spentOn({ body, outcome }: Schedule, at: number, ownZone: string): Spent {
  const day = dayOf(at, "zone" in body.cadence ? body.cadence.zone : ownZone);
  const spent = outcome?.spent;
  return spent !== undefined && spent.day >= day ? spent : { day, runs: 0, cost: 0 };
}

export function isSpent({ body }: Pick<Schedule, "body">, spent: Spent | undefined): boolean {
  const { runsPerDay = Infinity, costPerDay = Infinity } = body.budget ?? {};
  return spent !== undefined && (spent.runs >= runsPerDay || spent.cost >= costPerDay);
}
