import type { Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { minGapMsDefault, type makeSchedule } from "../make-schedule.ts";
import { scheduleLimits } from "../ports.ts";

/** Another schedule of the book has the name. */
export function isNameTaken(error: unknown): boolean {
  return hasCode(error, "held") && nameOf(error).startsWith("schedule-name:");
}

/** What was refused because another record has a name, in words that say what to do. */
export function limitRefusal(
  error: unknown,
  { name, limit }: { name: string; limit: number },
): unknown {
  if (!hasCode(error, "held")) return error;
  const { holder } = error.details;
  const id = typeof holder === "string" ? { id: holder } : {};
  if (isNameTaken(error)) {
    const sentence = `There is a schedule ${quote(name)} already: choose another name, or edit that one.`;
    return new DaybookError("held", sentence, { cause: error, details: { name, ...id } });
  }
  if (nameOf(error).startsWith("schedule:")) {
    const sentence = `This book has ${limit} schedules, and may not have more: delete one first.`;
    return new DaybookError("held", sentence, { cause: error, details: { limit } });
  }
  return error;
}

/** A run of it is at work, and there may be only one. */
export function overlapRefusal(error: unknown): unknown {
  if (!hasCode(error, "held") || !nameOf(error).startsWith("run:")) return error;
  const { holder } = error.details;
  const run = typeof holder === "string" ? holder : "";
  const sentence = `It is running right now, as ${run}: wait for its end, or cancel that run first.`;
  return new DaybookError("held", sentence, { cause: error, details: { run_id: run } });
}

function nameOf({ details }: DaybookError): string {
  return String(details["name"]);
}

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
