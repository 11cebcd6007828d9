import type { Context } from "../../../kernel/operation.ts";
import { minGapMsDefault, type makeSchedule } from "../make-schedule.ts";
import { scheduleLimits } from "../ports.ts";

const schedulesMaxDefault = 50;

/** The limits under which a schedule of this caller is made. */
export function makingIn(
  context: Context,
  now: number,
): Required<Parameters<typeof makeSchedule>[1]> {
  const { minGapMs = minGapMsDefault, schedulesMax = schedulesMaxDefault } =
    context.use(scheduleLimits);
  return { owner: context.owner, now, limit: schedulesMax, minGapMs };
}
