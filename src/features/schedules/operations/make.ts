import type { Context } from "../../../kernel/operation.ts";
import { minGapMsDefault, type makeSchedule } from "../make-schedule.ts";

const schedulesMaxDefault = 50;

/** What a schedule of this caller is made under: as it is set for the installation. */
export function makingIn(
  { owner, minGapMs = minGapMsDefault, schedulesMax: limit = schedulesMaxDefault }: Context,
  now: number,
): Required<Parameters<typeof makeSchedule>[1]> {
  return { owner, now, limit, minGapMs };
}
